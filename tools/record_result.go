package tools

import (
	"context"
	"encoding/json"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/schema"
)

func recordResult() Tool {
	return define(definition{
		name: "record_result", content: true, title: "Record result", toolset: ActionTools, idempotent: true, heavy: always,
		terms: schema.Vocabulary(schema.Terms{}, ctxmcp.DataClasses()),
	}, func(ctx context.Context, c call, in resultIn) (actions.ResultAnswer, error) {
		return c.Actions.Result(ctx, c.by, c.named, actions.Outcome{
			Session: in.SessionID, Action: in.ActionID, Result: in.Result, Declared: in.DataClassification, IsError: in.IsError,
		})
	})
}

type resultIn struct {
	SessionID          string           `json:"session_id"`
	ActionID           string           `json:"action_id"`
	Result             json.RawMessage  `json:"result" holds:"text" jsonschema_description:"Any JSON"`
	DataClassification ctxmcp.DataClass `json:"data_classification,omitempty"`
	IsError            bool             `json:"is_error,omitempty"`
	place
}
