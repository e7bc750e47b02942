package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/directives/upstream"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// TestBothEras: a client of the revision without sessions gets the members that it requires of the results of a server of an older revision, and
// what a server says of them itself stays. A client of an older revision gets what the server sent.
func TestBothEras(t *testing.T) {
	s := script{Offer: offering(echo), Results: map[string]json.RawMessage{
		"tools/call echo":      json.RawMessage(`{"content":[]}`),
		"resources/read f:a":   json.RawMessage(` {"contents":[]}`),
		"resources/read f:own": json.RawMessage(`{"contents":[],"ttlMs":5,"cacheScope":"public","resultType":"complete"}`),
		"resources/read f:not": json.RawMessage(`{}`),
	}}
	g, _ := newGateway(t, map[string]Server{"s": s.server(t)}, Options{})
	t.Cleanup(func() { g.Close(context.Background()) })
	g.Refresh()
	for _, c := range []struct{ method, params, want, older string }{
		{"tools/call", `{"name":"s__echo","arguments":{}}`, `{"resultType":"complete","content":[]}`, `{"content":[]}`},
		{"resources/read", `{"uri":"upstream:s/f:a"}`, `{"resultType":"complete","ttlMs":0,"cacheScope":"private","contents":[]}`, `{"contents":[]}`},
		{"resources/read", `{"uri":"upstream:s/f:own"}`, `{"contents":[],"ttlMs":5,"cacheScope":"public","resultType":"complete"}`,
			`{"contents":[],"ttlMs":5,"cacheScope":"public","resultType":"complete"}`},
		{"resources/read", `{"uri":"upstream:s/f:not"}`, `{"resultType":"complete","ttlMs":0,"cacheScope":"private"}`, `{}`},
	} {
		for modern, want := range map[bool]string{true: c.want, false: c.older} {
			reply, mine := g.Answer(t.Context(), serve.Peer{Caller: ann, Modern: modern}, c.method, json.RawMessage(c.params), nil)
			if !mine || !sameJSON(reply.Result, []byte(want)) {
				t.Errorf("%s %s for a modern client (%v): %s %s, want %s", c.method, c.params, modern, reply.Result, reply.Error, want)
			}
		}
	}
}

// TestServerWithoutSessions: a server over HTTP that knows the revision without sessions alone refuses the greeting by its status, and is spoken to without one.
func TestServerWithoutSessions(t *testing.T) {
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.NewDecoder(r.Body).Decode(&m) != nil || r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		result := map[string]string{
			"server/discover": `{"protocolVersion":"2026-07-28","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"new","version":"1"}}`,
			"tools/list":      `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[{"name":"echo","inputSchema":{"type":"object"}}]}`,
			"tools/call":      `{"resultType":"complete","content":[{"type":"text","text":"the pier"}]}`,
		}[m.Method]
		w.Header().Set("Content-Type", "application/json")
		if result == "" || r.Header.Get("Mcp-Protocol-Version") != "2026-07-28" || r.Header.Get("Mcp-Method") != m.Method {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"only 2026-07-28"}}`, m.ID)
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}))
	defer behind.Close()
	g, _ := newGateway(t, map[string]Server{"s": {Server: upstream.Server{URL: behind.URL + "/mcp"}}}, Options{})
	t.Cleanup(func() { g.Close(context.Background()) })
	g.Refresh()
	reply, _ := g.Answer(t.Context(), serve.Peer{Caller: ann}, "tools/call", json.RawMessage(`{"name":"s__echo","arguments":{}}`), nil)
	if !strings.Contains(string(reply.Result), "the pier") {
		t.Errorf("a call answers %s %s", reply.Result, reply.Error)
	}
}
