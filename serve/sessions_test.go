package serve

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// post sends a message to a handler without a network.
func post(h *Handler, body, token, session string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "http://localhost/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+token)
	if session != "" {
		r.Header.Set(server.HeaderKeySessionID, session)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// beginAs returns the id of a new session of who holds a token.
func beginAs(t *testing.T, h *Handler, token string) string {
	t.Helper()
	w := post(h, initialize, token, "")
	id := w.Header().Get(server.HeaderKeySessionID)
	if w.Code != http.StatusOK || id == "" {
		t.Fatalf("initialize = %d %s", w.Code, w.Body)
	}
	return id
}

// alive reports whether a session exists, which counts as a use of it.
func alive(t *testing.T, h *Handler, token, session string) bool {
	t.Helper()
	w := post(h, rpc(7, "ping", map[string]any{}), token, session)
	if w.Code != http.StatusOK && (w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "unknown session: initialize again")) {
		t.Fatalf("ping = %d %s", w.Code, w.Body)
	}
	return w.Code == http.StatusOK
}

// TestSessionsAreBounded: one too many ends the session that was used longest ago, of the caller or of all.
func TestSessionsAreBounded(t *testing.T) {
	h := NewHandler(newFixture(t).MCPServer, HTTPOptions{Authenticate: authenticate, Sessions: 3, SessionsEach: 2})
	defer h.Close()
	first, second := beginAs(t, h, "alice"), beginAs(t, h, "alice")
	if !alive(t, h, "alice", first) {
		t.Fatal("the first session is gone")
	}
	third := beginAs(t, h, "alice-operator") // the same caller, with other rights
	if alive(t, h, "alice", second) || !alive(t, h, "alice", first) || !alive(t, h, "alice-operator", third) {
		t.Error("of alice's sessions the one that was used longest ago is not the one that ended")
	}
	bobs := beginAs(t, h, "bob")
	another := beginAs(t, h, "bob")
	if alive(t, h, "alice", first) || !alive(t, h, "alice-operator", third) || !alive(t, h, "bob", bobs) || !alive(t, h, "bob", another) {
		t.Error("of all sessions the one that was used longest ago is not the one that ended")
	}
	if w := post(h, "", "bob", bobs); w.Code == http.StatusOK {
		t.Errorf("an empty message = %d", w.Code)
	}
	if len(h.sessions.byID) != 3 || h.sessions.recent.Len() != 3 || len(h.sessions.gone) != 0 {
		t.Errorf("%d sessions, %d in order, %d to forget", len(h.sessions.byID), h.sessions.recent.Len(), len(h.sessions.gone))
	}
}

// TestIdleSessionsEnd: those that nobody uses any more are gone after a while, whether or not another begins.
func TestIdleSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHandler(newFixture(t).MCPServer, HTTPOptions{Authenticate: authenticate})
		defer h.Close()
		idle, used := beginAs(t, h, "alice"), beginAs(t, h, "alice")
		time.Sleep(sessionIdleTTL - time.Minute)
		if !alive(t, h, "alice", used) {
			t.Error("a session ended early")
		}
		time.Sleep(2 * time.Minute)
		if alive(t, h, "alice", idle) || !alive(t, h, "alice", used) {
			t.Error("the idle session lives, or the other does not")
		}
		time.Sleep(2 * sessionIdleTTL)
		beginAs(t, h, "bob")
		if len(h.sessions.byID) != 1 {
			t.Errorf("%d sessions are left, want bob's", len(h.sessions.byID))
		}
	})
}

// TestIdleSessionIsSmall: a session takes at most 4 KB of the process, with any hello of its client.
func TestIdleSessionIsSmall(t *testing.T) {
	const count = 200
	h := NewHandler(newFixture(t).MCPServer, HTTPOptions{Authenticate: authenticate, Sessions: count, SessionsEach: count})
	defer h.Close()
	long := strings.Repeat("n", 20_000)
	hello := rpc(1, "initialize", map[string]any{
		"protocolVersion": "2025-11-25",
		"clientInfo":      map[string]any{"name": long, "version": long, "title": long, "icons": []any{map[string]any{"src": long}}},
		"capabilities":    map[string]any{"elicitation": map[string]any{}, "experimental": map[string]any{"x": map[string]any{"y": long}}},
	})
	before := heapInUse()
	for range count {
		id := post(h, hello, "alice", "").Header().Get(server.HeaderKeySessionID)
		if !alive(t, h, "alice", id) {
			t.Fatal("a session did not begin")
		}
	}
	if each := (heapInUse() - before) / count; each > 4<<10 {
		t.Errorf("an idle session takes %d bytes, want at most 4096", each)
	}
	runtime.KeepAlive(h)
}

func heapInUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestInitializeHasALimitOfItsOwn: nothing else is valid without a session, so that nothing larger is read; nor is it valid
// in one.
func TestInitializeHasALimitOfItsOwn(t *testing.T) {
	h := NewHandler(newFixture(t).MCPServer, HTTPOptions{Authenticate: authenticate})
	defer h.Close()
	large := strings.Replace(initialize, `"name":"test"`, `"name":"`+strings.Repeat("n", maxInitialize)+`"`, 1)
	for _, session := range []string{"", beginAs(t, h, "alice")} {
		if w := post(h, large, "alice", session); w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "larger than 131072 bytes") {
			t.Errorf("a large initialize in session %q = %d %s", session, w.Code, w.Body)
		}
	}
	f := newFixture(t)
	got := talkStdio(t, f, large+"\n"+initialize+"\n")
	if !strings.Contains(got, "an initialize is not larger than 131072 bytes") || !strings.Contains(got, `"result":`) {
		t.Errorf("over stdio: %s", got)
	}
}

// talkStdio returns all that a server writes to a client.
func talkStdio(t *testing.T, f *fixture, in string) string {
	t.Helper()
	var out strings.Builder
	if err := Stdio(t.Context(), f.MCPServer, strings.NewReader(in), &out, StdioOptions{Logger: f.logger()}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestSessionRemembersItsClient: the hello of a client counts for its later messages, cut to the length that is
// logged, though the library has forgotten it.
func TestSessionRemembersItsClient(t *testing.T) {
	f := newFixture(t)
	f.AddTool(mcp.NewTool("client"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		session := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo)
		can := session.GetClientCapabilities()
		return mcp.NewToolResultText(fmt.Sprintf("%d %s %t %t %d", len([]rune(session.GetClientInfo().Name)), server.RequestProtocolVersion(ctx),
			can.Elicitation != nil, can.Roots != nil, len(can.Experimental))), nil
	})
	h := NewHandler(f.MCPServer, HTTPOptions{Authenticate: authenticate})
	defer h.Close()
	hello := rpc(1, "initialize", map[string]any{
		"protocolVersion": "2025-06-18", "clientInfo": map[string]any{"name": strings.Repeat("é", 300), "version": "1"},
		"capabilities": map[string]any{"elicitation": map[string]any{}, "experimental": map[string]any{"x": map[string]any{}}},
	})
	id := post(h, hello, "alice", "").Header().Get(server.HeaderKeySessionID)
	for range 2 {
		if w := post(h, toolCall(2, "client"), "alice", id); !strings.Contains(w.Body.String(), `"256 2025-06-18 true false 0"`) {
			t.Errorf("the client is %s", w.Body)
		}
	}
}
