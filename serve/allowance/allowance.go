// Package allowance counts the messages of callers on all servers of a database together.
//
// It owns the leases: a server takes several messages of a caller at once, and lets them pass without asking again. It refuses to word the answer to
// a caller over the rate, and to count by itself while the database cannot be asked.
//
// # Invariant
//
// In any span of time, the servers together let no more messages of a caller pass than the burst, the earnings of the rate in that span, and the
// contents of their leases at its beginning: each at most a tenth of the burst.
package allowance

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

const (
	// lasts is the time in which a lease lets messages pass. The rest of it then is given back when the caller comes by again.
	lasts = time.Second
	// share of the burst is the most that one lease takes.
	share = 10
	// patience bounds the time that the database has for an answer.
	patience = time.Second
	// between is the time between two questions to a database that did not answer.
	between = time.Second
	// manyCallers is the number of leases that are kept before those that are over are forgotten.
	manyCallers = 1024
)

// Ask is a question for messages of a caller.
type Ask struct {
	Tenant, User string
	PerSecond    float64 // messages that the caller earns
	Burst        int     // the most that the caller has at once
	Want         int     // messages to take, at least one
	Back         int     // messages that were taken before and not used
}

// Store counts for all servers, by a clock of its own.
type Store interface {
	// TakeMessages gives messages back, takes at most those that are wanted, and returns their number; if none, the time until there is one.
	TakeMessages(ctx context.Context, a Ask) (granted int, wait time.Duration, err error)
	// ForgetIdle drops the callers who have all their messages: they are as if they had never called.
	ForgetIdle(ctx context.Context) error
}

// Leases are those of one server. They are safe for concurrent use.
type Leases struct {
	store     Store
	perSecond float64
	burst     int
	most      int // messages of one lease
	logger    *slog.Logger

	mu      sync.Mutex // guards callers and away
	callers map[callerID]*lease
	away    time.Time // until then the store is not asked; zero: it answered
}

type callerID struct{ tenant, user string }

// lease is the part of a caller's messages that a server has taken.
type lease struct {
	mu    sync.Mutex // guards all below; held while the store is asked
	taken time.Time
	size  int       // messages that were taken
	left  int       // of them
	shut  time.Time // until then there is none
}

// New returns the leases of a server whose callers earn perSecond messages, and have burst of them at once.
func New(store Store, perSecond float64, burst int, logger *slog.Logger) *Leases {
	return &Leases{store: store, perSecond: perSecond, burst: burst, most: max(1, burst/share), logger: logger, callers: map[callerID]*lease{}}
}

// Wait returns the time that a caller has to wait before the next message is let through; 0: it is. It reports whether it counted the message: not while
// the store cannot be asked.
func (l *Leases) Wait(ctx context.Context, tenant, user string, now time.Time) (wait time.Duration, counted bool) {
	own := l.of(callerID{tenant, user}, now)
	own.mu.Lock()
	defer own.mu.Unlock()
	current := now.Sub(own.taken) < lasts
	switch {
	case own.left > 0 && current:
		own.left--
		return 0, true
	case now.Before(own.shut):
		return own.shut.Sub(now), true
	case l.isAway(now):
		return 0, false
	}
	a := Ask{Tenant: tenant, User: user, PerSecond: l.perSecond, Burst: l.burst, Back: own.left, Want: max(own.size-own.left, 1)}
	if current { // used up before its time
		a.Want = 2 * max(own.size, 1)
	}
	a.Want = min(a.Want, l.most)
	granted, wait, err := l.ask(ctx, a)
	own.taken, own.size, own.left = now, granted, granted
	if err != nil {
		l.lost(now, err)
		return 0, false
	}
	if granted == 0 {
		own.shut = now.Add(wait)
		return wait, true
	}
	own.left--
	return 0, true
}

// ask asks the store. A caller who has gone does not cut the question off.
func (l *Leases) ask(ctx context.Context, a Ask) (granted int, wait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	return l.store.TakeMessages(ctx, a)
}

// of returns the lease of a caller.
func (l *Leases) of(id callerID, now time.Time) *lease {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.callers[id]
	if own == nil {
		if len(l.callers) >= manyCallers {
			l.forget(now)
		}
		own = &lease{}
		l.callers[id] = own
	}
	return own
}

// forget drops the leases that are over. Their rests are not given back: the callers earn it again.
func (l *Leases) forget(now time.Time) {
	for id, own := range l.callers {
		if !own.mu.TryLock() {
			continue // in use
		}
		if now.Sub(own.taken) >= lasts && !now.Before(own.shut) {
			delete(l.callers, id)
		}
		own.mu.Unlock()
	}
}

// isAway reports whether the store did not answer a moment ago.
func (l *Leases) isAway(now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return now.Before(l.away)
}

// lost takes note that the store did not answer.
func (l *Leases) lost(now time.Time, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.away = now.Add(between)
	l.logger.Warn("the rate of callers is counted by this server alone for a moment", "error", err)
}
