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
		name: "start_session", content: true, title: "Start session", toolset: ActionTools, harness: true, idempotent: true,
		terms: schema.Vocabulary(schema.Terms{}, ctxmcp.DataClasses()),
	}, func(ctx context.Context, c call, in startIn) (actions.Document, error) {
		known, err := taint.Definitions(in.Tools)
		if err != nil {
			return actions.Document{}, err
		}
		o := actions.Opening{Session: in.SessionID, Request: actions.Request(in.OriginalRequest), Tools: known}
		return quiet(c.Actions.Start(ctx, c.by, c.at, o))
	})
}

type startIn struct {
	SessionID       string            `json:"session_id,omitempty"`
	OriginalRequest requestIn         `json:"original_request"`
	Tools           []json.RawMessage `json:"tools,omitempty" holds:"text" jsonschema_description:"Definitions as in tools/list"`
	home
}

type requestIn struct {
	Text                   string           `json:"text" holds:"text" jsonschema_description:"The user's own words"`
	Intent                 string           `json:"intent_classification,omitempty" holds:"text"`
	Entities               []string         `json:"entities,omitempty" holds:"text"`
	ExpectedScope          []string         `json:"expected_scope,omitempty" jsonschema_description:"Tools"`
	ExpectedClassification ctxmcp.DataClass `json:"expected_classification,omitempty"`
}
