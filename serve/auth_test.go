package serve

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/google/go-cmp/cmp"
)

func TestBearerToken(t *testing.T) {
	url := newFixture(t).serveHandler(t, HTTPOptions{Authenticate: authenticate})
	metadata := strings.TrimSuffix(url, "/mcp") + "/.well-known/oauth-protected-resource/mcp"
	missing := `Bearer resource_metadata="` + metadata + `"`
	wrong := missing + `, error="invalid_token"`
	tests := []struct {
		url       string
		headers   []string
		status    int
		challenge string
	}{
		{url, []string{"Authorization: Bearer alice"}, 200, ""},
		{url, []string{"Authorization: bearer alice"}, 200, ""},
		{url, nil, 401, missing},
		{url, []string{"Authorization: Bearer mallory"}, 401, wrong},
		{url, []string{"Authorization: Bearer "}, 401, missing},
		{url, []string{"Authorization: Basic alice"}, 401, missing},
		{url, []string{"Authorization: Bearer alice", "Authorization: Bearer bob"}, 401, missing},
		{url + "?access_token=alice", nil, 401, missing},
		{url, []string{"Authorization: Bearer outage"}, 503, ""},
	}
	for _, tt := range tests {
		for _, method := range []string{"POST", "DELETE"} {
			got := send(t, method, tt.url, initialize, tt.headers...)
			if method == "DELETE" && tt.status == 200 {
				tt.status = 404 // there is no session to end
			}
			if got.status != tt.status || got.header.Get("Www-Authenticate") != tt.challenge {
				t.Errorf("%s %s with %q = %d, challenge %q, want %d, %q", method, tt.url, tt.headers,
					got.status, got.header.Get("Www-Authenticate"), tt.status, tt.challenge)
			}
		}
	}
}

func TestProtectedResourceMetadata(t *testing.T) {
	url := newFixture(t).serveHandler(t, HTTPOptions{
		Authenticate:         authenticate,
		PublicURL:            "https://ctx.example/",
		AuthorizationServers: []string{"https://login.example"},
	})
	got := send(t, "GET", strings.TrimSuffix(url, "/mcp")+"/.well-known/oauth-protected-resource/mcp", "")
	var document map[string]any
	if err := json.Unmarshal([]byte(got.body), &document); err != nil {
		t.Fatalf("metadata = %d %q: %v", got.status, got.body, err)
	}
	want := map[string]any{
		"resource":                 "https://ctx.example/mcp",
		"resource_name":            "ctx-mcp",
		"bearer_methods_supported": []any{"header"},
		"authorization_servers":    []any{"https://login.example"},
	}
	if diff := cmp.Diff(want, document); diff != "" {
		t.Errorf("metadata differs (-want +got):\n%s", diff)
	}
}

func TestNoMetadataWithoutAuthentication(t *testing.T) {
	url := newFixture(t).serveHandler(t, HTTPOptions{})
	got := send(t, "GET", strings.TrimSuffix(url, "/mcp")+"/.well-known/oauth-protected-resource/mcp", "")
	if got.status != 404 {
		t.Errorf("metadata = %d, want 404", got.status)
	}
}

func TestCallerReachesTheTool(t *testing.T) {
	tests := []struct {
		o      HTTPOptions
		header string
		want   string
	}{
		{HTTPOptions{Authenticate: authenticate}, "Authorization: Bearer bob", "bob true"},
		{HTTPOptions{Anonymous: ctxmcp.Caller{User: "me"}}, "Authorization: Bearer bob", "me true"},
	}
	for _, tt := range tests {
		url := newFixture(t).serveHandler(t, tt.o)
		body, headers := modernRPC(2, "tools/call", callParams("whoami"))
		if got := send(t, "POST", url, body, append(headers, tt.header)...); !strings.Contains(got.body, tt.want) {
			t.Errorf("whoami of 2026-07-28 = %d %s, want %q", got.status, got.body, tt.want)
		}
		session := begin(t, url, tt.header)
		if got := send(t, "POST", url, toolCall(2, "whoami"), session, tt.header); !strings.Contains(got.body, tt.want) {
			t.Errorf("whoami of 2025-11-25 = %d %s, want %q", got.status, got.body, tt.want)
		}
	}
}

