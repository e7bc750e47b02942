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
		name: "record_result", content: true, title: "Record result", toolset: ActionTools, harness: true, idempotent: true, heavy: always,
		terms: schema.Vocabulary(schema.Terms{}, ctxmcp.DataClasses()),
	}, func(ctx context.Context, c call, in resultIn) (resultOut, error) {
		a, err := c.Actions.Result(ctx, c.by, c.named, actions.Outcome{
			Session: in.SessionID, Action: in.ActionID, Result: in.Result, Declared: in.DataClassification, IsError: in.IsError,
		})
		return resultOut{a.ActionID, a.Summary, a.Classification, raised(a.RiskSignals), stateOut(a.State)}, err
	})
}

// resultOut is lean: signals that are not raised are left out.
type resultOut struct {
	ActionID       string           `json:"action_id"`
	Summary        string           `json:"result_summary"`
	Classification ctxmcp.DataClass `json:"data_classification"`
	RiskSignals    map[string]bool  `json:"risk_signals,omitempty"`
	State          stateOut         `json:"accumulated_state"`
}

type resultIn struct {
	SessionID          string           `json:"session_id"`
	ActionID           string           `json:"action_id"`
	Result             json.RawMessage  `json:"result" holds:"text" jsonschema_description:"Any JSON"`
	DataClassification ctxmcp.DataClass `json:"data_classification,omitempty"`
	IsError            bool             `json:"is_error,omitempty"`
	place
}
