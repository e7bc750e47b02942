package tools

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp"
)

func getEvaluationContext() Tool {
	return define(definition{
		name: "get_evaluation_context", title: "Get evaluation context", toolset: ActionTools, readOnly: true, idempotent: true,
	}, func(ctx context.Context, c call, in sessionIn) (sessionOut, error) {
		if _, err := c.scope(in.Scope); err != nil {
			return sessionOut{}, err
		}
		d, err := c.Actions.Context(ctx, c.by, in.SessionID)
		return sessionFrom(d, err)
	})
}

type sessionIn struct {
	SessionID string       `json:"session_id"`
	Scope     ctxmcp.Scope `json:"scope,omitzero"`
}
