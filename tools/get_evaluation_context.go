package tools

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp/actions"
)

func getEvaluationContext() Tool {
	return define(definition{
		name: "get_evaluation_context", title: "Get evaluation context", toolset: ActionTools, harness: true, readOnly: true, idempotent: true,
	}, func(ctx context.Context, c call, in sessionIn) (actions.Document, error) {
		return quiet(c.Actions.Context(ctx, c.by, c.named, in.SessionID))
	})
}

// quiet leaves the signals out that are not raised.
func quiet(d actions.Document, err error) (actions.Document, error) {
	d.RiskSignals = raised(d.RiskSignals)
	return d, err
}

type sessionIn struct {
	SessionID string `json:"session_id"`
	place
}
