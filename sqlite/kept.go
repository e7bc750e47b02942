package sqlite

import (
	"context"
	"database/sql"
	"maps"
	"math"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// keptMemory is how many bytes the kept versions take at most, by an estimate.
const keptMemory = 64 << 20

// kept holds the versions that were candidates of a search, decoded, by row id: the same ones are candidates of one question after the other.
// Those of a scope are as of one touch, which the table of touched versions tells: a search that sees another one first brings them up to date, or
// goes without.
type kept struct {
	limit int // bytes

	mu         sync.Mutex      // guards all below
	seen       map[int64]int64 // by scope: the last touch that was followed; nothing is kept of other scopes
	erased     int64           // the last erasure that was followed
	young, old map[int64]*ranking.Candidate
	bytes      int // of young; with half of the limit it becomes old, and what was old and not asked for since goes
}

func newKept(limit int) *kept {
	k := &kept{limit: limit}
	k.clear()
	return k
}

const (
	touchedSince = `
SELECT x.id
FROM json_each(:places) AS k
CROSS JOIN touched AS x
WHERE x.seq > k.value ->> 'seen' AND x.id >> 32 = k.value ->> 'scope'
`
	// mostTouched is the number of touches before the last of a scope that the table has at least, if there were as many.
	mostTouched = 4096
	// mostSeen bounds the scopes of which versions are kept.
	mostSeen = 1 << 16
)

// touches returns the last touch of each scope.
func touches(places []place) map[int64]int64 {
	last := make(map[int64]int64, len(places))
	for _, p := range places {
		last[p.scope] = p.touched
	}
	return last
}

// tail is the touches of a scope behind the last one that was followed.
type tail struct {
	Scope int64 `json:"scope"`
	Seen  int64 `json:"seen"`
}

// follow lets go of the versions of scopes that were touched since, up to the last touch of each that tx sees.
func (k *kept) follow(ctx context.Context, tx *sql.Tx, last map[int64]int64) error {
	behind := k.behind(last)
	if len(behind) == 0 {
		return nil
	}
	rows, err := tx.QueryContext(ctx, touchedSince, sql.Named("places", array(behind)))
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
	for _, b := range behind {
		if seen, known := k.seen[b.Scope]; known {
			k.seen[b.Scope] = max(seen, last[b.Scope])
		}
	}
	return nil
}

// behind returns the scopes whose touches have to be read. Scopes of which nothing is kept, or whose touches the table may not have any more, begin anew.
func (k *kept) behind(last map[int64]int64) (all []tail) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.seen) > mostSeen {
		k.clear()
	}
	for scope, touched := range last {
		seen, known := k.seen[scope]
		switch {
		case !known:
			k.seen[scope] = touched
		case touched-seen > mostTouched:
			k.forget(scope)
			k.seen[scope] = touched
		case touched > seen:
			all = append(all, tail{scope, seen})
		}
	}
	return all
}

// isAsOf reports whether the versions of a scope are kept as a transaction sees them. Its caller holds mu.
func (k *kept) isAsOf(at state, scope int64) bool {
	seen, known := k.seen[scope]
	return known && seen == at.touched[scope] && at.erased >= k.erased
}

// of puts the kept ones of the versions into found, in their places, as a transaction sees them, and returns the ids of the others.
func (k *kept) of(ids []int64, at state, found []*ranking.Candidate) (missing []int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	scope, current := int64(0), false // of the id before: those of a scope stand together
	for i, id := range ids {
		if i == 0 || id>>32 != scope {
			scope = id >> 32
			current = k.isAsOf(at, scope)
		}
		if !current {
			missing = append(missing, id)
			continue
		}
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
		found[i] = c
	}
	return missing
}

// keep takes in versions that a transaction has read, unless others of their scope were touched since.
func (k *kept) keep(read map[int64]*ranking.Candidate, at state) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, c := range read {
		if k.isAsOf(at, id>>32) {
			k.put(id, c)
		}
	}
}

func (k *kept) put(id int64, c *ranking.Candidate) {
	k.young[id] = c
	if k.bytes += sizeOf(c); k.bytes > k.limit/2 {
		k.young, k.old, k.bytes = map[int64]*ranking.Candidate{}, k.young, 0
	}
}

// drop lets go of everything, and takes nothing in that was read before an erasure.
func (k *kept) drop(erased int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.clear()
	k.erased = max(k.erased, erased)
}

// clear lets go of everything. Its caller holds mu.
func (k *kept) clear() {
	k.young, k.old, k.bytes = map[int64]*ranking.Candidate{}, map[int64]*ranking.Candidate{}, 0
	k.seen = map[int64]int64{}
}

// forget lets go of the versions of a scope. Its caller holds mu.
func (k *kept) forget(scope int64) {
	of := func(id int64, _ *ranking.Candidate) bool { return id>>32 == scope }
	maps.DeleteFunc(k.young, of)
	maps.DeleteFunc(k.old, of)
}

// The bytes that a version takes besides its texts, and for each byte of these: its terms, and what ranking reads in them.
const (
	keptOverhead = 3 << 10
	keptShare    = 8
)

func sizeOf(c *ranking.Candidate) int {
	return keptOverhead + keptShare*min(len(c.Object.Content)+len(c.Object.WhyItMatters), math.MaxInt32)
}

// versions returns the versions with the row ids that tx sees, kept or read, in the order of the ids; nil for one that is not there. They are shared:
// nobody changes one.
func (s *Store) versions(ctx context.Context, tx *sql.Tx, ids []int64, at state) ([]*ranking.Candidate, error) {
	found := make([]*ranking.Candidate, len(ids))
	missing := ids
	if at.erased >= s.erased.Load() { // else tx still sees erased rows
		missing = s.kept.of(ids, at, found)
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
		read[id] = &c
	}
	for i, id := range ids {
		if found[i] == nil {
			found[i] = read[id]
		}
	}
	if at.erased >= s.erased.Load() {
		s.kept.keep(read, at)
	}
	return found, nil
}
