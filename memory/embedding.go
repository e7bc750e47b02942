package memory

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Embedding makes the vectors of stored versions, apart from the writes: a write never waits for it and never fails
// because of it. The next process embeds the versions that the last did not.
type Embedding struct {
	Store    Store
	Vectors  VectorStore
	Embedder Embedder
	Logger   *slog.Logger
	Redact   redact.Func   // over what was stored before the settings hid it; nil: nothing was
	Batch    int           // texts a request; default 64
	Pause    time.Duration // after a failure, and between looks for versions that other processes stored; default 15 seconds

	wake chan struct{}
}

// NewEmbedding returns an Embedding that is ready to Run.
func NewEmbedding(store Store, vectors VectorStore, embedder Embedder, logger *slog.Logger) *Embedding {
	return &Embedding{Store: store, Vectors: vectors, Embedder: embedder, Logger: logger, Batch: 64,
		Pause: 15 * time.Second, wake: make(chan struct{}, 1)}
}

// Wake says that there may be something to embed. It never blocks.
func (e *Embedding) Wake() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// Run embeds until ctx is done. It tries the texts that the model refused before once more: endpoints change.
func (e *Embedding) Run(ctx context.Context) {
	if err := e.Vectors.Retry(ctx, e.Embedder.Model()); err != nil && ctx.Err() == nil {
		e.Logger.Warn("what the model refused is not tried again", "error", err)
	}
	for ctx.Err() == nil {
		more, err := e.step(ctx)
		if err != nil && ctx.Err() == nil {
			e.Logger.Warn("embedding is behind", "error", err)
		}
		if more && err == nil {
			continue
		}
		var woken <-chan struct{}
		if err == nil {
			woken = e.wake
		}
		select {
		case <-ctx.Done():
		case <-woken:
		case <-time.After(e.Pause):
		}
	}
}

// step embeds one batch and reports whether there may be more.
func (e *Embedding) step(ctx context.Context) (more bool, err error) {
	model := e.Embedder.Model()
	pending, err := e.Vectors.Unembedded(ctx, model, e.Batch)
	if err != nil {
		return false, fmt.Errorf("find what to embed: %w", err)
	}
	if len(pending) == 0 {
		return false, nil
	}
	texts := make([]string, len(pending))
	for i, o := range pending {
		if e.Redact != nil {
			if o.Content, _, err = e.Redact(ctx, o.TenantID, o.Content); err != nil {
				return false, fmt.Errorf("redact: %w", err)
			}
		}
		texts[i], pending[i].Content = o.Content, o.Content
	}
	vectors, err := e.Embedder.Embed(ctx, texts)
	if refused(err) {
		vectors, err = e.oneByOne(ctx, pending)
	}
	if err != nil {
		return false, fmt.Errorf("embed %d memories: %w", len(pending), err)
	}
	byTenant := map[string]*Change{} // a change of several tenants would wait for the writers of each
	for i, o := range pending {
		c := byTenant[o.TenantID]
		if c == nil {
			c = &Change{}
			byTenant[o.TenantID] = c
		}
		c.Vectors = append(c.Vectors, Vector{o.TenantID, ctxmcp.KeyOf(o), model, vectors[i]})
	}
	for _, tenant := range slices.Sorted(maps.Keys(byTenant)) {
		if err := e.Store.Apply(ctx, *byTenant[tenant]); err != nil {
			return false, fmt.Errorf("keep vectors: %w", err)
		}
	}
	return true, nil
}

// refused reports whether the endpoint finds fault with the texts, or with their number, and not with itself.
func refused(err error) bool {
	code := ctxmcp.CodeOf(err)
	return code == ctxmcp.CodeInvalid || code == ctxmcp.CodeTooLarge
}

// oneByOne embeds the texts of a refused batch. One that is refused alone has no vector, and holds up no other.
func (e *Embedding) oneByOne(ctx context.Context, pending []ctxmcp.ContextObject) ([][]float32, error) {
	vectors := make([][]float32, len(pending))
	for i, o := range pending {
		v, err := e.head(ctx, o.Content)
		if refused(err) {
			e.Logger.Warn("the endpoint refuses to embed a memory", "object_id", o.ObjectID, "error", err)
			continue
		}
		if err != nil {
			return nil, err
		}
		vectors[i] = v
	}
	return vectors, nil
}

// shortestHead is the number of characters that are tried in the end, of a text that a model refuses.
const shortestHead = 250

// head embeds a text, or as much of its beginning as the model takes, cut in half as often as need be: a long text
// says first what it is about. Models count tokens, each its own, and endpoints do not agree on how to say that there are too
// many: no length is known beforehand.
func (e *Embedding) head(ctx context.Context, text string) ([]float32, error) {
	for runes := []rune(text); ; runes = runes[:len(runes)/2] {
		vectors, err := e.Embedder.Embed(ctx, []string{string(runes)})
		switch {
		case err == nil:
			return vectors[0], nil
		case !refused(err) || len(runes) < 2*shortestHead:
			return nil, err
		}
	}
}
