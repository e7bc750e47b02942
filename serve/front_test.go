package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// fakeFront answers calls of tools, and has the server answer lists.
type fakeFront struct{}

func (fakeFront) Answer(_ context.Context, _ Peer, method string, params json.RawMessage, own func(json.RawMessage) Reply) (Reply, bool) {
	switch method {
	case "tools/call":
		return Reply{Result: json.RawMessage(`{"of":"the front","resultType":"complete"}`)}, true
	case "tools/list":
		return own(params), true
	}
	return Reply{}, false
}

func (fakeFront) Notice(context.Context, Peer, string, json.RawMessage) {}

// TestFrontIsAskedOnlyWhereHeadersAgree: in the revision without sessions a request whose headers say another thing than its message is refused as it
// is without a front, and the error of a list keeps its status.
func TestFrontIsAskedOnlyWhereHeadersAgree(t *testing.T) {
	h := NewHandler(newFixture(t).MCPServer, HTTPOptions{Front: fakeFront{}})
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	const version, method, name = "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: x"
	for _, c := range []struct {
		what, method, params string
		headers              []string
		status               int
		answers              string
	}{
		{"that agrees", "tools/call", `{"name":"x",` + meta + `}`, []string{version, method, name}, 200, "the front"},
		{"without its method", "tools/call", `{"name":"x",` + meta + `}`, []string{version, name}, 400, "error"},
		{"of another tool", "tools/call", `{"name":"x",` + meta + `}`, []string{version, method, "Mcp-Name: y"}, 400, "error"},
		{"without its version", "tools/call", `{"name":"x",` + meta + `}`, []string{method, name}, 400, "error"},
		{"whose message has no version", "tools/call", `{"name":"x"}`, []string{version, method, name}, 400, "error"},
		{"of a stream that goes on", "tools/call", `{"name":"x",` + meta + `}`, []string{version, method, name, "Last-Event-ID: 1"}, 400, "error"},
		{"for a list", "tools/list", `{` + meta + `}`, []string{version, "Mcp-Method: tools/list"}, 200, "resultType"},
		{"for a list, without capabilities", "tools/list", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`, []string{version, "Mcp-Method: tools/list"}, 400, "error"},
	} {
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+c.method+`","params":`+c.params+`}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		for _, line := range c.headers {
			of, value, _ := strings.Cut(line, ": ")
			r.Header.Set(of, value)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.answers) || strings.Contains(w.Body.String(), "the front") != (c.answers == "the front") {
			t.Errorf("a request %s: %d %s, want %d and %s", c.what, w.Code, w.Body, c.status, c.answers)
		}
	}
}
