package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/allowance"
)

// TestRateLimitIsPerCaller: who has used up their messages waits as long as the answer says; others do not.
func TestRateLimitIsPerCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHandler(newFixture(t).MCPServer, HTTPOptions{RateLimit: 0.5, RateBurst: 2, Authenticate: authenticate})
		defer h.Close()
		post := func(token string) *httptest.ResponseRecorder {
			r := httptest.NewRequest("POST", "http://localhost/mcp", strings.NewReader(initialize))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			r.Header.Set("Authorization", "Bearer "+token)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w
		}
		for i, want := range []int{200, 200, 429, 429} {
			if got := post("alice"); got.Code != want {
				t.Fatalf("message %d = %d %s, want %d", i, got.Code, got.Body, want)
			}
		}
		refused := post("alice")
		if got := refused.Header().Get("Retry-After"); got != "2" || !strings.Contains(refused.Body.String(), "too many messages; try again in 2 s") {
			t.Errorf("Retry-After = %q, body %s", got, refused.Body)
		}
		if got := post("alice-new"); got.Code != 429 {
			t.Errorf("a message with the caller's other token = %d", got.Code)
		}
		if got := post("bob"); got.Code != 200 {
			t.Errorf("another caller's message = %d", got.Code)
		}
		if got := post("nobody"); got.Code != 401 {
			t.Errorf("nobody's message = %d", got.Code)
		}
		time.Sleep(2 * time.Second)
		if got := post("alice"); got.Code != 200 {
			t.Errorf("after waiting as told, the message = %d", got.Code)
		}
	})
}

// TestRateLimitForgetsTheIdle: callers who come once do not fill the memory.
func TestRateLimitForgetsTheIdle(t *testing.T) {
	l := newLimits(HTTPOptions{RateLimit: 1, RateBurst: 1})
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 10 * manyCallers {
		if wait := l.wait(ctxmcp.Caller{Tenant: "acme", User: fmt.Sprint(i)}, now.Add(time.Duration(i)*10*time.Millisecond)); wait != 0 {
			t.Fatalf("caller %d waits %s", i, wait)
		}
	}
	if len(l.callers) > manyCallers {
		t.Errorf("%d callers are counted, want at most %d", len(l.callers), manyCallers)
	}
	if newLimits(HTTPOptions{RateBurst: 5}) != nil {
		t.Error("a rate of 0 limits something")
	}
	if l := newLimits(HTTPOptions{RateLimit: 0.01}); l.burst != 1 {
		t.Errorf("the burst of a small rate is %d, want 1", l.burst)
	}
}

// ledger is an allowance.Store that hands out its messages, and is away without any.
type ledger struct{ has int }

func (l *ledger) TakeMessages(_ context.Context, a allowance.Ask) (int, time.Duration, error) {
	if l.has == 0 {
		return 0, 0, errors.New("the database is away")
	}
	l.has--
	return 1, 0, nil
}

func (l *ledger) ForgetIdle(context.Context) error { return nil }

// TestRateLimitIsShared: messages are counted with the other servers, and by this one alone while that cannot be.
func TestRateLimitIsShared(t *testing.T) {
	l := newLimits(HTTPOptions{RateLimit: 0.5, RateBurst: 2, Allowances: &ledger{has: 5}, Logger: slog.New(slog.DiscardHandler)})
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	by := ctxmcp.Caller{Tenant: "acme", User: "ann"}
	for i, want := range []time.Duration{0, 0, 0, 0, 0, 0, 0, 2 * time.Second} { // five of the others, then two of its own
		if got := l.waitWith(t.Context(), by, now); got != want {
			t.Errorf("message %d waits %s, want %s", i, got, want)
		}
	}
}
