package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/memory"
)

const (
	frequencyInScope = `
SELECT count(*)
FROM search
WHERE search MATCH :match AND rowid BETWEEN :from AND :to
`
	// The full-text side is the outer loop: driven from the other side, FTS5 is asked once for each version.
	searchInScope = `
SELECT ` + columns + `, t.terms
FROM (
  SELECT rowid AS id, bm25(search) AS rank
  FROM search
  WHERE search MATCH :match AND rowid BETWEEN :from AND :to
) AS hit
CROSS JOIN versions AS v
CROSS JOIN texts AS t
WHERE v.id = hit.id AND t.id = hit.id` + filter + `
ORDER BY hit.rank, hit.id
LIMIT :most
`
)

// Search implements memory.Store.
func (s *Store) Search(ctx context.Context, q memory.Query, terms []string, most int) (memory.Found, error) {
	found := memory.Found{Frequency: map[string]int{}}
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
			if err := searchScope(ctx, tx, p, q, terms, most, &found); err != nil {
				return err
			}
		}
		return nil
	})
	return found, wrap("search", err)
}

func searchScope(ctx context.Context, tx *sql.Tx, p place, q memory.Query, terms []string, most int, found *memory.Found) error {
	from, to := p.span()
	known := make([]string, 0, len(terms))
	for _, t := range terms {
		var n int
		err := tx.QueryRowContext(ctx, frequencyInScope, sql.Named("match", quote(t)), sql.Named("from", from), sql.Named("to", to)).Scan(&n)
		if err != nil {
			return err
		}
		found.Frequency[t] += n
		if n > 0 {
			known = append(known, quote(t))
		}
	}
	if len(known) == 0 {
		return nil
	}
	args := append(arguments(q, []int64{p.scope}), sql.Named("match", strings.Join(known, " OR ")),
		sql.Named("from", from), sql.Named("to", to), sql.Named("most", most))
	rows, err := tx.QueryContext(ctx, searchInScope, args...)
	if err != nil {
		return err
	}
	return collectCandidates(rows, found)
}

func collectCandidates(rows *sql.Rows, found *memory.Found) error {
	defer rows.Close()
	for rows.Next() {
		var terms string
		o, err := scanObject(rows, &terms)
		if err != nil {
			return err
		}
		found.Candidates = append(found.Candidates, memory.Candidate{Object: o, Terms: strings.Fields(terms)})
	}
	return rows.Err()
}

// quote returns a term as an FTS5 string. A term holds no quote, by the invariant of package analysis; one that did
// would be doubled.
func quote(term string) string { return `"` + strings.ReplaceAll(term, `"`, `""`) + `"` }
