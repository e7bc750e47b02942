package tools

import (
	"context"
)

func getEvaluationContext() Tool {
	return define(definition{
		name: "get_evaluation_context", title: "Get evaluation context", toolset: ActionTools, readOnly: true, idempotent: true,
	}, func(ctx context.Context, c call, in sessionIn) (sessionOut, error) {
		d, err := c.Actions.Context(ctx, c.by, c.named, in.SessionID)
		return sessionFrom(d, err)
	})
}

type sessionIn struct {
	SessionID string `json:"session_id"`
	place
}
