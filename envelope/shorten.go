package envelope

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// Shorten brings a text within the budget of the result, as Wrap does, and says where it is left out that the artifact has the whole. It is for a
// result that was redacted, and is kept, already: nothing is hidden, kept or recorded, and its answer has no delimiters. It returns the error of the
// context if that ends before.
func (s *Service) Shorten(ctx context.Context, in Result, text string, whole ctxmcp.Artifact) (string, error) {
	in.Bare, in.Value = true, json.RawMessage(nil)
	if in.Strategy == "" {
		in.Strategy = Auto
	}
	w := &wrapping{Service: s, ctx: ctx, in: in, max: in.MaxTokens, text: text, asked: sync.OnceValue(func() *need { return readNeed(in.Question) })}
	for _, step := range []func() error{w.classify, w.contain} {
		if err := step(); err != nil {
			return "", err
		}
	}
	w.out.Artifact = &whole
	if err := w.trim(); err != nil {
		return "", err
	}
	if !tokens.Fits(w.Counter, w.out.Content, w.max) {
		return w.least(), ctx.Err()
	}
	return w.out.Content, ctx.Err()
}
