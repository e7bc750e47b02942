package serve

import (
	"context"
	"slices"
	"sync"
)

// turns keeps the order of calls that a client writes one after the other without waiting: a call that changes
// something sees the writes before it and is seen by the calls after it, while calls that only read run side by side.
// The zero value is ready; only one goroutine may take turns.
type turns struct {
	lastChange *turn
	reads      []*turn // since lastChange
}

// turn is the place of one call in the order.
type turn struct {
	after []*turn
	ended chan struct{}
	once  sync.Once
}

// take returns the next turn. Its end must be called, begin need not be.
func (t *turns) take(changes bool) *turn {
	t.reads = slices.DeleteFunc(t.reads, (*turn).over)
	next := &turn{ended: make(chan struct{})}
	if t.lastChange != nil && !t.lastChange.over() {
		next.after = append(next.after, t.lastChange)
	}
	if changes {
		next.after = append(next.after, t.reads...)
		t.lastChange, t.reads = next, nil
	} else {
		t.reads = append(t.reads, next)
	}
	return next
}

// begin waits for the turn. It returns false if ctx is done first.
func (t *turn) begin(ctx context.Context) bool {
	for _, earlier := range t.after {
		select {
		case <-earlier.ended:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// end passes the turn on, the first time. A call that gave up early waits here, so that nobody overtakes those before it.
func (t *turn) end() {
	t.once.Do(func() {
		for _, earlier := range t.after {
			<-earlier.ended
		}
		t.after = nil
		close(t.ended)
	})
}

func (t *turn) over() bool {
	select {
	case <-t.ended:
		return true
	default:
		return false
	}
}
