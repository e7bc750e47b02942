package inmem

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/quota"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
	"github.com/ctx-mcp/ctx-mcp/tasks"
)

// Store is a memory.Store, a memory.VectorStore, an entities.Registry, an access.Store, an artifacts.Index, a
// tasks.Store, a packets.Store, a receipts.Log and an actions.Store. The zero value is empty and ready.
type Store struct {
	limits  quota.Limits // set before use
	mu      sync.RWMutex // guards all below
	rows    []ctxmcp.ContextObject
	places  map[rowKey]int                  // position of a version in its session
	last    map[string]int                  // tenant and session -> last position given out
	vectors map[rowKey]map[string][]float32 // by model; nil: refused
	replays map[memory.Key]memory.Replay
	audit   []memory.Event
	nodes   []entities.Entity    // versions, in the order in which they were made
	named   []entities.Reference // in the order of entities.CompareReferences
	tokens  map[string]access.Token
	reviews []memory.Review
	due     map[rowKey]time.Time // when a version may have had its time

	experiences map[experienceKey]memory.Experience

	artifacts []ctxmcp.Artifact
	pins      []artifacts.Pin
	answers   map[answerKey]string // digest of the result
	tasks     []tasks.State
	prefixes  map[ctxmcp.PrefixKey]ctxmcp.Prefix
	packets   []packets.Record

	receipts    []receipts.Entry // in the order of their index
	receiptTree map[int64][32]byte
	receiptEnd  receipts.End
	receiptAt   map[receipts.Key]int                 // place in receipts
	receiptEnds map[receipts.Key]receipts.SessionEnd // without ID
	actions     map[actions.Key]actionLog
}

var (
	_ memory.Store       = (*Store)(nil)
	_ memory.VectorStore = (*Store)(nil)
	_ entities.Registry  = (*Store)(nil)
)

type rowKey struct {
	tenant string
	key    ctxmcp.VersionKey
}

// Trail returns the events of the audit trail in the order in which they came.
func (s *Store) Trail(context.Context) ([]ctxmcp.Event, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.audit), nil
}

// Find implements memory.Store.
func (s *Store) Find(_ context.Context, q memory.Query) ([]ctxmcp.ContextObject, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.find(q), nil
}

func (s *Store) find(q memory.Query) []ctxmcp.ContextObject {
	var out []ctxmcp.ContextObject
	for _, o := range s.rows {
		if q.Match(o) {
			out = append(out, o.Clone())
		}
	}
	return q.Sort(out)
}

// Count implements memory.Store.
func (s *Store) Count(_ context.Context, q memory.Query) (int, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	objects := map[string]bool{}
	for _, o := range s.rows {
		if q.Match(o) {
			objects[o.ObjectID] = true
		}
	}
	return len(objects), nil
}

// Search implements memory.Store. It returns every candidate.
func (s *Store) Search(_ context.Context, q memory.Query, terms []string, _ int) (ranking.Found, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	found := ranking.Found{Frequency: map[string]int{}, Sessions: map[string]int{}}
	authors := map[string]bool{}
	place := memory.Query{
		Tenant: q.Tenant, Namespaces: q.Namespaces, Under: q.Under, Everywhere: q.Everywhere, Projects: q.Projects,
		Clearance: ctxmcp.HighlyRestricted, EveryVersion: true, Archived: true,
	}
	for _, o := range s.rows {
		if !place.Match(withoutRoles(o)) {
			continue
		}
		doc := memory.IndexedTerms(o)
		found.Documents++
		found.Length += len(doc)
		if key := ranking.SessionKey(&o); key != "" {
			found.Sessions[key] += len(doc)
		}
		if o.Author != "" {
			authors[o.Author] = true
		}
		for _, t := range terms {
			if slices.Contains(doc, t) {
				found.Frequency[t]++
			}
		}
		if q.Match(o) {
			found.Candidates = append(found.Candidates, ranking.Candidate{Object: new(o.Clone()), Terms: doc, Position: s.places[keyOf(o)]})
		}
	}
	if found.Documents > q.Whole {
		found.Candidates = slices.DeleteFunc(found.Candidates, func(c ranking.Candidate) bool {
			return !slices.ContainsFunc(terms, func(t string) bool { return slices.Contains(c.Terms, t) })
		})
	}
	found.Authors = slices.Sorted(maps.Keys(authors))
	return found, nil
}

// Around implements memory.Store.
func (s *Store) Around(_ context.Context, q memory.Query, places []ranking.Place) ([]ranking.Candidate, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found []ranking.Candidate
	for _, o := range s.rows {
		at := ranking.Place{Session: ranking.SessionKey(&o), Position: s.places[keyOf(o)]}
		if at.Session != "" && slices.Contains(places, at) && q.Match(o) {
			found = append(found, s.candidate(o))
		}
	}
	return found, nil
}

// withoutRoles returns o as everyone may see it: statistics count all memories of a place, visible or not.
func withoutRoles(o ctxmcp.ContextObject) ctxmcp.ContextObject {
	o.PermissionScope = ctxmcp.PermissionScope{}
	return o
}

// Replay implements memory.Store.
func (s *Store) Replay(_ context.Context, key memory.Key) (*memory.Replay, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if r, ok := s.replays[key]; ok {
		return &r, nil
	}
	return nil, nil
}

// Unembedded implements memory.VectorStore.
func (s *Store) Unembedded(_ context.Context, model string, limit int) ([]ctxmcp.ContextObject, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []ctxmcp.ContextObject
	for _, o := range s.rows {
		if _, done := s.vectors[keyOf(o)][model]; !done {
			out = append(out, o.Clone())
		}
	}
	return out[:min(len(out), limit)], nil
}

// Nearest implements memory.VectorStore.
func (s *Store) Nearest(_ context.Context, q memory.Query, model string, v []float32, most int) ([]ranking.Near, bool, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var near []ranking.Near
	missing := false
	for _, o := range s.rows {
		if !q.Match(o) {
			continue
		}
		have, done := s.vectors[keyOf(o)][model]
		if len(have) != len(v) {
			missing = missing || !done || len(have) > 0
			continue
		}
		near = append(near, ranking.Near{Candidate: s.candidate(o), Similarity: memory.Cosine(v, have)})
	}
	slices.SortFunc(near, func(a, b ranking.Near) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), memory.Compare(*a.Object, *b.Object))
	})
	return near[:min(len(near), most)], missing, nil
}

// Retry implements memory.VectorStore.
func (s *Store) Retry(_ context.Context, model string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, of := range s.vectors {
		if v, done := of[model]; done && len(v) == 0 {
			delete(of, model)
		}
	}
	return nil
}

func (s *Store) candidate(o ctxmcp.ContextObject) ranking.Candidate {
	return ranking.Candidate{Object: new(o.Clone()), Terms: memory.IndexedTerms(o), Position: s.places[keyOf(o)]}
}

func keyOf(o ctxmcp.ContextObject) rowKey { return rowKey{o.TenantID, ctxmcp.KeyOf(o)} }

// later returns the later of two instants.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
