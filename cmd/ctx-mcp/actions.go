package main

import (
	"context"
	"encoding/base32"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/actions/opinion"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/llm/chat"
)

// wireActions makes the service of sessions.
func (a *app) wireActions() error {
	a.actions = &actions.Service{
		Store: a.store, Decider: a.governance.policy, Receipts: observed{a.governance.receipts, a},
		Redact: a.secrets.without(a.config.Accumulator.Allow...).redact,
		Now:    a.sys.now, NewID: a.sys.newID, Handle: a.handle, Logger: a.logger, Options: a.config.ActionOptions(),
		Publish: a.publishReceipts,
	}
	if !a.config.PolicyJudge {
		return nil
	}
	model, err := judgeOf(a.config)
	if err != nil {
		return err
	}
	a.actions.Opinion = opinion.Reader{Model: model}
	return nil
}

// judgeOf returns the model that answers in the place of a person, with the time of one answer: it is asked twice at most.
func judgeOf(c *config.Config) (*chat.Client, error) {
	return chat.New(chat.Options{BaseURL: c.ChatURL, Model: c.ChatModel, APIKey: c.ChatKey, Timeout: c.Outside(c.JudgeTimeout*2) / 2})
}

// handle returns a name for a session that nobody can guess: 160 random bits.
func (a *app) handle() string {
	var raw [20]byte
	if _, err := io.ReadFull(a.sys.random, raw[:]); err != nil {
		panic(err) // the system's source of randomness does not fail
	}
	return "sess_" + strings.ToLower(base32.StdEncoding.EncodeToString(raw[:]))
}

// sweepActions removes sessions whose time is over, and the counts of callers who are idle, now and every hour, until the context ends.
func (a *app) sweepActions(ctx context.Context) {
	tick := time.NewTicker(time.Hour)
	defer tick.Stop()
	for {
		if _, err := a.actions.Sweep(ctx); err != nil && !errors.Is(err, context.Canceled) {
			a.logger.Error("sweep sessions", "error", err)
		}
		if counts := a.store.Allowances(); counts != nil {
			if err := counts.ForgetIdle(ctx); err != nil && !errors.Is(err, context.Canceled) {
				a.logger.Error("forget callers who are idle", "error", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
