package tools

import (
	"context"
	"encoding/json"

	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/reduce"
	"github.com/ctx-mcp/ctx-mcp/schema"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

func reduceMessages() Tool {
	return define(definition{
		name: "reduce_messages", content: true, title: "Reduce messages", toolset: ContextTools, harness: true, idempotent: true, heavy: always,
		terms: schema.Vocabulary(schema.Terms{}, conversation.Formats()),
	}, func(ctx context.Context, c call, in reduceIn) (reduceOut, error) {
		state, err := reduce.ParseState(in.State)
		if err != nil {
			return reduceOut{}, err
		}
		r, err := c.Reduce.Reduce(ctx, c.by, c.at, reduce.Request{
			Messages: in.Messages, Format: in.Format, Model: in.Model, Limit: in.ContextLimit, Target: in.TargetTokens,
			Window: in.Window, PreserveFirst: in.PreserveFirst, PreserveLast: in.PreserveLast, PromptCache: in.PromptCache,
			State: state, LastInput: in.LastInput, DryRun: in.DryRun,
		})
		return reducedOut(r), err
	})
}

type reduceIn struct {
	Messages      []json.RawMessage   `json:"messages" holds:"text"`
	Format        conversation.Format `json:"format,omitempty"`
	Model         string              `json:"model,omitempty"`
	ContextLimit  int                 `json:"context_limit,omitempty"`
	TargetTokens  int                 `json:"target_tokens,omitempty" jsonschema_description:"Reduce to this"`
	Window        int                 `json:"window,omitempty"`
	PreserveFirst *int                `json:"preserve_first,omitempty"`
	PreserveLast  *int                `json:"preserve_last,omitempty"`
	PromptCache   *bool               `json:"prompt_cache,omitempty"`
	LastInput     int                 `json:"last_input_tokens,omitempty" jsonschema_description:"As the provider reported"`
	State         json.RawMessage     `json:"state,omitempty" holds:"text"`
	DryRun        bool                `json:"dry_run,omitempty"`
	place
}

type reduceOut struct {
	Messages     []json.RawMessage `json:"messages"`
	Removed      int               `json:"removed_message_count"`
	TokensBefore int               `json:"tokens_before"`
	TokensAfter  int               `json:"tokens_after"`
	Limit        int               `json:"limit"`
	Counter      string            `json:"counter"`
	Layers       []layerOut        `json:"layers"`
	Artifacts    []keptOut         `json:"artifacts"`
	State        json.RawMessage   `json:"state"`
	Warnings     []string          `json:"warnings"`
}

// layerOut says what a layer did: layer, name, applied, tokens_before, tokens_after, detail. As a map its schema is short.
type layerOut map[string]any

// keptOut is a reference: artifact_id and uri.
type keptOut map[string]string

func reducedOut(r reduce.Reduced) reduceOut {
	out := reduceOut{
		Messages: r.Messages, Removed: r.Removed, TokensBefore: r.Before, TokensAfter: r.After, Limit: r.Limit, Counter: r.Counter,
		Layers: []layerOut{}, Artifacts: []keptOut{}, Warnings: append([]string{}, r.Warnings...),
	}
	for _, s := range r.Steps {
		out.Layers = append(out.Layers, layerOut{
			"layer": s.Layer, "name": s.Name, "applied": s.Applied, "tokens_before": s.Before, "tokens_after": s.After, "detail": s.Detail,
		})
	}
	for _, a := range r.Artifacts {
		out.Artifacts = append(out.Artifacts, keptOut{"artifact_id": a.ID, "uri": a.URI()})
	}
	state, err := ijson.Compact(r.State)
	if err != nil { // strings and numbers
		panic(err)
	}
	out.State = state
	return out
}
