package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/vectors"
)

// DefaultVectorMemory is how many bytes the copies of vectors in memory take at most.
const DefaultVectorMemory = 512 << 20

// LimitVectorMemory bounds the copies of vectors in memory, in bytes. It is called before the store is used.
func (s *Store) LimitVectorMemory(bytes int64) { s.copies = vectors.NewCache(bytes) }

const (
	vectorChanges = `
SELECT x.id >> 32, x.seq, x.id, x.dimension, x.vector
FROM json_each(:places) AS k
CROSS JOIN vectors AS x INDEXED BY vectors_by_scope
WHERE x.model = :model AND x.id >> 32 = k.value ->> 'scope' AND x.seq > k.value ->> 'seen'
`
	vectorIDs = `
SELECT id
FROM vectors INDEXED BY sqlite_autoindex_vectors_1
WHERE id BETWEEN :from AND :to AND model = :model
`
	// The last number of a scope's vectors. An engine has it behind those that were erased, too.
	lastVector = `
SELECT coalesce(max(seq), 0)
FROM vectors INDEXED BY vectors_by_scope
WHERE model = :model AND id >> 32 = :scope
`
	// The last number of the table of vectors and that of erasures, in the snapshot of the transaction.
	sequences = `
SELECT
  coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'vectors'), 0),
  coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'erasures'), 0)
`
)

// segments returns the segments of the places, with every change that tx sees, whichever process made it. It returns nil if
// they would take too much memory, or if tx began before an erasure that the segments know of.
func (s *Store) segments(ctx context.Context, tx *sql.Tx, places []place, model string, dimension int) ([]*vectors.Segment, error) {
	size := int64(0)
	for _, p := range places {
		size += vectors.Size(p.documents, dimension)
	}
	if size > s.copies.Limit() {
		return nil, nil
	}
	at, err := s.followErasures(ctx, tx)
	if err != nil {
		return nil, err
	}
	held := map[int64]*vectors.Held{}
	var locks []*vectors.Held
	var all []*vectors.Segment
	for _, p := range places { // in the order of their numbers, so that two searches do not wait for each other
		h := s.copies.Get(vectors.Key{Place: p.scope, Model: model, Dimension: dimension})
		held[p.scope] = h
		locks, all = append(locks, h), append(all, h.Segment)
	}
	err = underLocks(ctx, locks, func() error {
		if at.erased < s.erased.Load() {
			all = nil
			return nil
		}
		if err := follow(ctx, tx, model, held); err != nil {
			return err
		}
		for _, h := range held {
			s.copies.Fit(h)
		}
		return nil
	})
	return all, err
}

// underLocks runs do under all of the locks, taken in their order.
func underLocks(ctx context.Context, locks []*vectors.Held, do func() error) error {
	if len(locks) == 0 {
		return do()
	}
	return locks[0].Do(ctx, func() error { return underLocks(ctx, locks[1:], do) })
}

