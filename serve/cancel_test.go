package serve

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

const cancelled = "notifications/cancelled"

func TestCancellationByAnotherClientIsDropped(t *testing.T) {
	f := newFixture(t)
	url := f.serveHandler(t, HTTPOptions{})
	session, other := begin(t, url), begin(t, url)
	calls := map[string]chan answer{"2026-07-28": make(chan answer, 1), "2025-11-25": make(chan answer, 1)}
	go func() {
		body, headers := modernRPC(1, "tools/call", callParams("wait"))
		calls["2026-07-28"] <- send(t, "POST", url, body, headers...)
	}()
	go func() { calls["2025-11-25"] <- send(t, "POST", url, toolCall(1, "wait"), session) }()
	<-f.started
	<-f.started

	params := map[string]any{"requestId": 1}
	modernBody, modernHeaders := modernRPC(0, cancelled, map[string]any{"requestId": 1})
	attacks := map[string]answer{
		"modern":                  send(t, "POST", url, modernBody, modernHeaders...),
		"modern with a session":   send(t, "POST", url, modernBody, append(modernHeaders, session)...),
		"modern by its body only": send(t, "POST", url, modernBody, session),
		"without a session":       send(t, "POST", url, rpc(0, cancelled, params)),
		"in another session":      send(t, "POST", url, rpc(0, cancelled, params), other),
		"odd _meta, no session": send(t, "POST", url,
			`{"jsonrpc":"2.0","params":{"_meta":5,"requestId":1},"method":"notifications/cancelled"}`),
		"odd case, no session": send(t, "POST", url,
			`{"jsonrpc":"2.0","PARAMS":{"requestId":1},"METHOD":"notifications/cancelled"}`),
	}
	for name, got := range attacks {
		if got.status != 202 {
			t.Errorf("cancel %s = %d %s, want 202", name, got.status, got.body)
		}
	}
	close(f.release)
	for era, answered := range calls {
		if got := <-answered; !strings.Contains(got.body, "finished") {
			t.Errorf("call of %s = %d %s, want finished", era, got.status, got.body)
		}
	}
}

func TestCancellationInTheSameSessionWorks(t *testing.T) {
	f := newFixture(t)
	url := f.serveHandler(t, HTTPOptions{})
	session := begin(t, url)
	called := make(chan answer, 1)
	go func() { called <- send(t, "POST", url, toolCall(1, "wait"), session) }()
	<-f.started
	if got := send(t, "POST", url, rpc(0, cancelled, map[string]any{"requestId": 1}), session); got.status != 202 {
		t.Errorf("cancel = %d %s, want 202", got.status, got.body)
	}
	if got := <-called; !strings.Contains(got.body, "cancelled") {
		t.Errorf("call = %d %s, want cancelled", got.status, got.body)
	}
}

func TestClosingTheResponseCancelsTheCall(t *testing.T) {
	f := newFixture(t)
	url := f.serveHandler(t, HTTPOptions{})
	f.AddTool(mcp.NewTool("both"), func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if err := f.SendNotificationToClient(ctx, "notifications/progress", nil); err != nil {
			return nil, err
		}
		return f.wait(ctx, r)
	})
	ctx, hangUp := context.WithCancel(t.Context())
	body, headers := modernRPC(1, "tools/call", callParams("both"))
	response := open(t, ctx, "POST", url, body, headers...) // the progress notification has brought the headers
	<-f.started
	hangUp()
	response.Body.Close()
	if got := <-f.started; got != "cancelled" {
		t.Errorf("the call was %s, want cancelled", got)
	}
}

// addWaiting adds a resource and a prompt that do as wait does.
func (f *fixture) addWaiting() {
	f.AddResource(mcp.NewResource("test://wait", "wait"), func(ctx context.Context, _ mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		_, err := f.wait(ctx, mcp.CallToolRequest{})
		return nil, err
	})
	f.AddPrompt(mcp.NewPrompt("wait"), func(ctx context.Context, _ mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		_, err := f.wait(ctx, mcp.CallToolRequest{})
		return &mcp.GetPromptResult{}, err
	})
}

// waiting are the requests for them.
var waiting = map[string]map[string]any{
	"tools/call":     {"name": "wait"},
	"resources/read": {"uri": "test://wait"},
	"prompts/get":    {"name": "wait"},
}

// TestCancellationReachesEveryHandler: in each era, on each transport and for each request, whether the client cancels or
// hangs up before a byte of the answer has come.
func TestCancellationReachesEveryHandler(t *testing.T) {
	f := newFixture(t)
	f.addWaiting()
	url := f.serveHandler(t, HTTPOptions{})
	session := begin(t, url)
	reached := func(how, method string) {
		t.Helper()
		if got := <-f.started; got != "cancelled" {
			t.Errorf("%s, %s: the handler was %s, want cancelled", how, method, got)
		}
	}
	for method, params := range waiting {
		hangUp := f.ask(t, url, rpc(1, method, params), session)
		hangUp()
		reached("the client of a session hangs up", method)

		hangUp = f.ask(t, url, rpc(2, method, params), session)
		send(t, "POST", url, rpc(0, cancelled, map[string]any{"requestId": 2}), session)
		reached("the client of a session says so", method)
		hangUp()

		body, headers := modernRPC(3, method, maps.Clone(params))
		if uri, ok := params["uri"].(string); ok {
			headers = append(headers, "Mcp-Name: "+uri)
		}
		hangUp = f.ask(t, url, body, headers...)
		hangUp()
		reached("the client without a session hangs up", method)

		in, lines := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- Stdio(t.Context(), f.MCPServer, in, io.Discard, StdioOptions{}) }()
		fmt.Fprintln(lines, rpc(4, method, params))
		<-f.started
		fmt.Fprintln(lines, rpc(0, cancelled, map[string]any{"requestId": 4}))
		reached("the client on stdio says so", method)
		lines.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// ask sends a request and returns, once its handler runs, a function that hangs up.
func (f *fixture) ask(t *testing.T, url, body string, headers ...string) (hangUp func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		request.Header.Add(name, value)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if response, err := http.DefaultClient.Do(request); err == nil {
			_, _ = io.Copy(io.Discard, response.Body)
			response.Body.Close()
		}
	}()
	select {
	case <-f.started:
	case <-ended:
		t.Fatalf("%s was answered before its handler ran", body)
	}
	return func() { cancel(); <-ended }
}
