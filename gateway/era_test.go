package gateway

import (
	"context"
	"encoding/json"
	"testing"

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
