package serve

import (
	"context"
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
