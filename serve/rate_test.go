package serve

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
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
	l := newLimits(1, 1)
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 10 * manyCallers {
		if wait := l.wait(ctxmcp.Caller{Tenant: "acme", User: fmt.Sprint(i)}, now.Add(time.Duration(i)*10*time.Millisecond)); wait != 0 {
			t.Fatalf("caller %d waits %s", i, wait)
		}
	}
	if len(l.callers) > manyCallers {
		t.Errorf("%d callers are counted, want at most %d", len(l.callers), manyCallers)
	}
	if newLimits(0, 5) != nil {
		t.Error("a rate of 0 limits something")
	}
	if l := newLimits(0.01, 0); l.burst != 1 {
		t.Errorf("the burst of a small rate is %d, want 1", l.burst)
	}
}
