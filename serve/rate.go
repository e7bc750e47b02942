package serve

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"golang.org/x/time/rate"
)

// manyCallers is the number of callers that are counted before those that have been idle are forgotten.
const manyCallers = 1024

// limits counts the messages of each caller: a token bucket (Turner, 1986) that holds burst messages and is filled at
// rate a second.
type limits struct {
	rate  rate.Limit
	burst int

	mu      sync.Mutex // guards callers
	callers map[callerID]*rate.Limiter
}

// callerID names a caller, whichever of their tokens they use.
type callerID struct{ tenant, user string }

// newLimits returns nil if nothing limits the rate.
func newLimits(perSecond float64, burst int) *limits {
	if perSecond <= 0 {
		return nil
	}
	burst = cmp.Or(burst, int(math.Ceil(10*perSecond)))
	return &limits{rate: rate.Limit(perSecond), burst: max(burst, 1), callers: map[callerID]*rate.Limiter{}}
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
func (h *Handler) admitsRate(w http.ResponseWriter, caller ctxmcp.Caller) bool {
	if h.limits == nil {
		return true
	}
	wait := h.limits.wait(caller, time.Now())
	if wait == 0 {
		return true
	}
	seconds := int(math.Ceil(wait.Seconds()))
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	refuse(w, http.StatusTooManyRequests, serverError, fmt.Sprintf("too many messages; try again in %d s", seconds))
	return false
}
