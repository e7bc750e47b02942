package sqlite

import (
	"context"
	"database/sql"
	"math"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// keptMemory is how many bytes the kept versions take at most, by an estimate.
const keptMemory = 64 << 20

// kept holds the versions that were candidates of a search, decoded, by row id: the same ones are candidates of one question after the other.
// They are those of one state of the database, which the table of touched versions tells: a search that sees another state first brings
// it up to date, or goes without.
type kept struct {
	limit int // bytes

	mu         sync.Mutex // guards all below
	seen       int64      // the last touch that was followed
	young, old map[int64]*ranking.Candidate
	bytes      int // of young; with half of the limit it becomes old, and what was old and not asked for since goes
}

func newKept(limit int) *kept {
	return &kept{limit: limit, young: map[int64]*ranking.Candidate{}, old: map[int64]*ranking.Candidate{}}
}

const (
	touchedSince = `
SELECT id
FROM touched
WHERE seq > :seen
`
	// mostTouched is the number of touches that the table has at least, if there were as many.
	mostTouched = 4096
)

// follow lets go of the versions that were touched since, up to the last touch that tx sees.
func (k *kept) follow(ctx context.Context, tx *sql.Tx, last int64) error {
	k.mu.Lock()
	seen := k.seen
	k.mu.Unlock()
	switch {
	case seen >= last:
		return nil
	case last-seen > mostTouched:
		k.drop(last)
		return nil
	}
	rows, err := tx.QueryContext(ctx, touchedSince, sql.Named("seen", seen))
	if err != nil {
		return err
	}
	touched, err := numbersOf(rows)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, id := range touched {
		delete(k.young, id)
		delete(k.old, id)
	}
	k.seen = max(k.seen, last)
	return nil
}

// of adds the kept ones of the versions to found, as of a touch, and returns the ids of the others.
func (k *kept) of(ids []int64, last int64, found map[int64]*ranking.Candidate) (missing []int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seen != last {
		return ids
	}
	for _, id := range ids {
		c := k.young[id]
		if c == nil {
			if c = k.old[id]; c != nil {
				delete(k.old, id)
				k.put(id, c)
			}
		}
		if c == nil {
			missing = append(missing, id)
			continue
		}
		found[id] = c
	}
	return missing
}

// keep takes in versions that were read as of a touch, unless others were touched since.
func (k *kept) keep(read map[int64]*ranking.Candidate, last int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seen != last {
		return
	}
	for id, c := range read {
		k.put(id, c)
	}
}

func (k *kept) put(id int64, c *ranking.Candidate) {
	k.young[id] = c
	if k.bytes += sizeOf(c); k.bytes > k.limit/2 {
		k.young, k.old, k.bytes = map[int64]*ranking.Candidate{}, k.young, 0
	}
}

// drop lets go of everything, and takes nothing in that was read before a touch.
func (k *kept) drop(last int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.young, k.old, k.bytes = map[int64]*ranking.Candidate{}, map[int64]*ranking.Candidate{}, 0
	k.seen = max(k.seen, last)
}

// The bytes that a version takes besides its texts, and for each byte of these: its terms, and what ranking reads in them.
const (
	keptOverhead = 3 << 10
	keptShare    = 8
)

func sizeOf(c *ranking.Candidate) int {
	return keptOverhead + keptShare*min(len(c.Object.Content)+len(c.Object.WhyItMatters), math.MaxInt32)
}

// versions returns the versions with the row ids that tx sees, kept or read. They are shared: nobody changes one.
func (s *Store) versions(ctx context.Context, tx *sql.Tx, ids []int64, at state) (map[int64]*ranking.Candidate, error) {
	found := make(map[int64]*ranking.Candidate, len(ids))
	missing := ids
	if at.erased >= s.erased.Load() { // else tx still sees erased rows
		missing = s.kept.of(ids, at.touched, found)
	}
	if len(missing) == 0 {
		return found, nil
	}
	rows, err := s.sealing.Load().candidatesOf(ctx, tx, missing)
	if err != nil {
		return nil, err
	}
	read := make(map[int64]*ranking.Candidate, len(rows))
	for id, c := range rows {
		c = c.Kept()
		read[id], found[id] = &c, &c
	}
	if at.erased >= s.erased.Load() {
		s.kept.keep(read, at.touched)
	}
	return found, nil
}
