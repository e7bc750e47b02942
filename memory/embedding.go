package memory

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Embedding makes the vectors of stored versions, apart from the writes: a write never waits for it and never fails
// because of it. What was not embedded when the process ended is embedded by the next.
type Embedding struct {
	Store    Store
	Vectors  VectorStore
	Embedder Embedder
	Logger   *slog.Logger
	Batch    int           // texts a request; default 64
	Pause    time.Duration // after a failure, and between looks for what other processes stored; default 15 seconds

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

// Run embeds until ctx is done.
func (e *Embedding) Run(ctx context.Context) {
	unfit := map[VersionKey]bool{}
	for ctx.Err() == nil {
		more, err := e.step(ctx, unfit)
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

// step embeds one batch and reports whether there may be more. A text that the endpoint refuses is put aside in unfit
// until the next start, so that it does not hold up the others.
func (e *Embedding) step(ctx context.Context, unfit map[VersionKey]bool) (more bool, err error) {
	model := e.Embedder.Model()
	rows, err := e.Vectors.Unembedded(ctx, model, e.Batch+len(unfit))
	if err != nil {
		return false, fmt.Errorf("find what to embed: %w", err)
	}
	var pending []ctxmcp.ContextObject
	for _, o := range rows {
		if !unfit[KeyOf(o)] && len(pending) < e.Batch {
			pending = append(pending, o)
		}
	}
	if len(pending) == 0 {
		return false, nil
	}
	err = e.embed(ctx, model, pending)
	if refused(err) {
		err = e.oneByOne(ctx, model, pending, unfit)
	}
	return err == nil, err
}

// refused reports whether the endpoint finds fault with the texts, or with their number, and not with itself.
func refused(err error) bool {
	code := ctxmcp.CodeOf(err)
	return code == ctxmcp.CodeInvalid || code == ctxmcp.CodeTooLarge
}

// oneByOne embeds what was refused together, and puts aside what is refused alone.
func (e *Embedding) oneByOne(ctx context.Context, model string, pending []ctxmcp.ContextObject, unfit map[VersionKey]bool) error {
	for _, o := range pending {
		err := e.embed(ctx, model, []ctxmcp.ContextObject{o})
		switch {
		case refused(err):
			unfit[KeyOf(o)] = true
			e.Logger.Warn("the endpoint refuses to embed a memory", "object_id", o.ObjectID, "error", err)
		case err != nil:
			return err
		}
	}
	return nil
}

func (e *Embedding) embed(ctx context.Context, model string, pending []ctxmcp.ContextObject) error {
	texts := make([]string, len(pending))
	for i, o := range pending {
		texts[i] = o.Content
	}
	vectors, err := e.Embedder.Embed(ctx, texts)
	if err != nil {
		return fmt.Errorf("embed %d memories: %w", len(pending), err)
	}
	var c Change
	for i, o := range pending {
		c.Vectors = append(c.Vectors, Vector{o.TenantID, KeyOf(o), model, vectors[i]})
	}
	if err := e.Store.Apply(ctx, c); err != nil {
		return fmt.Errorf("keep vectors: %w", err)
	}
	return nil
}
