package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/envelope"
	"github.com/ctx-mcp/ctx-mcp/schema"
)

func wrapToolResult() Tool {
	return define(definition{
		name: "wrap_tool_result", content: true, title: "Wrap tool result", toolset: ArtifactTools, harness: true, heavy: always,
		terms: schema.Vocabulary(schema.Terms{}, envelope.Strategies()),
	}, func(ctx context.Context, c call, in wrapIn) (wrapOut, error) {
		w, err := c.Envelope.Wrap(ctx, c.by, c.at, envelope.Result{
			CallID: in.ToolCallID, Tool: in.Tool, Value: in.Result, Strategy: in.Strategy, MaxTokens: in.MaxTokens,
			Question: in.Question, Fields: in.Fields, Bare: in.Frame != nil && !*in.Frame, CallIDs: in.CallIDs,
		})
		return wrappedOut(w), err
	})
}

type wrapIn struct {
	ToolCallID string            `json:"tool_call_id"`
	Tool       string            `json:"tool" holds:"text"`
	Result     json.RawMessage   `json:"result" holds:"text" jsonschema_description:"Any JSON"`
	Question   string            `json:"question,omitempty" holds:"text"`
	Strategy   envelope.Strategy `json:"strategy,omitempty"`
	MaxTokens  int               `json:"max_tokens,omitempty" jsonschema:"minimum=1,maximum=1000000"`
	Fields     []string          `json:"fields,omitempty"`
	Frame      *bool             `json:"frame,omitempty" jsonschema_description:"Default true"`
	CallIDs    []string          `json:"call_ids,omitempty" jsonschema_description:"Ids awaiting a result"`
	home
}

type wrapOut struct {
	Message       messageOut           `json:"message"`
	Artifact      *artifactOut         `json:"artifact,omitempty"`
	Redactions    []envelope.Redaction `json:"redactions,omitempty"`
	Warnings      []envelope.Warning   `json:"warnings,omitempty"`
	Kind          string               `json:"kind"`
	OriginalChars int                  `json:"original_chars"`
	TrimmedChars  int                  `json:"trimmed_chars"`
	Tokens        int                  `json:"tokens"`
	Counter       string               `json:"counter"`
	Truncated     bool                 `json:"truncated"`
}

// lines implements told.
func (o wrapOut) lines() string {
	var all []string
	for _, w := range o.Warnings {
		all = append(all, containment.OneLine(fmt.Sprintf("warning %s: %s", w.Kind, w.Detail)))
	}
	for _, r := range o.Redactions {
		all = append(all, fmt.Sprintf("redacted: %d %s", r.Count, r.Label))
	}
	if o.Artifact != nil {
		all = append(all, "the whole is kept: "+o.Artifact.URI)
	}
	return strings.Join(append(all, o.Message.Content), "\n")
}

type messageOut struct {
	Role       string `json:"role"`
	ToolCallID string `json:"tool_call_id"`
	Content    string `json:"content"`
}

func wrappedOut(w envelope.Wrapped) wrapOut {
	out := wrapOut{
		Message: messageOut{"tool", w.CallID, w.Content}, Redactions: w.Redactions, Warnings: w.Warnings, Kind: w.Kind,
		OriginalChars: w.OriginalChars, TrimmedChars: w.TrimmedChars, Tokens: w.Tokens, Counter: w.Counter, Truncated: w.Truncated,
	}
	if w.Artifact != nil {
		ref := reference(*w.Artifact)
		out.Artifact = &ref
	}
	return out
}
