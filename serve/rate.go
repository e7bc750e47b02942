package serve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/allowance"
	"golang.org/x/time/rate"
)

// manyCallers is the number of callers that are counted before those that have been idle are forgotten.
const manyCallers = 1024

// limits counts the messages of each caller: a token bucket (Turner, 1986) that holds burst messages and is filled at
// rate a second.
type limits struct {
	rate   rate.Limit
	burst  int
	shared *allowance.Leases // counts with other servers, which comes first; nil: there are none

	mu      sync.Mutex // guards callers
	callers map[callerID]*rate.Limiter
}

// callerID names a caller, whichever of their tokens they use.
type callerID struct{ tenant, user string }

// newLimits returns nil if nothing limits the rate.
func newLimits(o HTTPOptions) *limits {
	if o.RateLimit <= 0 {
		return nil
	}
	burst := max(1, cmp.Or(o.RateBurst, int(math.Ceil(10*o.RateLimit))))
	l := &limits{rate: rate.Limit(o.RateLimit), burst: burst, callers: map[callerID]*rate.Limiter{}}
	if o.Allowances != nil {
		l.shared = allowance.New(o.Allowances, o.RateLimit, burst, o.Logger)
	}
	return l
}

// waitWith asks the servers of the same database first, and counts alone while that cannot be.
func (l *limits) waitWith(ctx context.Context, caller ctxmcp.Caller, now time.Time) time.Duration {
	if l.shared != nil {
		if wait, counted := l.shared.Wait(ctx, caller.Tenant, caller.User, now); counted {
			return wait
		}
	}
	return l.wait(caller, now)
}

// wait returns how long the caller has to wait before the next message is taken; 0: it is taken.
func (l *limits) wait(caller ctxmcp.Caller, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := callerID{caller.Tenant, caller.User}
	limiter := l.callers[id]
	if limiter == nil {
		if len(l.callers) >= manyCallers {
			l.forget(now)
		}
		limiter = rate.NewLimiter(l.rate, l.burst)
		l.callers[id] = limiter
	}
	next := limiter.ReserveN(now, 1)
	delay := next.DelayFrom(now)
	if delay > 0 {
		next.CancelAt(now)
	}
	return delay
}

// forget drops the callers whose bucket is full: they are as if they had never called.
func (l *limits) forget(now time.Time) {
	for id, limiter := range l.callers {
		if limiter.TokensAt(now) >= float64(l.burst) {
			delete(l.callers, id)
		}
	}
}

// admitsRate reports whether the caller may send a message now, and answers 429 if not (RFC 6585, section 4).
func (h *Handler) admitsRate(ctx context.Context, w http.ResponseWriter, caller ctxmcp.Caller) bool {
	if h.limits == nil {
		return true
	}
	wait := h.limits.waitWith(ctx, caller, time.Now())
	if wait == 0 {
		return true
	}
	seconds := int(math.Ceil(wait.Seconds()))
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	refuse(w, http.StatusTooManyRequests, serverError, fmt.Sprintf("too many messages; try again in %d s", seconds))
	return false
}
