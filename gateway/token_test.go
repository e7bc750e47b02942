package gateway

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/directives/upstream"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// TestTokenStaysHere: the access token with which a client comes in is in no request to a server behind the gateway.
func TestTokenStaysHere(t *testing.T) {
	const secret = "eyJ.client-access-token.sig"
	behind := server.NewMCPServer("behind", "1")
	behind.AddTool(mcp.NewTool("echo"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("from behind"), nil
	})
	inner := server.NewStreamableHTTPServer(behind)
	var mu sync.Mutex
	var seen strings.Builder
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		_ = r.Header.Write(&seen)
		seen.WriteString(r.URL.String())
		seen.Write(body)
		mu.Unlock()
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	gw, _ := newGateway(t, map[string]Server{"web": {Server: upstream.Server{URL: web.URL}}}, Options{})
	t.Cleanup(func() { gw.Close(context.Background()) })
	gw.Refresh()
	own := server.NewMCPServer("own", "1", append(serve.Options(slog.New(slog.DiscardHandler)), server.WithToolCapabilities(false))...)
	caller := func(context.Context, string) (ctxmcp.Caller, error) { return ann, nil }
	h := serve.NewHandler(own, serve.HTTPOptions{Front: gw, PublicURL: "https://ctx.example", Authenticate: caller, OAuth: &serve.OAuth{
		Own:          func(string) bool { return false },
		Authenticate: func(context.Context, string) (ctxmcp.Caller, []string, error) { return ann, []string{"all"}, nil },
		Needs:        func(string, string, string) []string { return []string{"all"} },
	}})
	t.Cleanup(h.Close)
	front := httptest.NewServer(h)
	t.Cleanup(front.Close)
	send := func(session, body string) (string, string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, front.URL+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+secret)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			request.Header.Set("Mcp-Session-Id", session)
		}
		got, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Body.Close()
		text, _ := io.ReadAll(got.Body)
		return got.Header.Get("Mcp-Session-Id"), string(text)
	}
	session, _ := send("", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
	_, answer := send(session, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"web__echo","arguments":{}}}`)
	mu.Lock()
	defer mu.Unlock()
	if !strings.Contains(answer, "from behind") || !strings.Contains(seen.String(), `"echo"`) {
		t.Fatalf("the call did not reach the server behind: %s", answer)
	}
	if strings.Contains(seen.String(), secret) || strings.Contains(seen.String(), "Authorization") {
		t.Error("the token of the client reached the server behind the gateway")
	}
}
