package artifacts

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// Options tunes a Service. The zero value works.
type Options struct {
	Keep    int           // artifacts of a home that a sweep leaves; default 100
	SweepAt int           // artifacts of a home beyond which it is swept; default 150
	MaxAge  time.Duration // after which an artifact is retired; zero: never
	MaxSize int           // bytes of one artifact; default 64 MiB
}

func (o Options) withDefaults() Options {
	o.Keep = cmp.Or(o.Keep, 100)
	o.SweepAt = cmp.Or(o.SweepAt, 150)
	o.MaxSize = cmp.Or(o.MaxSize, 64<<20)
	return o
}

// Lineage knows which task descends from which.
type Lineage interface {
	// Lineage returns the task, its parent, the parent of that and so on, as they are visible from the scope.
	Lineage(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, task string) ([]string, error)
}

// Sealer encrypts the originals that are kept beside the redacted bytes, and opens them again.
type Sealer interface {
	Seal(content []byte) ([]byte, error)
	Unseal(sealed []byte) ([]byte, error)
}

// Service carries out the verbs of artifacts. Its fields are set once, before use.
type Service struct {
	Index   Index
	Keeper  Keeper
	Blobs   Blobs
	Counter tokens.Counter
	// Redact hides the secrets of a text of the tenant. It is asked before anything is stored.
	Redact  redact.Func
	Lineage Lineage // nil: no task descends from another
	Sealer  Sealer  // nil: no originals are kept
	Now     func() time.Time
	NewID   func() string // a fresh UUID
	Logger  *slog.Logger
	Options Options

	kept atomic.Int64 // artifacts since the start
}

func (s *Service) options() Options { return s.Options.withDefaults() }

func (s *Service) now() time.Time { return ctxmcp.Instant(s.Now()) }

// Visible returns the query for what the caller may see from at: what lives in a namespace that covers it, or that covers
// the place of a task that the task of at descends from. From within a task, what belongs to a task outside of that lineage
// is left out.
func (s *Service) Visible(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope) (Query, error) {
	q := Query{Tenant: by.Tenant, Clearance: by.Ceiling(), Projects: by.Projects}
	if at.Task != "" {
		q.Tasks = []string{at.Task}
		if s.Lineage != nil {
			var err error
			if q.Tasks, err = s.Lineage.Lineage(ctx, by, at, at.Task); err != nil {
				return q, err
			}
		}
	}
	seen := map[string]bool{}
	add := func(at ctxmcp.Scope) {
		for _, outer := range at.Ancestors() {
			if name := outer.Namespace(); !seen[name] {
				seen[name] = true
				q.Namespaces = append(q.Namespaces, name)
			}
		}
	}
	add(at)
	for _, task := range q.Tasks {
		at.Task = task
		add(at)
	}
	return q, nil
}

// Find returns the artifacts with the ids, or the URIs, that the caller may see from at, in the order of the ids. It returns
// CodeNotFound, with the id, for one that does not exist for the caller.
func (s *Service) Find(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ids ...string) ([]ctxmcp.Artifact, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	q, err := s.Visible(ctx, by, at)
	if err != nil {
		return nil, err
	}
	ids = slices.Clone(ids)
	for i, name := range ids {
		ids[i] = ctxmcp.ArtifactID(name)
	}
	q.IDs = ids
	found, err := s.Select(ctx, q)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]ctxmcp.Artifact, len(found))
	for _, a := range found {
		byID[a.ID] = a
	}
	if len(byID) < len(ids) && at.Session == "" {
		if err := s.findMovedOut(ctx, q, at, byID); err != nil {
			return nil, err
		}
	}
	ordered := make([]ctxmcp.Artifact, len(ids))
	for i, id := range ids {
		a, ok := byID[id]
		if !ok {
			return nil, missing(id)
		}
		ordered[i] = a
	}
	return ordered, nil
}

func missing(id string) error {
	return ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no artifact %q here", ctxmcp.Clip(id, ctxmcp.MaxIDLength)).
		WithHint("check the id, and the scope: an artifact is seen from the session and the task that it belongs to")
}

// movedOut are the types of the artifacts that a reduced conversation names. Their ids follow from the place and the content.
var movedOut = []string{"history", "tool_result"}

// findMovedOut adds what a conversation of the caller's names in place of its messages, whatever its session: who reads the conversation
// knows the id, and seldom the session.
func (s *Service) findMovedOut(ctx context.Context, q Query, at ctxmcp.Scope, byID map[string]ctxmcp.Artifact) error {
	q.Everywhere = true
	found, err := s.Select(ctx, q)
	for _, a := range found {
		if slices.Contains(movedOut, a.Type) && a.Home.Agrees(at) && a.Home.User == at.User {
			byID[a.ID] = a
		}
	}
	return err
}

// Select returns the artifacts that a query of Visible selects, each checked once more: a store that errs causes an
// internal error, not a leak.
func (s *Service) Select(ctx context.Context, q Query) ([]ctxmcp.Artifact, error) {
	found, err := s.Index.FindArtifacts(ctx, q)
	if err != nil {
		return nil, err
	}
	for _, a := range found {
		if !q.Match(a) {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInternal, "the index returned an artifact that was not asked for")
		}
	}
	return found, nil
}
