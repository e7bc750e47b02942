package memory

import (
	"context"
	"log/slog"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/entities"
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

// Options tunes a Service. The zero value works.
type Options struct {
	MinLength    int           // characters, for what an agent says of its own accord; default 50
	MaxLength    int           // characters; default 50 000
	MinLetters   float64       // share of letters among the characters; default 0.3
	MinRelevance float64       // of a recalled memory; default 0.15
	Skew         time.Duration // how far a clock of a caller may run ahead; default 5 minutes
	EmbedTimeout time.Duration // how long recall waits for the vector of its question; default 3 seconds

	SessionTTL   time.Duration // after its last write a session is over, and its objects with it; default 24 hours
	TaskTTL      time.Duration // likewise a task; default 30 days
	RefreshOnUse bool          // being recalled counts as a confirmation, for what fades
	TrackUse     bool          // recall keeps when an object was last used

	IgnoreActs bool    // keep "I sold the car" as a text only: carry nothing out that a text does to earlier ones
	MinClaim   float64 // confidence from which a claim that a text makes is attached to it; default 0.85; 1: never

	// Predicates that hold several values at a time, or one, whatever the default says of them: normalised, with
	// underscores for spaces.
	ManyValued, SingleValued []string
}

func (o Options) withDefaults() Options {
	setDefault(&o.MinLength, 50)
	setDefault(&o.MaxLength, 50_000)
	setDefault(&o.MinLetters, 0.3)
	setDefault(&o.MinRelevance, 0.15)
	setDefault(&o.Skew, 5*time.Minute)
	setDefault(&o.EmbedTimeout, 3*time.Second)
	setDefault(&o.MinClaim, 0.85)
	setDefault(&o.SessionTTL, 24*time.Hour)
	setDefault(&o.TaskTTL, 30*24*time.Hour)
	return o
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Service carries out the verbs of memory. Its fields are set once, before use.
type Service struct {
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
	// Entities is the store's registry of who and what memories name, or nil: then no names are resolved.
	Entities entities.Registry
	// Stored is called after new versions were stored; it must not block. It may be nil.
	Stored func()
	// Erased is called after objects were erased, before the caller is answered: what was made of them goes too. It may be
	// nil.
	Erased func(ctx context.Context) error

	uses uses // not written yet

	// turn is held by a writer that lost a race, while it tries again: the losers of this process do not beat each other.
	turn ctxmcp.Lock
}

func (s *Service) now() time.Time { return ctxmcp.Instant(s.Now()) }

func (s *Service) options() Options { return s.Options.withDefaults() }

// visible returns the query for what the caller may see from at: the namespaces that cover it, and the caller's rights.
func visible(by ctxmcp.Caller, at ctxmcp.Scope) Query {
	q := rights(by)
	for _, scope := range at.Ancestors() {
		q.Namespaces = append(q.Namespaces, scope.Namespace())
	}
	return q
}

// within returns the query for what the caller may see below prefix. It returns CodeDenied for a prefix that reaches
// beyond the caller's own.
func within(by ctxmcp.Caller, prefix ctxmcp.Scope) (Query, error) {
	if _, err := by.Resolve(prefix, ctxmcp.Scope{}); err != nil {
		return Query{}, err
	}
	prefix.User = by.User
	q := rights(by)
	q.Under = &prefix
	return q, nil
}

// own returns the query for everything of the caller's, wherever it lives, and for what the whole tenant shares.
func own(by ctxmcp.Caller) Query {
	q := rights(by)
	q.Under = &ctxmcp.Scope{User: by.User}
	q.Namespaces = []string{""}
	return q
}

func rights(by ctxmcp.Caller) Query {
	return Query{Tenant: by.Tenant, Roles: by.Roles, Clearance: by.Ceiling(), Projects: by.Projects}
}
