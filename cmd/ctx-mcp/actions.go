package main

import (
	"context"
	"encoding/base32"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp/actions"
)

// wireActions makes the service of sessions.
func (a *app) wireActions() {
	redactor := a.redactor.Without(a.config.Accumulator.Allow...)
	a.actions = &actions.Service{
		Store: a.store, Decider: a.governance.policy, Receipts: observed{a.governance.receipts, a},
		Redact: redactor.Func(),
		Now:    a.sys.now, NewID: a.sys.newID, Handle: a.handle, Logger: a.logger, Options: a.config.ActionOptions(),
		Publish: a.publishReceipts,
	}
}

// handle returns a name for a session that nobody can guess: 160 random bits.
func (a *app) handle() string {
	var raw [20]byte
	if _, err := io.ReadFull(a.sys.random, raw[:]); err != nil {
		panic(err) // the system's source of randomness does not fail
	}
	return "sess_" + strings.ToLower(base32.StdEncoding.EncodeToString(raw[:]))
}

// sweepActions removes sessions whose time is over, now and every hour, until the context ends.
func (a *app) sweepActions(ctx context.Context) {
	tick := time.NewTicker(time.Hour)
	defer tick.Stop()
	for {
		if _, err := a.actions.Sweep(ctx); err != nil && !errors.Is(err, context.Canceled) {
			a.logger.Error("sweep sessions", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
