package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

const (
	sessionsInScope = `
SELECT session, length
FROM sessions
WHERE scope = :scope AND documents > 0
`
	authorsInScope = `
SELECT author
FROM authors
WHERE scope = :scope
`
	textsInScope = `
SELECT id
FROM texts
WHERE id BETWEEN :from AND :to
`
	atPlaces = `
SELECT ` + columns + `, t.terms, v.position
FROM json_each(:places) AS k
CROSS JOIN versions AS v INDEXED BY versions_by_place
CROSS JOIN texts AS t
WHERE v.session = k.value ->> 'session' AND v.position = k.value ->> 'position' AND v.id >> 32 = k.value ->> 'scope'
  AND t.id = v.id` + filter
)

// asked is the question of a search.
type asked struct {
	terms []string
	most  int
	whole bool  // the places are small enough for all that they hold
	at    state // that its transaction sees

	digest func(term string) string // by which the index has the terms of sealed versions; nil: there are none
}

// Search implements memory.Store.
func (s *Store) Search(ctx context.Context, q memory.Query, terms []string, most int) (ranking.Found, error) {
	ctx = seeing(ctx, q.Tenant)
	found := ranking.Found{Frequency: map[string]int{}, Sessions: map[string]int{}}
	if len(terms) == 0 {
		return found, nil
	}
	err := inTx(ctx, s.reads, func(tx *sql.Tx) error {
		places, err := scopesOf(ctx, tx, q)
		if err != nil {
			return err
		}
		a := asked{terms: terms, most: most}
		if s.sealing.Load() != nil {
			a.digest = s.sealing.Load().digests(q.Tenant, kindTerm)
		}
		if a.at, err = s.followErasures(ctx, tx); err != nil {
			return err
		}
		a.at.touched = touches(places)
		if err := s.kept.follow(ctx, tx, a.at.touched); err != nil {
			return err
		}
		for _, p := range places {
			found.Documents += p.documents
			found.Length += p.length
		}
		a.whole = found.Documents <= q.Whole
		places = slices.DeleteFunc(places, func(p place) bool { return p.documents == 0 })
		for _, p := range places {
			if err := describe(ctx, tx, p, &found); err != nil {
				return err
			}
		}
		if len(places) > fewScopes {
			a.most *= fewScopes
			return s.searchScopes(ctx, tx, places, q, a, &found)
		}
		for _, p := range places {
			if err := s.searchScopes(ctx, tx, []place{p}, q, a, &found); err != nil {
				return err
			}
		}
		return nil
	})
	slices.Sort(found.Authors)
	found.Authors = slices.Compact(found.Authors)
	return found, wrap("search", err)
}

// Around implements memory.Store.
func (s *Store) Around(ctx context.Context, q memory.Query, places []ranking.Place) ([]ranking.Candidate, error) {
	ctx = seeing(ctx, q.Tenant)
	var found []ranking.Candidate
	err := inTx(ctx, s.reads, func(tx *sql.Tx) error {
		scopes, err := scopesOf(ctx, tx, q)
		if err != nil || len(scopes) == 0 {
			return err
		}
		rows, err := tx.QueryContext(ctx, atPlaces, append(s.sealing.Load().arguments(q, numbers(scopes)), sql.Named("places", spots(scopes, places)))...)
		if err != nil {
			return err
		}
		found, err = s.sealing.Load().collectCandidates(ctx, rows)
		return err
	})
	return found, wrap("look around", err)
}

// spots returns places as a JSON array, with the numbers of their scopes.
func spots(scopes []place, places []ranking.Place) string {
	number := make(map[string]int64, len(scopes))
	for _, p := range scopes {
		number[p.namespace] = p.scope
	}
	type spot struct {
		Scope    int64  `json:"scope"`
		Session  string `json:"session"`
		Position int    `json:"position"`
	}
	var list []spot
	for _, p := range places {
		namespace, session, _ := strings.Cut(p.Session, "/")
		if scope, ok := number[namespace]; ok {
			list = append(list, spot{scope, session, p.Position})
		}
	}
	return array(list)
}

// describe adds the sessions and the authors of a scope.
func describe(ctx context.Context, tx *sql.Tx, p place, found *ranking.Found) error {
	err := each(ctx, tx, sessionsInScope, p, func(rows *sql.Rows) error {
		var session string
		var length int
		if err := rows.Scan(&session, &length); err != nil {
			return err
		}
		found.Sessions[p.namespace+"/"+session] = length
		return nil
	})
	if err != nil {
		return err
	}
	return each(ctx, tx, authorsInScope, p, func(rows *sql.Rows) error {
		var author string
		if err := rows.Scan(&author); err != nil {
			return err
		}
		found.Authors = append(found.Authors, author)
		return nil
	})
}