func TestSessionOfAnotherCallerIsNotFound(t *testing.T) {
	url := newFixture(t).serveHandler(t, HTTPOptions{Authenticate: authenticate})
	session := begin(t, url, "Authorization: Bearer alice")
	steps := []struct {
		method, token string
		want          int
	}{
		{"POST", "alice", 200},
		{"POST", "alice-new", 200},
		{"POST", "bob", 404},
		{"POST", "alice-operator", 404},
		{"DELETE", "bob", 404},
		{"POST", "alice", 200},
		{"DELETE", "alice", 200},
		{"POST", "alice", 404},
		{"DELETE", "alice", 404},
	}
	for i, step := range steps {
		got := send(t, step.method, url, toolCall(2, "whoami"), session, "Authorization: Bearer "+step.token)
		if got.status != step.want {
			t.Errorf("step %d: %s as %s = %d %s, want %d", i, step.method, step.token, got.status, got.body, step.want)
		}
	}
	got := send(t, "POST", url, toolCall(2, "whoami"), "Mcp-Session-Id: made-up", "Authorization: Bearer alice")
	if got.status != 404 {
		t.Errorf("POST with an unknown session = %d, want 404", got.status)
	}
}

// TestTokensCountAsSoonAsOneExists: the endpoint is open until then, and never again; where it cannot be found out it is not.
func TestTokensCountAsSoonAsOneExists(t *testing.T) {
	open, failure := true, error(nil)
	h := NewHandler(newFixture(t).MCPServer, HTTPOptions{
		Authenticate: authenticate, Anonymous: ctxmcp.Caller{Tenant: "t", User: "anyone"},
		Open: func(context.Context) (bool, error) { return open, failure },
	})
	defer h.Close()
	id := beginAs(t, h, "nobody")
	failure = errors.New("the store is locked")
	if w := post(h, initialize, "nobody", ""); w.Code != http.StatusUnauthorized {
		t.Errorf("while it is not known whether tokens exist: %d", w.Code)
	}
	failure = nil
	if !alive(t, h, "nobody", id) {
		t.Error("the session ended although no token exists")
	}
	open = false
	if w := post(h, rpc(2, "ping", map[string]any{}), "nobody", id); w.Code != http.StatusUnauthorized {
		t.Errorf("once a token exists: %d %s", w.Code, w.Body)
	}
	open = true // all were revoked
	if w := post(h, initialize, "nobody", ""); w.Code != http.StatusUnauthorized {
		t.Errorf("once a token has existed: %d", w.Code)
	}
	if w := post(h, rpc(2, "ping", map[string]any{}), "bob", id); w.Code != http.StatusNotFound {
		t.Errorf("the session of nobody in particular, for bob: %d", w.Code)
	}
	beginAs(t, h, "bob")
}

// listening opens a stream with the header, and returns whether it has ended.
func listening(t *testing.T, h *Handler, header ...string) *atomic.Bool {
	t.Helper()
	body, headers := modernRPC(7, "subscriptions/listen", map[string]any{"notifications": map[string]any{"toolsListChanged": true}})
	r := httptest.NewRequest("POST", "http://localhost/mcp", strings.NewReader(body))
	for _, line := range append(headers, append(header, "Content-Type: application/json", "Accept: application/json, text/event-stream")...) {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	ended := new(atomic.Bool)
	go func() { h.ServeHTTP(httptest.NewRecorder(), r); ended.Store(true) }()
	return ended
}

// TestStreamsEndOnceTokensCount: a stream that was opened without a token ends once tokens are needed.
func TestStreamsEndOnceTokensCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var closed atomic.Bool
		h := NewHandler(newFixture(t).MCPServer, HTTPOptions{
			Authenticate: authenticate, Anonymous: ctxmcp.Caller{Tenant: "t", User: "anyone"},
			Open: func(context.Context) (bool, error) { return !closed.Load(), nil },
		})
		defer h.Close()
		ended := listening(t, h)
		time.Sleep(time.Minute)
		if synctest.Wait(); ended.Load() {
			t.Fatal("the stream ended although no token exists")
		}
		closed.Store(true)
		time.Sleep(tokensEvery)
		if synctest.Wait(); !ended.Load() {
			t.Error("the stream goes on although a token is needed")
		}
	})
}

