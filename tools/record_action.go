package tools

import (
	"context"
	"encoding/json"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/schema"
)

func recordAction() Tool {
	return define(definition{
		name: "record_action", content: true, title: "Record action", toolset: ActionTools,
		terms: schema.Vocabulary(schema.Terms{}, ctxmcp.DataClasses()),
	}, func(ctx context.Context, c call, in actionIn) (actions.Answer, error) {
		return c.Actions.Record(ctx, c.by, c.named, actions.Intent{
			Session: in.SessionID, ID: in.ActionID, Key: in.IdempotencyKey, Tool: in.Tool, Operation: in.Operation,
			Parameters: in.Parameters, Messages: in.UserMessages, Declared: in.DataClassification, After: in.DependsOn,
		})
	})
}

type actionIn struct {
	SessionID          string           `json:"session_id"`
	ActionID           string           `json:"action_id,omitempty"`
	Tool               string           `json:"tool" holds:"text"`
	Operation          string           `json:"operation" holds:"text"`
	Parameters         json.RawMessage  `json:"parameters,omitempty" holds:"text"`
	UserMessages       []string         `json:"user_messages,omitempty" holds:"text" jsonschema_description:"Said since the last action"`
	DependsOn          []string         `json:"depends_on,omitempty"`
	DataClassification ctxmcp.DataClass `json:"data_classification,omitempty"`
	IdempotencyKey     string           `json:"idempotency_key,omitempty"`
	place
}
