package tools

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp/actions"
)

func endSession() Tool {
	return define(definition{name: "end_session", title: "End session", toolset: ActionTools, harness: true, idempotent: true},
		func(ctx context.Context, c call, in sessionIn) (actions.Closing, error) {
			return c.Actions.End(ctx, c.by, c.named, in.SessionID)
		})
}
