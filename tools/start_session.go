package tools

import (
	"context"
	"encoding/json"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
	"github.com/ctx-mcp/ctx-mcp/schema"
)

func startSession() Tool {
	return define(definition{
		name: "start_session", title: "Start session", toolset: ActionTools, idempotent: true,
		terms: schema.Vocabulary(schema.Terms{}, ctxmcp.DataClasses()),
	}, func(ctx context.Context, c call, in startIn) (sessionOut, error) {
		known, err := taint.Definitions(in.Tools)
		if err != nil {
			return sessionOut{}, err
		}
		o := actions.Opening{Session: in.SessionID, Request: actions.Request(in.OriginalRequest), Tools: known}
		d, err := c.Actions.Start(ctx, c.by, c.at, o)
		return sessionFrom(d, err)
	})
}

type startIn struct {
	SessionID       string            `json:"session_id,omitempty"`
	OriginalRequest requestIn         `json:"original_request"`
	Tools           []json.RawMessage `json:"tools,omitempty" holds:"text" jsonschema_description:"Definitions as in tools/list"`
	place
}

type requestIn struct {
	Text                   string           `json:"text" holds:"text" jsonschema_description:"The user's own words"`
	Intent                 string           `json:"intent_classification,omitempty" holds:"text"`
	Entities               []string         `json:"entities,omitempty" holds:"text"`
	ExpectedScope          []string         `json:"expected_scope,omitempty" jsonschema_description:"Tools"`
	ExpectedClassification ctxmcp.DataClass `json:"expected_classification,omitempty"`
}

// sessionOut is actions.Document as it is sent. What nests is left open: a client pays for every word of a schema.
type sessionOut struct {
	SessionID        string          `json:"session_id"`
	StartedAt        Time            `json:"started_at"`
	EndedAt          Time            `json:"ended_at,omitzero"`
	OriginalRequest  json.RawMessage `json:"original_request"`
	UserMessages     []string        `json:"user_messages,omitempty"`
	ActionHistory    json.RawMessage `json:"action_history"`
	HistorySummary   json.RawMessage `json:"history_summary,omitempty"`
	AccumulatedState json.RawMessage `json:"accumulated_state"`
	RiskSignals      json.RawMessage `json:"risk_signals"`
	ContextDigest    string          `json:"context_digest"`
}

func sessionFrom(d actions.Document, err error) (sessionOut, error) {
	if err != nil {
		return sessionOut{}, err
	}
	raw, err := compact(d)
	if err != nil {
		return sessionOut{}, err
	}
	var out sessionOut
	err = json.Unmarshal(raw, &out)
	return out, err
}
