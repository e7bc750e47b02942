package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ctx-mcp/ctx-mcp"
)

// mostLanes bounds how many groups of operations an engine commits at once.
const mostLanes = 8

// lanes commit operations on an engine. Operations on the rows of the same tenants share a lane, whose groups follow each other; lanes go side
// by side, so that a tenant whose lock is held elsewhere keeps nobody else waiting.
type lanes struct {
	store *Store
	slots chan struct{} // one for each group under way

	mu     sync.Mutex // guards all below
	byKey  map[string]*lane
	closed bool
	ends   sync.WaitGroup // of the lanes
}

// lane is the operations on the rows of some tenants.
type lane struct {
	tenants []string // in order; none: all
	waiting []*request
}

func newLanes(s *Store) *lanes {
	return &lanes{store: s, slots: make(chan struct{}, mostLanes), byKey: map[string]*lane{}}
}

// accept implements committer. Each caller waits for their answer, so that the callers bound what waits here.
func (l *lanes) accept(_ context.Context, r *request) error {
	var tenants []string
	if r.tenants != nil {
		tenants = slices.Compact(slices.Sorted(slices.Values(r.tenants())))
		if len(tenants) == 0 { // nothing of anybody's
			tenants = only("")()
		}
	}
	key := fmt.Sprintf("%q", tenants)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return shuttingDown()
	}
	if l.byKey[key] == nil {
		l.byKey[key] = &lane{tenants: tenants}
		l.ends.Go(func() { l.run(key) })
	}
	l.byKey[key].waiting = append(l.byKey[key].waiting, r)
	return nil
}

// stop implements committer.
func (l *lanes) stop() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.ends.Wait()
}

// run commits the operations of a lane until none is left, and removes it.
func (l *lanes) run(key string) {
	for {
		l.slots <- struct{}{}
		l.mu.Lock()
		ln := l.byKey[key]
		if len(ln.waiting) == 0 {
			delete(l.byKey, key)
			l.mu.Unlock()
			<-l.slots
			return
		}
		l.mu.Unlock()
		l.commit(ln)
		<-l.slots
	}
}

// commit makes a group of operations durable. Each is taken once the locks are held: until then its caller may give up.
func (l *lanes) commit(ln *lane) {
	var group []*request
	err := l.store.commitGroup(ln.tenants, func() []*request {
		group = l.take(ln)
		return group
	})
	switch {
	case err == nil:
		return
	case group == nil: // the database was not reached
		answer(l.take(ln), wrap("write", err))
		return
	case errors.Is(err, errUnknown): // written again, it could be there twice
		answer(group, wrap("write", err))
		return
	}
	for _, r := range group { // one of them cannot be written: find out which
		if err := l.store.commitGroup(ln.tenants, func() []*request { return []*request{r} }); err != nil {
			r.result <- wrap("write", err)
		}
	}
}

// take claims the operations that wait in a lane, but for those that their callers gave up. Those on the log of receipts come last, so that its
// lock is held for no longer than they take.
func (l *lanes) take(ln *lane) []*request {
	l.mu.Lock()
	most := min(len(ln.waiting), maxGroup)
	found := slices.Clone(ln.waiting[:most])
	ln.waiting = slices.Delete(ln.waiting, 0, most)
	l.mu.Unlock()
	group := found[:0]
	for _, r := range found {
		if r.taken.CompareAndSwap(false, true) {
			group = append(group, r)
		}
	}
	slices.SortStableFunc(group, func(a, b *request) int { return rank(a.logs) - rank(b.logs) })
	return group
}

func rank(last bool) int {
	if last {
		return 1
	}
	return 0
}

func shuttingDown() error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the server is shutting down").WithHint("try again")
}
