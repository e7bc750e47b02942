package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// pool is how many candidates each arm of the search may bring, at least; a larger limit brings more.
const pool = 200

// vectorShare is the weight of the vector arm where both arms know a candidate: the sum of normalised scores.
const vectorShare = 0.5

// candidates returns what may answer the ask, best first, one version of each object, with warnings about arms that did
// not run.
func (s *Service) candidates(ctx context.Context, q Query, ask Ask) ([]Memory, []string, error) {
	most := max(pool, ask.Limit*2)
	found := map[string]*arms{}
	if err := s.byWords(ctx, q, ask, most, found); err != nil {
		return nil, nil, err
	}
	warnings, err := s.byVectors(ctx, q, ask.Query, most, found)
	if err != nil {
		return nil, nil, err
	}
	memories := make([]scored, 0, len(found))
	for _, a := range found {
		memories = append(memories, a.fuse())
	}
	slices.SortFunc(memories, better)
	out := make([]Memory, len(memories))
	for i, m := range memories {
		out[i] = Memory{Object: m.object, Relevance: m.relevance}
	}
	return out, warnings, nil
}

// arms holds what the arms of the search say of one object.
type arms struct {
	object   ctxmcp.ContextObject
	score    float64 // weighted sum of the features
	lexical  float64 // relevance by words, in [0, 1]
	semantic float64 // relevance by vector, in [0, 1]; negative where the object has no vector
}

type scored struct {
	object           ctxmcp.ContextObject
	relevance, score float64
}

// fuse combines the arms. An object without a vector stands on its words alone.
func (a *arms) fuse() scored {
	if a.semantic < 0 {
		return scored{a.object, a.lexical, a.score}
	}
	return scored{a.object, (1-vectorShare)*a.lexical + vectorShare*a.semantic, a.score}
}

// better orders by relevance, then by score where relevance is at its ceiling, then by authority, by the later beginning
// and by id, so that the order is total.
func better(a, b scored) int {
	return cmp.Or(
		cmp.Compare(b.relevance, a.relevance), cmp.Compare(b.score, a.score),
		cmp.Compare(a.object.Authority, b.object.Authority), b.object.ValidFrom.Compare(a.object.ValidFrom),
		cmp.Compare(a.object.ObjectID, b.object.ObjectID), cmp.Compare(a.object.Version, b.object.Version),
	)
}

func (s *Service) byWords(ctx context.Context, q Query, ask Ask, most int, into map[string]*arms) error {
	terms := ask.terms()
	if len(terms) == 0 {
		return nil
	}
	found, names, err := s.searchNames(ctx, q, ask.Query, terms, most)
	if err != nil {
		return fmt.Errorf("search: %w", err)
	}
	asked := read(ask.Query, orElse(ask.ReferenceTime, s.now()), found)
	if found.Candidates, err = s.withContext(ctx, q, asked, found); err != nil {
		return fmt.Errorf("search: %w", err)
	}
	translateEach(found.Candidates, names)
	e := gather(asked, found)
	totals, best := e.totals()
	certainty := e.certainty()
	for i, c := range found.Candidates {
		a := into[c.Object.ObjectID]
		if a == nil {
			a = &arms{object: c.Object, semantic: -1}
			into[c.Object.ObjectID] = a
		}
		if best > 0 && totals[i] >= a.score {
			a.object, a.score, a.lexical = c.Object, totals[i], totals[i]/best*certainty
		}
	}
	return nil
}

// The neighbourhood that withContext looks at.
const (
	lookAround = 100 // candidates, the best by their own words
	reach      = 2   // places before and after each
)

// withContext returns the candidates with what was said around the best of them, in the order of Compare: an answer often
// holds no word of the question, and stands next to one that does.
func (s *Service) withContext(ctx context.Context, q Query, asked question, found Found) ([]Candidate, error) {
	rank := newBM25(asked.terms, found)
	all := found.Candidates
	best := make([]float64, len(all))
	order := make([]int, len(all))
	held := map[Place]bool{}
	for i, c := range all {
		best[i], order[i] = rank.score(c.Terms), i
		held[Place{SessionKey(c.Object), c.Position}] = true
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(best[b], best[a]), Compare(all[a].Object, all[b].Object))
	})
	var places []Place
	for _, i := range order[:min(len(order), lookAround)] {
		key := SessionKey(all[i].Object)
		for away := -reach; away <= reach && key != ""; away++ {
			p := Place{key, all[i].Position + away}
			if !held[p] {
				held[p] = true
				places = append(places, p)
			}
		}
	}
	if len(places) > 0 {
		around, err := s.Store.Around(ctx, q, places)
		if err != nil {
			return nil, err
		}
		all = append(all, around...)
	}
	slices.SortFunc(all, func(a, b Candidate) int { return Compare(a.Object, b.Object) })
	return all, nil
}

func (s *Service) byVectors(ctx context.Context, q Query, question string, most int, into map[string]*arms) ([]string, error) {
	if s.Embedder == nil {
		return nil, nil
	}
	timed, cancel := context.WithTimeout(ctx, s.options().EmbedTimeout)
	defer cancel()
	redacted, _ := s.Redact(q.Tenant, question)
	vectors, err := s.Embedder.Embed(timed, []string{redacted})
	if ctx.Err() != nil {
		return nil, fmt.Errorf("recall: %w", ctx.Err())
	}
	if err != nil {
		s.Logger.Warn("recall without vectors", "error", err)
		return []string{"searched by words only: the embeddings endpoint did not answer"}, nil
	}
	near, missing, err := s.Vectors.Nearest(ctx, q, s.Embedder.Model(), vectors[0], most)
	if err != nil {
		return nil, fmt.Errorf("search by vector: %w", err)
	}
	for _, n := range near {
		a := into[n.Object.ObjectID]
		if a == nil {
			a = &arms{object: n.Object, semantic: -1}
			into[n.Object.ObjectID] = a
		}
		a.semantic = max(a.semantic, n.Similarity, 0)
	}
	if missing {
		return []string{"some memories were searched by words only: their embeddings are still being made"}, nil
	}
	return nil, nil
}
