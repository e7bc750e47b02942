package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/memory"
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
	frequencyInScope = `
SELECT count(*)
FROM search
WHERE search MATCH :match AND rowid BETWEEN :from AND :to
`
	// The full-text side is the outer loop: driven from the other side, FTS5 is asked once for each version.
	searchInScope = `
SELECT ` + columns + `, t.terms, v.position
FROM (
  SELECT rowid AS id, bm25(search) AS rank
  FROM search
  WHERE search MATCH :match AND rowid BETWEEN :from AND :to
  ORDER BY rank, rowid
  LIMIT :window
) AS hit
CROSS JOIN versions AS v
CROSS JOIN texts AS t
WHERE v.id = hit.id AND t.id = hit.id` + filter + `
ORDER BY hit.rank, hit.id
LIMIT :most
`
	atPlaces = `
SELECT ` + columns + `, t.terms, v.position
FROM json_each(:places) AS k
CROSS JOIN versions AS v INDEXED BY versions_by_place
CROSS JOIN texts AS t
WHERE v.session = k.value ->> 'session' AND v.position = k.value ->> 'position' AND v.id >> 32 = k.value ->> 'scope'
  AND t.id = v.id` + filter
)

// Search implements memory.Store.
func (s *Store) Search(ctx context.Context, q memory.Query, terms []string, most int) (memory.Found, error) {
	found := memory.Found{Frequency: map[string]int{}, Sessions: map[string]int{}}
	if len(terms) == 0 {
		return found, nil
	}
	err := inTx(ctx, s.reads, func(tx *sql.Tx) error {
		places, err := scopesOf(ctx, tx, q)
		if err != nil {
			return err
		}
		for _, p := range places {
			if p.documents == 0 {
				continue
			}
			found.Documents += p.documents
			found.Length += p.length
			if err := describe(ctx, tx, p, &found); err != nil {
				return err
			}
			if err := searchScope(ctx, tx, p, q, terms, most, &found); err != nil {
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
func (s *Store) Around(ctx context.Context, q memory.Query, places []memory.Place) ([]memory.Candidate, error) {
	var found []memory.Candidate
	err := inTx(ctx, s.reads, func(tx *sql.Tx) error {
		scopes, err := scopesOf(ctx, tx, q)
		if err != nil || len(scopes) == 0 {
			return err
		}
		rows, err := tx.QueryContext(ctx, atPlaces, append(arguments(q, numbers(scopes)), sql.Named("places", spots(scopes, places)))...)
		if err != nil {
			return err
		}
		found, err = collectCandidates(rows)
		return err
	})
	return found, wrap("look around", err)
}

// spots returns places as a JSON array, with the numbers of their scopes.
func spots(scopes []place, places []memory.Place) string {
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
func describe(ctx context.Context, tx *sql.Tx, p place, found *memory.Found) error {
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

// searchScope adds what one scope holds. Only the best hits are looked up and filtered, in a window that is widened until
// enough of them pass or all are in it.
func searchScope(ctx context.Context, tx *sql.Tx, p place, q memory.Query, terms []string, most int, found *memory.Found) error {
	from, to := p.span()
	match, hits, err := known(ctx, tx, p, terms, found)
	if err != nil || hits == 0 {
		return err
	}
	for window := widening * most; ; window *= widening {
		args := append(arguments(q, []int64{p.scope}), sql.Named("match", match), sql.Named("from", from),
			sql.Named("to", to), sql.Named("window", window), sql.Named("most", most))
		rows, err := tx.QueryContext(ctx, searchInScope, args...)
		if err != nil {
			return err
		}
		passed, err := collectCandidates(rows)
		if err != nil {
			return err
		}
		if len(passed) >= most || window >= hits {
			found.Candidates = append(found.Candidates, passed...)
			return nil
		}
	}
}

// widening is how many hits are looked up for each candidate that is wanted, and the factor by which that grows.
const widening = 4

// known counts the versions in the scope that hold each term. It returns the terms that any does as a query, and the most
// versions that it can hit.
func known(ctx context.Context, tx *sql.Tx, p place, terms []string, found *memory.Found) (match string, hits int, err error) {
	from, to := p.span()
	var held []string
	for _, t := range terms {
		var n int
		row := tx.QueryRowContext(ctx, frequencyInScope, sql.Named("match", quote(t)), sql.Named("from", from), sql.Named("to", to))
		if err := row.Scan(&n); err != nil {
			return "", 0, err
		}
		found.Frequency[t] += n
		hits += n
		if n > 0 {
			held = append(held, quote(t))
		}
	}
	return strings.Join(held, " OR "), min(hits, p.documents), nil
}

func collectCandidates(rows *sql.Rows) ([]memory.Candidate, error) {
	defer rows.Close()
	var passed []memory.Candidate
	for rows.Next() {
		var terms string
		var position int
		o, err := scanObject(rows, &terms, &position)
		if err != nil {
			return nil, err
		}
		passed = append(passed, memory.Candidate{Object: o, Terms: strings.Fields(terms), Position: position})
	}
	return passed, rows.Err()
}

// candidatesOf returns versions by their row ids.
func candidatesOf(ctx context.Context, tx *sql.Tx, ids []int64) (map[int64]memory.Candidate, error) {
	rows, err := tx.QueryContext(ctx, candidatesByID, sql.Named("ids", array(ids)))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := make(map[int64]memory.Candidate, len(ids))
	for rows.Next() {
		var id int64
		var position int
		var terms string
		o, err := scanObject(rows, &id, &position, &terms)
		if err != nil {
			return nil, err
		}
		found[id] = memory.Candidate{Object: o, Terms: strings.Fields(terms), Position: position}
	}
	return found, rows.Err()
}

// quote returns a term as an FTS5 string. A term holds no quote, by the invariant of package analysis; one that did
// would be doubled.
func quote(term string) string { return `"` + strings.ReplaceAll(term, `"`, `""`) + `"` }
