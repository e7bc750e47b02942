package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/receipts/ocsf"
)

// observed writes receipts, and tells of each: a figure, and an event where they are configured.
type observed struct {
	*receipts.Service
	app *app
}

// Append implements actions.Receipts.
func (o observed) Append(ctx context.Context, body receipts.Body, private *receipts.Private) (receipts.Receipt, error) {
	r, err := o.Service.Append(ctx, body, private)
	o.app.told(ctx, body.Kind, r, err)
	return r, err
}

// Done implements actions.Receipts.
func (o observed) Done(ctx context.Context, p *receipts.Proof, err error) {
	o.Service.Done(ctx, p, err)
	o.app.told(ctx, receipts.DecisionKind, p.Receipt, err)
}

// told counts a receipt, or that there is none, and writes its event, in the span of the call too.
func (a *app) told(ctx context.Context, kind receipts.Kind, r receipts.Receipt, err error) {
	switch {
	case err != nil && ctxmcp.CodeOf(err) != ctxmcp.CodeConflict:
		a.metrics.receipt(kind, "failed")
	case err == nil && !r.Existed:
		a.metrics.receipt(kind, string(r.Body.Verdict))
		a.sends.Event(ctx, "receipt", map[string]string{
			"receipt_kind": string(kind), "verdict": string(r.Body.Verdict), "rule": r.Body.Rule, "receipt": r.ID,
		})
		a.tell(r)
	}
}

// tell writes the event of a receipt. The receipt stands whether that works or not.
func (a *app) tell(r receipts.Receipt) {
	if a.events == nil {
		return
	}
	if err := a.events.Write(r); err != nil {
		a.logger.Error("write an event", "error", err)
	}
}

// openEvents opens the file of events for appending, if one is configured; - is standard error.
func (a *app) openEvents() error {
	switch path := a.config.EventsFile; path {
	case "":
		return nil
	case "-":
		a.events = &ocsf.Writer{Version: version, Out: a.sys.err}
		return nil
	default:
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return usage("events.file: %v", err)
		}
		a.events = &ocsf.Writer{Version: version, Out: f}
		return nil
	}
}

// closeEvents closes the file of events.
func (a *app) closeEvents() error {
	if a.events == nil || a.config.EventsFile == "-" {
		return nil
	}
	if f, is := a.events.Out.(io.Closer); is {
		if err := f.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			return fmt.Errorf("close events.file: %w", err)
		}
	}
	return nil
}
