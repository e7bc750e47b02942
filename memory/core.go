package memory

import (
	"context"
	"log/slog"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Counter counts the tokens of a text.
type Counter interface {
	Name() string
	Count(text string) int
}

// Embedder turns texts into vectors of unit length. Vectors of different models are never compared.
type Embedder interface {
	Model() string
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Core holds the store, the clock and the other things that the parts of memory share. Its fields are set once, before use.
type Core struct {
	Store   Store
	Counter Counter
	// Redact hides the secrets of a text of the tenant. It is asked before anything is stored, indexed or embedded.
	Redact  redact.Func
	Now     func() time.Time
	NewID   func() string // a fresh UUID
	Logger  *slog.Logger
	Options Options

	// Vectors and Embedder are set together, or not at all: recall then runs on words alone.
	Vectors  VectorStore
	Embedder Embedder
	// Entities is the store's registry of the entities that memories name, or nil: then no names are resolved.
	Entities entities.Registry
	// Rank orders the candidates of a question; nil: by the weights in use. A program that fits weights sets others.
	Rank func(*ranking.Evidence) []ranking.Ranked
	// Stored is called after new versions were stored; it must not block. It may be nil.
	Stored func()
	// Erased is called after objects were erased, before the caller is answered: it removes the copies that were made of
	// them. It may be nil.
	Erased func(ctx context.Context) error

	// turn is held by a writer that lost a race, while it tries again: the losers of this process do not beat each other.
	turn *ctxmcp.Lock
}

func (s *Core) now() time.Time { return ctxmcp.Instant(s.Now()) }

func (s *Core) options() Options { return s.Options.withDefaults() }

// ranked returns the candidates of a question, best first.
func (s *Core) ranked(e *ranking.Evidence) []ranking.Ranked {
	if s.Rank != nil {
		return s.Rank(e)
	}
	return e.Rank()
}

// coexists reports whether a slot of the claim's predicate holds several values at a time.
func (s *Core) coexists(c ctxmcp.Claim) bool { return s.Options.Coexists(c.Predicate) }

// notAhead returns CodeInvalid for an instant of transaction time that has not come.
func (s *Core) notAhead(name string, t time.Time) error {
	if t.After(s.now().Add(s.options().Skew)) {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s is in the future", name).
			WithHint("it asks what was held at an instant; for what will be true use as_of")
	}
	return nil
}