// TestStreamsEndWithTheirToken: a stream outlives neither its token nor the rights that the token had, and a short outage of the issuer not at all.
func TestStreamsEndWithTheirToken(t *testing.T) {
	ann := ctxmcp.Caller{Tenant: "t", User: "ann"}
	outage, denied := ctxmcp.Errorf(ctxmcp.CodeUnavailable, "no answer"), ctxmcp.Errorf(ctxmcp.CodeDenied, "withdrawn")
	for _, tt := range []struct {
		name string
		say  func(looks int) (ctxmcp.Caller, error)
		want time.Duration // after which it has ended; 0: it goes on for an hour
	}{
		{"it counts", func(int) (ctxmcp.Caller, error) { return ann, nil }, 0},
		{"withdrawn", func(looks int) (ctxmcp.Caller, error) {
			if looks > 3 {
				return ctxmcp.Caller{}, denied
			}
			return ann, nil
		}, 3 * tokenEvery},
		{"of another user", func(looks int) (ctxmcp.Caller, error) {
			if looks > 1 {
				return ctxmcp.Caller{Tenant: "t", User: "eve"}, nil
			}
			return ann, nil
		}, tokenEvery},
		{"a short outage", func(looks int) (ctxmcp.Caller, error) {
			if looks > 1 && looks%tokenMisses != 0 {
				return ctxmcp.Caller{}, outage
			}
			return ann, nil
		}, 0},
		{"a long outage", func(looks int) (ctxmcp.Caller, error) {
			if looks > 1 {
				return ctxmcp.Caller{}, outage
			}
			return ann, nil
		}, tokenMisses * tokenEvery},
	} {
		synctest.Test(t, func(t *testing.T) {
			looks := 0
			h := NewHandler(newFixture(t).MCPServer, HTTPOptions{Authenticate: func(context.Context, string) (ctxmcp.Caller, error) {
				looks++
				return tt.say(looks)
			}})
			defer h.Close()
			ended := listening(t, h, "Authorization: Bearer x")
			before := tt.want - time.Millisecond
			if tt.want == 0 {
				before = time.Hour
			}
			time.Sleep(before)
			if synctest.Wait(); ended.Load() {
				t.Fatalf("%s: the stream ended too early", tt.name)
			}
			time.Sleep(time.Millisecond)
			if synctest.Wait(); ended.Load() != (tt.want > 0) {
				t.Errorf("%s: after %s the stream has ended: %t", tt.name, before, ended.Load())
			}
		})
	}
}

// TestOpenServerListensOnThisMachineOnly: also one that will ask for tokens once there are some.
func TestOpenServerListensOnThisMachineOnly(t *testing.T) {
	o := HTTPOptions{Addr: "0.0.0.0:0", Authenticate: authenticate, Open: func(context.Context) (bool, error) { return true, nil }}
	if err := HTTP(t.Context(), newFixture(t).MCPServer, o); err == nil || !strings.Contains(err.Error(), "configure tokens, or listen on 127.0.0.1") {
		t.Errorf("HTTP = %v", err)
	}
}

// TestMetricsCanBeKept: to those whom the endpoint takes.
func TestMetricsCanBeKept(t *testing.T) {
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("figures")) })
	for _, kept := range []bool{false, true} {
		h := NewHandler(newFixture(t).MCPServer, HTTPOptions{Authenticate: authenticate, Metrics: page, Kept: kept})
		defer h.Close()
		for token, want := range map[string]bool{"": !kept, "nobody": !kept, "bob": true} {
			r := httptest.NewRequest("GET", "http://localhost/metrics", nil)
			if token != "" {
				r.Header.Set("Authorization", "Bearer "+token)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if got := w.Body.String() == "figures"; got != want {
				t.Errorf("kept %t, token %q: %d %s", kept, token, w.Code, w.Body)
			}
		}
	}
}
