package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

const secret = "s3cr3t-argument"

// fixture is an MCP server with a tool for each thing that can go wrong between a client and a tool.
type fixture struct {
	*server.MCPServer
	log     *logBuffer
	started chan string   // the name of every call of wait, once it runs
	release chan struct{} // close it to let wait finish
}

func newFixture(t *testing.T, opts ...server.ServerOption) *fixture {
	t.Helper()
	f := &fixture{log: &logBuffer{}, started: make(chan string, 1000), release: make(chan struct{})}
	f.MCPServer = server.NewMCPServer("fixture", "1", append(Options(f.logger()), opts...)...)
	reads := mcp.WithReadOnlyHintAnnotation(true)
	f.AddTool(mcp.NewTool("whoami", reads), f.whoami)
	f.AddTool(mcp.NewTool("count", reads), f.count)
	f.AddTool(mcp.NewTool("wait", reads), f.wait)
	f.AddTool(mcp.NewTool("panic", reads), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		panic(secret)
	})
	f.AddTool(mcp.NewTool("fail", reads), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errors.New(secret)
	})
	return f
}

func (f *fixture) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// whoami answers with the user of the caller.
func (f *fixture) whoami(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	caller, ok := CallerFrom(ctx)
	return mcp.NewToolResultText(fmt.Sprintf("%s %t", caller.User, ok)), nil
}

// count sends n progress notifications, the last one just before its result.
func (f *fixture) count(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for i := range r.GetInt("n", 0) {
		err := f.SendNotificationToClient(ctx, "notifications/progress",
			map[string]any{"progressToken": r.GetString("name", ""), "progress": i})
		if err != nil {
			return nil, err
		}
	}
	return mcp.NewToolResultText("counted"), nil
}

// wait reports its name and answers once it is released or cancelled.
func (f *fixture) wait(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	f.started <- r.GetString("name", "")
	select {
	case <-f.release:
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		f.started <- "cancelled"
		return mcp.NewToolResultText("cancelled"), nil
	}
	return mcp.NewToolResultText("finished"), nil
}

// logBuffer collects the log.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// serveHandler runs the fixture's handler on a port of its own and returns the URL of the endpoint.
func (f *fixture) serveHandler(t *testing.T, o HTTPOptions) string {
	t.Helper()
	o.Logger = f.logger()
	h := NewHandler(f.MCPServer, o)
	web := httptest.NewServer(h)
	t.Cleanup(func() {
		h.Close()
		web.Close()
	})
	return web.URL + "/mcp"
}

// answer is the response to a request.
type answer struct {
	status int
	header http.Header
	body   string
}

// send makes a request with "Name: value" headers. A Host among them replaces the one of the URL.
func send(t *testing.T, method, url, body string, headers ...string) answer {
	t.Helper()
	response := open(t, t.Context(), method, url, body, headers...)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Errorf("%s %s: %v", method, url, err)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}

// open is send up to the headers of the response.
func open(t *testing.T, ctx context.Context, method, url, body string, headers ...string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		if name == "Host" {
			request.Host = value
		} else {
			request.Header.Add(name, value)
		}
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	return response
}

// rpc returns a JSON-RPC request, or a notification if id is 0.
func rpc(id int, method string, params map[string]any) string {
	m := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
	if id != 0 {
		m["id"] = id
	}
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// toolCall returns a tools/call; args are name, value pairs.
func toolCall(id int, tool string, args ...any) string {
	return rpc(id, "tools/call", callParams(tool, args...))
}

func callParams(tool string, args ...any) map[string]any {
	arguments := map[string]any{}
	for i := 0; i < len(args); i += 2 {
		arguments[args[i].(string)] = args[i+1]
	}
	return map[string]any{"name": tool, "arguments": arguments}
}

// modernRPC is rpc in revision 2026-07-28, with the headers that it needs over HTTP.
func modernRPC(id int, method string, params map[string]any) (body string, headers []string) {
	params["_meta"] = map[string]any{
		"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": map[string]any{},
	}
	headers = []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}
	if name, ok := params["name"].(string); ok {
		headers = append(headers, "Mcp-Name: "+name)
	}
	return rpc(id, method, params), headers
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// begin initializes a protocol session and returns the header that names it.
func begin(t *testing.T, url string, headers ...string) string {
	t.Helper()
	a := send(t, "POST", url, initialize, headers...)
	id := a.header.Get("Mcp-Session-Id")
	if a.status != http.StatusOK || id == "" {
		t.Fatalf("initialize = %d %s, session %q", a.status, a.body, id)
	}
	return "Mcp-Session-Id: " + id
}

// events returns the messages of an event stream.
func events(body string) []string {
	var all []string
	for line := range strings.Lines(body) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			all = append(all, strings.TrimSpace(data))
		}
	}
	return all
}

// alice, bob and the rest are who holds the tokens of the same name.
func authenticate(_ context.Context, token string) (ctxmcp.Caller, error) {
	switch token {
	case "alice", "alice-new":
		return ctxmcp.Caller{Tenant: "t", User: "alice", Roles: []string{"dev"}}, nil
	case "alice-operator":
		return ctxmcp.Caller{Tenant: "t", User: "alice", Roles: []string{"operator"}}, nil
	case "bob":
		return ctxmcp.Caller{Tenant: "t", User: "bob"}, nil
	case "outage":
		return ctxmcp.Caller{}, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the token store is down")
	default:
		return ctxmcp.Caller{}, ctxmcp.Errorf(ctxmcp.CodeDenied, "unknown token")
	}
}