// each calls scan for every row that a statement gives for a scope.
func each(ctx context.Context, tx *sql.Tx, statement string, p place, scan func(*sql.Rows) error) error {
	rows, err := tx.QueryContext(ctx, statement, sql.Named("scope", p.scope))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// searchScopes adds the best hits of some scopes together. Only these are looked up and filtered, in a window that is widened until enough
// of them pass or all are in it.
func (s *Store) searchScopes(ctx context.Context, tx *sql.Tx, places []place, q memory.Query, a asked, found *ranking.Found) error {
	for window := widening * a.most; ; window *= widening {
		ids, frequency, err := s.bestOfAll(ctx, tx, places, a, window)
		if err != nil {
			return err
		}
		if window == widening*a.most {
			for i, t := range a.terms {
				found.Frequency[t] += frequency[i]
			}
		}
		if a.whole {
			return s.allOf(ctx, tx, places, q, a, found)
		}
		passed, err := s.passing(ctx, tx, ids, q, a)
		if err != nil {
			return err
		}
		if len(passed) >= a.most || len(ids) < window { // there are no more
			found.Candidates = together(found.Candidates, passed)
			return nil
		}
	}
}

// bestOfAll returns the versions of the scopes that hold any of the terms, best first, at most window, and how many hold each term.
func (s *Store) bestOfAll(ctx context.Context, tx *sql.Tx, places []place, a asked, window int) (ids []int64, frequency []int, err error) {
	frequency = make([]int, len(a.terms))
	var best []scored
	for _, p := range places {
		here, of, err := s.best(ctx, tx, p, a, window)
		if err != nil {
			return nil, nil, err
		}
		for i := range of {
			frequency[i] += of[i]
		}
		if best == nil {
			best = here
		} else {
			best = append(best, here...)
		}
	}
	if len(places) > 1 {
		slices.SortFunc(best, better)
	}
	best = best[:min(len(best), window)]
	ids = make([]int64, len(best))
	for i, h := range best {
		ids[i] = h.id
	}
	return ids, frequency, nil
}

// passing returns the first of the versions, as many as are wanted at most, that q selects.
func (s *Store) passing(ctx context.Context, tx *sql.Tx, ids []int64, q memory.Query, a asked) (passed []ranking.Candidate, err error) {
	passed = make([]ranking.Candidate, 0, min(len(ids), a.most))
	for len(ids) > 0 && len(passed) < a.most {
		part := ids[:min(len(ids), a.most)]
		ids = ids[len(part):]
		all, err := s.versions(ctx, tx, part, a.at)
		if err != nil {
			return nil, err
		}
		for _, c := range all {
			if c != nil && len(passed) < a.most && q.Selects(c.Object) {
				passed = append(passed, *c)
			}
		}
	}
	return passed, nil
}

// allOf adds all that the scopes hold.
func (s *Store) allOf(ctx context.Context, tx *sql.Tx, places []place, q memory.Query, a asked, found *ranking.Found) error {
	for _, p := range places {
		var ids []int64
		from, to := p.span()
		rows, err := tx.QueryContext(ctx, textsInScope, sql.Named("from", from), sql.Named("to", to))
		if err != nil {
			return err
		}
		if ids, err = numbersOf(rows); err != nil {
			return err
		}
		a.most = len(ids)
		all, err := s.passing(ctx, tx, ids, q, a)
		if err != nil {
			return err
		}
		found.Candidates = together(found.Candidates, all)
	}
	return nil
}

// together returns the candidates of both lists: where one is empty, the other as it is.
func together(a, b []ranking.Candidate) []ranking.Candidate {
	if len(a) == 0 {
		return b
	}
	return append(a, b...)
}

// numbersOf returns the only column of the rows.
func numbersOf(rows *sql.Rows) (all []int64, err error) {
	defer rows.Close()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, rows.Err()
}

// fewScopes is the number of scopes that bring all their candidates each: the levels of one place, and a few more. Beyond it, as where a
// person searches a hundred projects, the best of all scopes together are looked up, as many as so few scopes bring.
const fewScopes = 8

// widening is the number of hits that are looked up for each candidate that is wanted, and the factor by which that grows.
const widening = 4

// best returns the versions of a scope that hold any of the terms, best first, at most window, and how many hold each term.
func (s *Store) best(ctx context.Context, tx *sql.Tx, p place, a asked, window int) (best []scored, frequency []int, err error) {
	sp := s.postings.of(p.scope)
	if a.at.erased < s.erased.Load() {
		sp = newScopePostings(p.scope) // tx still sees erased rows, which are not to be kept
		sp.built = true
	}
	defer s.postings.count(sp)
	err = sp.lock.Do(ctx, func() error {
		if !sp.built && (sp.asked >= wholeAfter && p.documents >= wholeFrom || p.documents >= wholeAtOnce) {
			sp.built = true
			s.complete(sp)
		}
		sp.digest = a.digest
		if err := sp.follow(ctx, tx, a.terms, p.last); err != nil {
			return err
		}
		for _, t := range a.terms {
			frequency = append(frequency, len(sp.seqs(t)))
		}
		best = sp.rank(a.terms, p, window)
		return nil
	})
	return best, frequency, err
}

// quote returns a term as an FTS5 string. A term holds no quote, by the invariant of package language; one that did
// would be doubled.
func quote(term string) string { return `"` + strings.ReplaceAll(term, `"`, `""`) + `"` }
