package tools

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp/directives"
)

func retrieveContext() Tool {
	return define(definition{name: "retrieve_context", title: "Retrieve context", toolset: ContextTools, harness: true, openWorld: true, heavy: always},
		func(ctx context.Context, c call, in retrieveIn) (retrieveOut, error) {
			r, err := c.Directives.Retrieve(ctx, c.by, c.at, directives.Ask{
				Directive: in.Directive, MaxTokens: in.MaxTokens, Keep: in.Promote == nil || *in.Promote, Parent: in.ContextRef,
			})
			return retrievedOut(r), err
		})
}

type retrieveIn struct {
	Directive  string `json:"directive" holds:"text"`
	Promote    *bool  `json:"promote,omitempty" jsonschema_description:"Default true"`
	ContextRef string `json:"context_ref,omitempty"`
	MaxTokens  int    `json:"max_tokens,omitempty" jsonschema:"minimum=80,maximum=1000000"`
	place
}

type retrieveOut struct {
	Directive  string               `json:"directive"`
	Artifact   *artifactOut         `json:"artifact,omitempty"`
	Items      []directives.Item    `json:"items"`
	Skipped    []directives.Skipped `json:"skipped"`
	ContextRef string               `json:"context_ref,omitempty"`
	Tokens     int                  `json:"tokens"`
	Counter    string               `json:"counter"`
}

func retrievedOut(r directives.Retrieved) retrieveOut {
	out := retrieveOut{
		Directive: r.Directive, Items: append([]directives.Item{}, r.Items...), Skipped: append([]directives.Skipped{}, r.Skipped...),
		ContextRef: r.Ref, Tokens: r.Tokens, Counter: r.Counter,
	}
	if r.Artifact != nil {
		ref := reference(*r.Artifact)
		out.Artifact = &ref
	}
	return out
}
