package tools

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp/packets"
)

func verifyContext() Tool {
	return define(definition{name: "verify_context", title: "Verify context", toolset: ContextTools, harness: true, readOnly: true, idempotent: true, heavy: always},
		func(ctx context.Context, c call, in verifyIn) (verifyOut, error) {
			v, err := c.Packets.Verify(ctx, c.by, c.named, in.ContextRef)
			return verifyOut{v.Valid, v.Ref, v.Recomputed, v.Sources, append([]packets.Difference{}, v.Differences...)}, err
		})
}

type verifyIn struct {
	ContextRef string `json:"context_ref" jsonschema_description:"Or a trace_id"`
	place
}

type verifyOut struct {
	Valid         bool                 `json:"valid"`
	ContextRef    string               `json:"context_ref"`
	RecomputedRef string               `json:"recomputed_ref"`
	Sources       int                  `json:"sources"`
	Differences   []packets.Difference `json:"differences"`
}
