package tools

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp/actions"
)

func endSession() Tool {
	return define(definition{name: "end_session", title: "End session", toolset: ActionTools, idempotent: true},
		func(ctx context.Context, c call, in sessionIn) (actions.Closing, error) {
			if _, err := c.scope(in.Scope); err != nil {
				return actions.Closing{}, err
			}
			return c.Actions.End(ctx, c.by, in.SessionID)
		})
}
