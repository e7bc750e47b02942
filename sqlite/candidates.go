package sqlite

import (
	"context"
	"database/sql"

	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// candidateRow is a version with its row id, its terms in the index, and its place in its session.
type candidateRow struct {
	row
	id       int64
	indexed  string
	position int
}

// candidates returns the candidates of rows, nil where the key is gone.
func (z *sealing) candidates(ctx context.Context, rows []candidateRow) ([]*ranking.Candidate, error) {
	plain := make([]row, len(rows))
	for i, r := range rows {
		plain[i] = r.row
	}
	all, err := z.read(ctx, plain)
	if err != nil {
		return nil, err
	}
	found := make([]*ranking.Candidate, len(rows))
	for i, r := range all {
		if r != nil {
			found[i] = &ranking.Candidate{Object: &r.object, Terms: r.terms(rows[i].indexed), Position: rows[i].position}
		}
	}
	return found, nil
}

func (z *sealing) collectCandidates(ctx context.Context, rows *sql.Rows) ([]ranking.Candidate, error) {
	defer rows.Close()
	var all []candidateRow
	for rows.Next() {
		var c candidateRow
		var err error
		if c.row, err = scanRow(rows, &c.indexed, &c.position); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	found, err := z.candidates(ctx, all)
	var passed []ranking.Candidate
	for _, c := range found {
		if c != nil {
			passed = append(passed, *c)
		}
	}
	return passed, err
}

// candidatesOf returns versions by their row ids.
func (z *sealing) candidatesOf(ctx context.Context, tx *sql.Tx, ids []int64) (map[int64]ranking.Candidate, error) {
	rows, err := tx.QueryContext(ctx, candidatesByID, sql.Named("row_ids", array(ids)))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []candidateRow
	for rows.Next() {
		var c candidateRow
		if c.row, err = scanRow(rows, &c.id, &c.position, &c.indexed); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	candidates, err := z.candidates(ctx, all)
	found := make(map[int64]ranking.Candidate, len(ids))
	for i, c := range candidates {
		if c != nil {
			found[all[i].id] = *c
		}
	}
	return found, err
}
