package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// pool is how many candidates each arm of the search may bring, at least; a larger limit brings more.
const pool = 200

// candidates returns what may answer the ask, best first, one version of each object, with warnings about arms that did
// not run.
func (s *Service) candidates(ctx context.Context, q Query, ask Ask) ([]Memory, []string, error) {
	most := max(pool, ask.Limit*2)
	var found Found
	var names []synonym
	var err error
	if terms := ask.terms(); len(terms) > 0 {
		if found, names, err = s.searchNames(ctx, q, ask.Query, terms, most); err != nil {
			return nil, nil, fmt.Errorf("search: %w", err)
		}
	}
	near, warnings, err := s.nearest(ctx, q, ask.Query, most)
	if err != nil {
		return nil, nil, err
	}
	meant := weigh(near)
	found.Candidates = meant.join(found.Candidates)
	asked := read(ask.Query, orElse(ask.ReferenceTime, s.now()), found)
	if err = s.withKinds(ctx, q, asked, &found, most); err != nil {
		return nil, nil, fmt.Errorf("search: %w", err)
	}
	if found.Candidates, err = s.withContext(ctx, q, asked, found); err != nil {
		return nil, nil, fmt.Errorf("search: %w", err)
	}
	translateEach(found.Candidates, names)
	return rank(gather(asked, found, meant)), warnings, nil
}

// scored is the best version of an object, with the weighted sum of its features.
type scored struct {
	object           *ctxmcp.ContextObject
	relevance, score float64
}

// rank returns one version of each object, best first.
func rank(e *evidence) []Memory {
	totals, best := e.totals()
	certainty := e.certainty()
	versions := map[string]scored{}
	for i, total := range totals {
		v := scored{object: &e.found.Candidates[i].Object, score: total}
		if best > 0 {
			v.relevance = total / best * certainty
		}
		if held, ok := versions[v.object.ObjectID]; !ok || v.score >= held.score {
			versions[v.object.ObjectID] = v
		}
	}
	all := slices.SortedFunc(maps.Values(versions), better)
	out := make([]Memory, len(all))
	for i, v := range all {
		out[i] = Memory{Object: *v.object, Relevance: v.relevance}
	}
	return out
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

// withKinds adds what is said in the words of the kinds that the question asks for.
func (s *Service) withKinds(ctx context.Context, q Query, asked question, found *Found, most int) error {
	var words []string
	for _, c := range asked.cues {
		words = append(words, c.words...)
	}
	if len(words) == 0 {
		return nil
	}
	words = append(words, slices.Sorted(maps.Keys(asked.related))...)
	more, err := s.Store.Search(ctx, q, words, most)
	if err != nil {
		return err
	}
	held := map[VersionKey]bool{}
	for _, c := range found.Candidates {
		held[KeyOf(c.Object)] = true
	}
	for _, c := range more.Candidates {
		if !held[KeyOf(c.Object)] {
			found.Candidates = append(found.Candidates, c)
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

// nearest returns the versions whose vectors are nearest to the question's, best first, or a warning why some or all are
// searched by words only.
func (s *Service) nearest(ctx context.Context, q Query, question string, most int) ([]Near, []string, error) {
	if s.Embedder == nil {
		return nil, nil, nil
	}
	timed, cancel := context.WithTimeout(ctx, s.options().EmbedTimeout)
	defer cancel()
	redacted, _, err := s.Redact(timed, q.Tenant, question)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, []string{"searched by words only: there was no time for the question's embedding"}, nil
	} else if err != nil {
		return nil, nil, err
	}
	vectors, err := s.Embedder.Embed(timed, []string{redacted})
	if ctx.Err() != nil {
		return nil, nil, fmt.Errorf("recall: %w", ctx.Err())
	}
	if err != nil {
		s.Logger.Warn("recall without vectors", "error", err)
		return nil, []string{"searched by words only: the embeddings endpoint did not answer"}, nil
	}
	near, missing, err := s.Vectors.Nearest(ctx, q, s.Embedder.Model(), vectors[0], most)
	if err != nil {
		return nil, nil, fmt.Errorf("search by vector: %w", err)
	}
	if missing {
		return near, []string{"some memories were searched by words only: their embeddings are still being made"}, nil
	}
	return near, nil, nil
}
