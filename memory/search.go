package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// small is the number of living versions up to which all of them are candidates: an answer in other words shares none with its question.
const small = 400

// pool is the least number of candidates that each arm of the search may bring; a larger limit brings more.
const pool = 200

// Evidence returns the features of the candidates for the ask, before any gate: for programs that fit the weights of the
// ranking. It returns the errors of Recall.
func (s *recaller) Evidence(ctx context.Context, by ctxmcp.Caller, ask Ask) (*ranking.Evidence, error) {
	if err := cmp.Or(s.checkAsk(&ask), needsQuery(ask)); err != nil {
		return nil, err
	}
	q, _, err := s.recallQuery(by, ask)
	if err != nil {
		return nil, err
	}
	e, _, err := s.evidence(ctx, q, s.read(ask), ask.Limit)
	return e, err
}

// search returns the candidates for a question, best first, one version of each object, with warnings about arms that did
// not run.
func (s *recaller) search(ctx context.Context, q Query, asked ranking.Question, limit int) ([]Memory, []string, error) {
	return s.searchInto(ctx, new(room), q, asked, limit)
}

// room is memory for the candidates of a question, a kilobyte each, of which few are told.
type room struct{ all []Memory }

// rooms lends memory for the candidates of a question until its answer is chosen.
var rooms = sync.Pool{New: func() any { return new(room) }}

// giveBack lets go of the candidates. Nobody may have a part of the room any more.
func (r *room) giveBack() {
	r.empty()
	rooms.Put(r)
}

func (r *room) empty() { clear(r.all[:cap(r.all)]) }

// searchInto is search, whose candidates stand in the room.
func (s *recaller) searchInto(ctx context.Context, r *room, q Query, asked ranking.Question, limit int) ([]Memory, []string, error) {
	e, warnings, err := s.evidence(ctx, q, asked, limit)
	if err != nil {
		return nil, nil, err
	}
	ranked := s.ranked(e)
	r.all = slices.Grow(r.all[:0], len(ranked))[:len(ranked)]
	for i, found := range ranked {
		m := &r.all[i]
		m.Object, m.Relevance, m.Bearing, m.Leading = *found.Object, found.Relevance, found.Bearing, found.Leading
	}
	return r.all, warnings, nil
}

// evidence gathers the candidates for a question, by words, by vectors, by intents and by their neighbours.
func (s *recaller) evidence(ctx context.Context, q Query, asked ranking.Question, limit int) (*ranking.Evidence, []string, error) {
	most := max(pool, limit*2)
	var found ranking.Found
	var names []ranking.Synonym
	var err error
	var misspelt []ranking.Respelling
	if len(asked.Terms) > 0 {
		whole := q
		whole.Whole, whole.AsOf = small, time.Time{}
		if found, names, err = s.searchNames(ctx, whole, asked, most); err != nil {
			return nil, nil, fmt.Errorf("search: %w", err)
		}
		if found.Documents <= small {
			past := asked.AsksPast()
			if asked, misspelt = asked.Respelled(found); len(misspelt) > 0 {
				if past {
					asked = asked.AsFormer()
				}
				if found, names, err = s.searchNames(ctx, whole, asked, most); err != nil {
					return nil, nil, fmt.Errorf("search: %w", err)
				}
			}
		}
		if err = s.withFormer(ctx, q, &found); err != nil {
			return nil, nil, err
		}
	}
	near, warnings, err := s.nearest(ctx, q, asked.Text, most)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range misspelt {
		warnings = append(warnings, fmt.Sprintf("no memory has the word %q: it is read as %q", r.Written, r.Meant))
	}
	meant := ranking.Weigh(near)
	found.Candidates = meant.Join(found.Candidates)
	asked = asked.Among(found)
	if found.Whole = found.Documents <= small; !found.Whole {
		if err = s.withIntents(ctx, q, asked, &found, most); err != nil {
			return nil, nil, fmt.Errorf("search: %w", err)
		}
		if err = s.withNear(ctx, q, asked, &found); err != nil {
			return nil, nil, fmt.Errorf("search: %w", err)
		}
	}
	if found.Candidates, err = s.withContext(ctx, q, asked, found); err != nil {
		return nil, nil, fmt.Errorf("search: %w", err)
	}
	if err := s.withExperience(ctx, q, &found); err != nil {
		return nil, nil, err
	}
	ranking.TranslateEach(found.Candidates, names)
	return ranking.Gather(asked, found, meant), warnings, nil
}

// withIntents adds statements of the kinds that the question asks for.
func (s *recaller) withIntents(ctx context.Context, q Query, asked ranking.Question, found *ranking.Found, most int) error {
	words := slices.Concat(asked.IntentTerms(), asked.LimitTerms(), asked.AgendaTerms())
	if len(words) == 0 {
		return nil
	}
	more, err := s.Store.Search(ctx, q, words, most)
	if err != nil {
		return err
	}
	found.Candidates = joined(found.Candidates, more.Candidates)
	return nil
}

// The neighbourhood that withContext looks at.
const (
	lookAround = 100 // candidates, the best by their own words
	reach      = 2   // places before and after each
)

// withContext returns the candidates with the statements around the best of them, in the order of Compare: an answer often
// holds no word of the question, and stands next to one that does.
func (s *recaller) withContext(ctx context.Context, q Query, asked ranking.Question, found ranking.Found) ([]ranking.Candidate, error) {
	all := found.Candidates
	if places := placesAround(asked, found); len(places) > 0 {
		around, err := s.Store.Around(ctx, q, places)
		if err != nil {
			return nil, err
		}
		all = append(all, around...)
	}
	slices.SortFunc(all, func(a, b ranking.Candidate) int { return compareRefs(a.Object, b.Object) })
	return all, nil
}

// placesAround returns the places around the best candidates that no candidate has.
func placesAround(asked ranking.Question, found ranking.Found) (places []ranking.Place) {
	all := found.Candidates
	if !slices.ContainsFunc(all, func(c ranking.Candidate) bool { return c.Object.SessionID != "" }) { // there is nothing beside any of them
		return nil
	}
	bm25 := ranking.NewBM25(asked.Terms, found)
	best := make([]float64, len(all))
	order := make([]int, len(all))
	held := map[ranking.Place]bool{}
	for i, c := range all {
		best[i], order[i] = bm25.Score(c.Terms), i
		held[ranking.Place{Session: ranking.SessionKey(c.Object), Position: c.Position}] = true
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(best[b], best[a]), compareRefs(all[a].Object, all[b].Object))
	})
	for _, i := range order[:min(len(order), lookAround)] {
		key := ranking.SessionKey(all[i].Object)
		for away := -reach; away <= reach && key != ""; away++ {
			p := ranking.Place{Session: key, Position: all[i].Position + away}
			if !held[p] {
				held[p] = true
				places = append(places, p)
			}
		}
	}
	return places
}

// nearest returns the versions whose vectors are nearest to the question's, best first, or a warning why some or all are
// searched by words only.
func (s *recaller) nearest(ctx context.Context, q Query, question string, most int) ([]ranking.Near, []string, error) {
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
