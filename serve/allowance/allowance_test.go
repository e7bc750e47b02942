package allowance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// bucket is a Store in memory, for one caller, by a clock that the test moves.
type bucket struct {
	mu    sync.Mutex
	due   time.Time
	now   time.Time
	asked int
	down  bool
}

func (b *bucket) TakeMessages(_ context.Context, a Ask) (int, time.Duration, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked++
	if b.down {
		return 0, 0, errors.New("the database is away")
	}
	every := time.Duration(float64(time.Second) / a.PerSecond)
	b.due = b.due.Add(-time.Duration(a.Back) * every)
	if b.due.Before(b.now) {
		b.due = b.now
	}
	room := time.Duration(a.Burst)*every - b.due.Sub(b.now)
	granted := min(a.Want, max(0, int(room/every)))
	b.due = b.due.Add(time.Duration(granted) * every)
	if granted == 0 {
		return 0, every - room, nil
	}
	return granted, 0, nil
}

func (b *bucket) ForgetIdle(context.Context) error { return nil }

func (b *bucket) pass(d time.Duration) { b.now = b.now.Add(d) }

func newBucket() *bucket { return &bucket{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)} }

func leases(b *bucket, perSecond float64, burst int) *Leases {
	return New(b, perSecond, burst, slog.New(slog.DiscardHandler))
}

// through sends messages until one is refused, and returns the number of those that passed.
func through(t *testing.T, l *Leases, now time.Time, most int) (n int) {
	t.Helper()
	for ; n < most; n++ {
		wait, counted := l.Wait(t.Context(), "acme", "ann", now)
		if !counted {
			t.Fatal("the message was not counted")
		}
		if wait > 0 {
			break
		}
	}
	return n
}

// TestLeaseGrowsWithUse: a caller who sends much costs few questions, and one over the rate none.
func TestLeaseGrowsWithUse(t *testing.T) {
	b := newBucket()
	l := leases(b, 1, 200)
	if got := through(t, l, b.now, 1000); got != 200 {
		t.Errorf("%d messages passed, want the burst of 200", got)
	}
	if b.asked > 20 {
		t.Errorf("200 messages cost %d questions", b.asked)
	}
	before := b.asked
	for range 50 {
		if wait, _ := l.Wait(t.Context(), "acme", "ann", b.now); wait != time.Second {
			t.Fatalf("a message over the rate waits %s, want 1 s", wait)
		}
	}
	if b.asked > before {
		t.Errorf("50 refused messages cost %d questions, want none", b.asked-before)
	}
	b.pass(time.Second)
	if got := through(t, l, b.now, 10); got != 1 {
		t.Errorf("after a second %d messages passed, want 1", got)
	}
}

// TestUnusedMessagesGoBack: messages that one server took and did not use are given back, and can be used again.
func TestUnusedMessagesGoBack(t *testing.T) {
	b := newBucket()
	one, other := leases(b, 0.001, 100), leases(b, 0.001, 100)
	if got := through(t, one, b.now, 16); got != 16 { // the lease doubles: 1, 2, 4, 8, 10; nine of the last are left
		t.Fatalf("%d of 16 messages passed", got)
	}
	if got := through(t, other, b.now, 1000); got != 75 {
		t.Errorf("while nine are leased, %d messages passed at another server, want 75", got)
	}
	b.pass(lasts)
	if got := through(t, one, b.now, 1000); got != 9 {
		t.Errorf("%d messages passed at the first server, want the nine that it gave back", got)
	}
}

// TestBound: in any order of servers, no span of time lets more of a caller's messages pass than the package promises, and a caller who always has something
// to send gets all that is earned.
func TestBound(t *testing.T) {
	const perSecond, burst, servers = 20.0, 50, 4
	for seed := range uint64(6) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		b := newBucket()
		var all []*Leases
		for range servers {
			all = append(all, leases(b, perSecond, burst))
		}
		var passed []time.Time
		begun := b.now
		for range 1500 {
			b.pass(time.Duration(rnd.IntN(20)) * time.Millisecond)
			if rnd.IntN(200) == 0 {
				b.pass(5 * time.Second)
			}
			if wait, _ := all[rnd.IntN(servers)].Wait(t.Context(), "acme", "ann", b.now); wait == 0 {
				passed = append(passed, b.now)
			}
		}
		for i := range passed {
			for j := i; j < len(passed); j++ {
				most := burst + perSecond*passed[j].Sub(passed[i]).Seconds() + servers*burst/share
				if n := j - i + 1; float64(n) > most {
					t.Fatalf("seed %d: %d messages passed within %s, want at most %.0f", seed, n, passed[j].Sub(passed[i]), most)
				}
			}
		}
		if n, earned := len(passed), perSecond*b.now.Sub(begun).Seconds(); float64(n) < 0.5*earned {
			t.Errorf("seed %d: %d messages passed in %s", seed, n, b.now.Sub(begun))
		}
	}
}

// TestSlowCallerAtManyServers: a caller below the rate is never refused, though each message comes to another server.
func TestSlowCallerAtManyServers(t *testing.T) {
	b := newBucket()
	var all []*Leases
	for range 3 {
		all = append(all, leases(b, 10, 100))
	}
	for i := range 2000 {
		b.pass(110 * time.Millisecond)
		if wait, _ := all[i%3].Wait(t.Context(), "acme", "ann", b.now); wait != 0 {
			t.Fatalf("message %d waits %s", i, wait)
		}
	}
}

// TestStoreAway: while the store does not answer, nothing is counted here and it is asked once a second.
func TestStoreAway(t *testing.T) {
	b := newBucket()
	l := leases(b, 1, 2)
	b.down = true
	for range 100 {
		if _, counted := l.Wait(t.Context(), "acme", "ann", b.now); counted {
			t.Fatal("a message was counted without the store")
		}
	}
	if b.asked != 1 {
		t.Errorf("the store was asked %d times in a moment", b.asked)
	}
	b.down = false
	b.pass(between)
	if got := through(t, l, b.now, 10); got != 2 {
		t.Errorf("%d messages passed when the store was there again, want the burst of 2", got)
	}
}

// TestForgetsTheIdle: callers who come once do not fill the memory.
func TestForgetsTheIdle(t *testing.T) {
	l := leases(newBucket(), 1, 1<<30)
	for i := range 5 * manyCallers {
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * 10 * time.Millisecond)
		if wait, counted := l.Wait(t.Context(), "acme", fmt.Sprint(i), now); wait != 0 || !counted {
			t.Fatalf("caller %d waits %s", i, wait)
		}
	}
	if len(l.callers) > manyCallers {
		t.Errorf("%d leases are kept, want at most %d", len(l.callers), manyCallers)
	}
}
