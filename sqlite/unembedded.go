package sqlite

import (
	"context"
	"database/sql"
	"sync"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

const (
	scopesWritten = `
SELECT scope, last_seq
FROM scopes
WHERE documents > 0
ORDER BY scope
`
	unembedded = `
SELECT ` + columns + `, v.id
FROM versions AS v NOT INDEXED
WHERE v.id > :after AND v.id <= :to
  AND NOT EXISTS (
    SELECT 1
    FROM vectors AS x INDEXED BY sqlite_autoindex_vectors_1
    WHERE x.id = v.id AND x.model = :model)
ORDER BY v.id
LIMIT CAST(:limit AS BIGINT)
`
	firstUnembedded = `
SELECT coalesce(min(id), :beyond)
FROM (
  SELECT v.id
  FROM versions AS v NOT INDEXED
  WHERE v.id > :after AND v.id <= :to
    AND NOT EXISTS (
      SELECT 1
      FROM vectors AS x INDEXED BY sqlite_autoindex_vectors_1
      WHERE x.id = v.id AND x.model = :model AND x.dimension IN (0, :dimension))
  ORDER BY v.id
  LIMIT 1
) AS lacking
`
	someUnembedded = `
SELECT EXISTS (
  SELECT 1
  FROM versions AS v NOT INDEXED
  WHERE v.id >= :from AND v.id <= :to
    AND NOT EXISTS (
      SELECT 1
      FROM vectors AS x INDEXED BY sqlite_autoindex_vectors_1
      WHERE x.id = v.id AND x.model = :model AND x.dimension IN (0, :dimension))` + filter + `)
`
	forgetRefusals = `DELETE FROM vectors INDEXED BY vectors_refused WHERE model = ? AND dimension = 0`
)

// marks remember up to which row id every version of a scope has a vector, so that a version embedded long ago is not
// looked through again. A vector goes only with its version: but for refusals, no mark ever falls.
type marks struct {
	mu   sync.Mutex
	upTo map[followed]int64
}

type followed struct {
	scope     int64
	model     string
	dimension int // 0: any
}

// of returns the mark, which is the lower end of the scope where nothing is known yet.
func (m *marks) of(k followed) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return max(m.upTo[k], k.scope<<32)
}

func (m *marks) raise(k followed, id int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.upTo == nil {
		m.upTo = map[followed]int64{}
	}
	m.upTo[k] = max(m.upTo[k], id)
}

// reset forgets the marks of a model.
func (m *marks) reset(model string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k := range m.upTo {
		if k.model == model {
			delete(m.upTo, k)
		}
	}
}

// Unembedded implements memory.VectorStore.
func (s *Store) Unembedded(ctx context.Context, model string, limit int) ([]ctxmcp.ContextObject, error) {
	ctx = seeingAll(ctx)
	var found []ctxmcp.ContextObject
	err := inTx(ctx, s.reads, func(tx *sql.Tx) error {
		ends, err := lastWritten(ctx, tx)
		if err != nil {
			return err
		}
		for _, end := range ends {
			if len(found) == limit {
				return nil
			}
			more, err := s.unembeddedIn(ctx, tx, followed{scope: end >> 32, model: model}, end, limit-len(found))
			if err != nil {
				return err
			}
			found = append(found, more...)
		}
		return nil
	})
	return found, wrap("find what to embed", err)
}

// lastWritten returns the last row id of every scope.
func lastWritten(ctx context.Context, tx *sql.Tx) ([]int64, error) {
	rows, err := tx.QueryContext(ctx, scopesWritten)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ends []int64
	for rows.Next() {
		var scope, last int64
		if err := rows.Scan(&scope, &last); err != nil {
			return nil, err
		}
		ends = append(ends, scope<<32|last)
	}
	return ends, rows.Err()
}

// unembeddedIn returns versions of a scope up to a row id, and raises the mark to before the first of them.
func (s *Store) unembeddedIn(ctx context.Context, tx *sql.Tx, k followed, to int64, limit int) ([]ctxmcp.ContextObject, error) {
	after := s.marks.of(k)
	if after >= to {
		return nil, nil
	}
	rows, err := tx.QueryContext(ctx, unembedded, sql.Named("after", after), sql.Named("to", to),
		sql.Named("model", k.model), sql.Named("limit", limit))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []row
	complete := to
	for rows.Next() {
		var id int64
		r, err := scanRow(rows, &id)
		if err != nil {
			return nil, err
		}
		complete = min(complete, id-1)
		all = append(all, r)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	s.marks.raise(k, complete)
	return s.sealing.Load().objects(ctx, all)
}

// missing reports whether some version that q selects has no vector of the model and the dimension, nor was refused.
func (s *Store) missing(ctx context.Context, tx *sql.Tx, q memory.Query, places []place, model string, dimension int) (bool, error) {
	for _, p := range places {
		k, to := followed{p.scope, model, dimension}, p.scope<<32|p.last
		after := s.marks.of(k)
		if after >= to || p.documents == 0 {
			continue
		}
		args := []any{sql.Named("to", to), sql.Named("model", model), sql.Named("dimension", dimension)}
		var first int64
		if err := tx.QueryRowContext(ctx, firstUnembedded, append(args, sql.Named("after", after), sql.Named("beyond", to+1))...).Scan(&first); err != nil {
			return false, err
		}
		s.marks.raise(k, first-1)
		if first > to {
			continue
		}
		var some bool
		args = append(append(args, sql.Named("from", first)), s.sealing.Load().arguments(q, []int64{p.scope})...)
		if err := tx.QueryRowContext(ctx, someUnembedded, args...).Scan(&some); err != nil || some {
			return some, err
		}
	}
	return false, nil
}

// Retry implements memory.VectorStore.
func (s *Store) Retry(ctx context.Context, model string) error {
	err := s.do(ctx, operation{
		check: func(*batch) error { return nil },
		write: func(b *batch) error { return b.exec(forgetRefusals, model) },
	})
	s.marks.reset(model)
	return wrap("forget what was refused", err)
}