// follow adds to segments the vectors that were written since they were last looked at. The caller holds their locks.
func follow(ctx context.Context, tx *sql.Tx, model string, held map[int64]*vectors.Held) error {
	type since struct {
		Scope int64 `json:"scope"`
		Seen  int64 `json:"seen"`
	}
	var places []since
	for scope, h := range held {
		places = append(places, since{scope, h.Seen})
	}
	rows, err := tx.QueryContext(ctx, vectorChanges, sql.Named("places", array(places)), sql.Named("model", model))
	if err != nil {
		return err
	}
	defer rows.Close()
	news, seen := map[int64]*arrivals{}, map[int64]int64{}
	for rows.Next() {
		var scope, seq, id int64
		var dimension int
		var raw sql.RawBytes
		if err := rows.Scan(&scope, &seq, &id, &dimension, &raw); err != nil {
			return err
		}
		h := held[scope]
		if news[scope] == nil {
			news[scope] = &arrivals{into: h.Segment}
		}
		if dimension == h.Key.Dimension {
			news[scope].add(id, decode(raw))
		}
		seen[scope] = max(seen[scope], seq)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for scope, a := range news {
		a.flush()
		held[scope].Seen = seen[scope] // only now: a change that is not in the segment is read again
	}
	return nil
}

// arrivals puts vectors into a segment, many at a time.
type arrivals struct {
	into    *vectors.Segment
	ids     []int64
	vectors [][]float32
}

func (a *arrivals) add(id int64, v []float32) {
	a.ids, a.vectors = append(a.ids, id), append(a.vectors, v)
	if len(a.ids) == 1024 {
		a.flush()
	}
}

func (a *arrivals) flush() {
	a.into.Put(a.ids, a.vectors)
	a.ids, a.vectors = a.ids[:0], a.vectors[:0]
}

// state is what a transaction sees, as the last numbers of what is numbered.
type state struct {
	vectors, erased int64
	touched         map[int64]int64 // by the scopes of a search
}

// followErasures takes erased versions out of every segment and every posting, and lets go of all that was kept, if tx sees erasures that this
// process has not followed. It returns the state that tx sees.
func (s *Store) followErasures(ctx context.Context, tx *sql.Tx) (at state, err error) {
	if err := tx.QueryRowContext(ctx, sequences).Scan(&at.vectors, &at.erased); err != nil {
		return at, err
	}
	known := s.erased.Load()
	if at.erased <= known || !s.erased.CompareAndSwap(known, at.erased) {
		return at, nil
	}
	s.dropTexts(at.erased)
	left := s.copies.All()
	defer func() { // segments that could not be followed
		for _, h := range left {
			s.copies.Drop(h)
		}
	}()
	for len(left) > 0 {
		if err := s.retain(ctx, tx, left[0], at.vectors); err != nil {
			return at, err
		}
		left = left[1:]
	}
	return at, nil
}

// dropTexts lets go of the words of versions, wherever they are kept. What was read before an erasure is kept no more.
func (s *Store) dropTexts(erased int64) {
	s.postings.drop()
	s.kept.drop(erased)
	decodings.drop()
	s.sealing.Load().drop()
	memory.ForgetTexts()
}

// retain leaves in a segment only the vectors that the database holds. A segment that is ahead of tx cannot be compared with it.
func (s *Store) retain(ctx context.Context, tx *sql.Tx, h *vectors.Held, written int64) error {
	return h.Do(ctx, func() error {
		if s.engine != nil { // numbers of other tenants' vectors say nothing: they are committed in any order
			if err := tx.QueryRowContext(ctx, lastVector, sql.Named("model", h.Key.Model), sql.Named("scope", h.Key.Place)).Scan(&written); err != nil {
				return err
			}
		}
		if h.Seen <= written {
			return retainIn(ctx, tx, h)
		}
		s.copies.Drop(h)
		return nil
	})
}

func retainIn(ctx context.Context, tx *sql.Tx, h *vectors.Held) error {
	from, to := place{scope: h.Key.Place}.span()
	rows, err := tx.QueryContext(ctx, vectorIDs, sql.Named("from", from), sql.Named("to", to), sql.Named("model", h.Key.Model))
	if err != nil {
		return err
	}
	defer rows.Close()
	left := map[int64]bool{}
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		left[id] = true
	}
	if err := rows.Err(); err != nil {
		return err
	}
	h.Segment.Retain(func(id int64) bool { return left[id] })
	return nil
}

// forgetCopies takes the versions that this process has just erased out of its memory, before anybody asks.
func (s *Store) forgetCopies(ctx context.Context) {
	err := contained(func() error {
		return inTx(ctx, s.reads, func(tx *sql.Tx) error {
			_, err := s.followErasures(ctx, tx)
			return err
		})
	})
	if err == nil || errors.Is(err, sql.ErrConnDone) {
		return
	}
	s.logger.Error("take what was erased out of memory", "error", err)
	s.dropTexts(0)
	for _, h := range s.copies.All() {
		s.copies.Drop(h)
	}
}
