package admission

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Gate lets work of a certain size through, and no more of it at a time than its bounds say, in all and of one caller. Work
// over a bound waits, in the order of arrival, but not behind the work of a caller who has had their share. The zero Gate
// lets everything through.
type Gate struct {
	All   int64         // size of the work that may be under way; 0: any
	Each  int64         // of one caller, all of their tokens together; 0: as much as All
	Wait  time.Duration // how long work waits at most
	Doing string        // names the work in errors: expensive calls
	// Near returns an error while the process has no memory for more; nil: it always has.
	Near func() error
	// Emptied is told that no work is under way any more; nil: nobody is.
	Emptied func()

	mu      sync.Mutex
	used    int64
	callers map[callerID]int64
	queue   []*waiter
}

// callerID names a caller, whichever of their tokens they use.
type callerID struct{ tenant, user string }

// waiter is work that waits.
type waiter struct {
	by   callerID
	size int64
	turn chan struct{} // closed once it may go on
}

// Enter returns once work of a size may begin for a caller; leave, which may be called twice, ends it. Work that is larger
// than a bound counts as much as the bound.
//
// It returns CodeUnavailable, with when to try again, if that does not come within Wait or memory is short, and the error of
// ctx if that ends first.
func (g *Gate) Enter(ctx context.Context, by ctxmcp.Caller, size int64) (leave func(), err error) {
	if err := g.near(); err != nil {
		return nil, err
	}
	w := &waiter{callerID{by.Tenant, by.User}, min(size, g.most()), make(chan struct{})}
	if !g.enter(w) {
		if err := g.wait(ctx, w); err != nil {
			return nil, err
		}
	}
	return sync.OnceFunc(func() { g.leave(w) }), nil
}

func (g *Gate) near() error {
	if g.Near == nil {
		return nil
	}
	return g.Near()
}

// enter puts work in the queue, and reports whether it came through at once.
func (g *Gate) enter(w *waiter) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.callers == nil {
		g.callers = map[callerID]int64{}
	}
	g.queue = append(g.queue, w)
	g.admit()
	return !slices.Contains(g.queue, w)
}

// wait returns nil once the work of a waiter may begin.
func (g *Gate) wait(ctx context.Context, w *waiter) error {
	patience := time.NewTimer(g.Wait)
	defer patience.Stop()
	select {
	case <-w.turn:
		return nil
	case <-ctx.Done():
	case <-patience.C:
	}
	if !g.giveUp(w) { // its turn came at the same moment
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	seconds := max(1, int(math.Ceil(g.Wait.Seconds())))
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "too many %s at a time", g.Doing).WithHint("try again in %d s", seconds)
}

// giveUp takes work out of the queue, and reports whether it still was in it.
func (g *Gate) giveUp(w *waiter) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.queue, w)
	if i >= 0 {
		g.queue = slices.Delete(g.queue, i, i+1)
		g.admit() // it may have held up those behind it
	}
	return i >= 0
}

func (g *Gate) leave(w *waiter) {
	if g.release(w) && g.Emptied != nil {
		g.Emptied()
	}
}

// release gives the place back to those who wait, and reports whether no work is under way any more.
func (g *Gate) release(w *waiter) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.used -= w.size
	if g.callers[w.by] -= w.size; g.callers[w.by] == 0 {
		delete(g.callers, w.by)
	}
	g.admit()
	return g.used == 0
}

// admit lets those of the queue through that fit by now. The first for whom there is no room in all holds up the rest, so
// that large work is not overtaken for ever; one whose caller is over their share holds up nobody.
func (g *Gate) admit() {
	for i := 0; i < len(g.queue); {
		w := g.queue[i]
		if !g.fits(w) {
			if g.withinShare(w) {
				return
			}
			i++
			continue
		}
		g.queue = slices.Delete(g.queue, i, i+1)
		g.take(w)
		close(w.turn)
	}
}

func (g *Gate) take(w *waiter) {
	g.used += w.size
	g.callers[w.by] += w.size
}

func (g *Gate) fits(w *waiter) bool {
	return g.withinShare(w) && (g.All <= 0 || g.used+w.size <= g.All)
}

func (g *Gate) withinShare(w *waiter) bool {
	return g.Each <= 0 || g.callers[w.by]+w.size <= g.Each
}

// most is the largest size that can pass the gate.
func (g *Gate) most() int64 {
	most := int64(math.MaxInt64)
	for _, bound := range []int64{g.All, g.Each} {
		if bound > 0 {
			most = min(most, bound)
		}
	}
	return most
}
