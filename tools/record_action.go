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
		name: "record_action", title: "Record action", toolset: ActionTools,
		terms: schema.Vocabulary(schema.Terms{}, ctxmcp.DataClasses()),
	}, func(ctx context.Context, c call, in actionIn) (actionOut, error) {
		a, err := c.Actions.Record(ctx, c.by, c.named, actions.Intent{
			Session: in.SessionID, ID: in.ActionID, Key: in.IdempotencyKey, Tool: in.Tool, Operation: in.Operation,
			Parameters: in.Parameters, Messages: in.UserMessages, Declared: in.DataClassification, After: in.DependsOn,
		})
		return actionFrom(a, err)
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

type actionOut struct {
	ActionID         string          `json:"action_id"`
	Decision         decisionOut     `json:"decision"`
	RiskSignals      json.RawMessage `json:"risk_signals"`
	Findings         json.RawMessage `json:"findings"`
	SemanticDistance float64         `json:"semantic_distance"`
	AccumulatedState json.RawMessage `json:"accumulated_state"`
}

type decisionOut struct {
	Verdict       ctxmcp.Verdict  `json:"verdict"`
	Rule          string          `json:"rule"`
	Why           string          `json:"why"`
	Modifications json.RawMessage `json:"modifications,omitempty"`
}

func actionFrom(a actions.Answer, err error) (actionOut, error) {
	if err != nil {
		return actionOut{}, err
	}
	raw, err := compact(a)
	if err != nil {
		return actionOut{}, err
	}
	var out actionOut
	err = json.Unmarshal(raw, &out)
	return out, err
}
