package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// counting returns the events of a count(n) call as "progress TOKEN i" and "result".
func counting(t *testing.T, body string) []string {
	t.Helper()
	var got []string
	for _, event := range events(body) {
		var m struct {
			Method string
			Params struct {
				ProgressToken string
				Progress      int
			}
			Result json.RawMessage
		}
		if err := json.Unmarshal([]byte(event), &m); err != nil {
			t.Fatalf("event %q: %v", event, err)
		}
		if m.Result != nil {
			got = append(got, "result")
		} else {
			got = append(got, fmt.Sprint("progress ", m.Params.ProgressToken, " ", m.Params.Progress))
		}
	}
	return got
}

func counted(token string, n int) []string {
	var want []string
	for i := range n {
		want = append(want, fmt.Sprint("progress ", token, " ", i))
	}
	return append(want, "result")
}

func TestNotificationsJustBeforeTheResultAreNotLost(t *testing.T) {
	url := newFixture(t).serveHandler(t, HTTPOptions{})
	session := begin(t, url)
	eras := map[string]func(token string) answer{
		"2025-11-25": func(token string) answer {
			return send(t, "POST", url, toolCall(2, "count", "n", 3, "name", token), session)
		},
		"2026-07-28": func(token string) answer {
			body, headers := modernRPC(2, "tools/call", callParams("count", "n", 3, "name", token))
			return send(t, "POST", url, body, headers...)
		},
	}
	for era, post := range eras {
		for i := range 100 {
			token := fmt.Sprint(era, "#", i)
			got := post(token)
			if diff := cmp.Diff(counted(token, 3), counting(t, got.body)); diff != "" {
				t.Fatalf("%s: events differ (-want +got):\n%s", token, diff)
			}
		}
	}
}

func TestNotificationsOfOneSessionStayWithTheirCalls(t *testing.T) {
	url := newFixture(t).serveHandler(t, HTTPOptions{})
	session := begin(t, url)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			token := fmt.Sprint("call", i)
			got := send(t, "POST", url, toolCall(i+2, "count", "n", 5, "name", token), session)
			if diff := cmp.Diff(counted(token, 5), counting(t, got.body)); diff != "" {
				t.Errorf("%s: events differ (-want +got):\n%s", token, diff)
			}
		})
	}
	wg.Wait()
}

func TestEventStreamIsNotBuffered(t *testing.T) {
	url := newFixture(t, server.WithToolCapabilities(true)).serveHandler(t, HTTPOptions{})
	body, headers := modernRPC(2, "tools/call", callParams("count", "n", 1))
	streams := map[string]http.Header{
		"a tool":      send(t, "POST", url, body, headers...).header,
		"the library": listenTo(t, url).Header,
	}
	for from, header := range streams {
		if got := header.Get("X-Accel-Buffering"); got != "no" {
			t.Errorf("X-Accel-Buffering of a stream from %s = %q, want no", from, got)
		}
		if got := header.Get("Content-Type"); got != "text/event-stream" {
			t.Errorf("Content-Type of a stream from %s = %q, want text/event-stream", from, got)
		}
	}
}

// A goroutine that a tool left behind must not bring the server down.
func TestNotificationAfterTheResultIsDropped(t *testing.T) {
	f := newFixture(t)
	answered, told := make(chan struct{}), make(chan error, 1)
	f.AddTool(mcp.NewTool("late"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		go func() {
			<-answered
			told <- f.SendNotificationToClient(ctx, "notifications/progress", nil)
		}()
		return mcp.NewToolResultText("done"), nil
	})
	url := f.serveHandler(t, HTTPOptions{})
	got := send(t, "POST", url, toolCall(2, "late"), begin(t, url))
	close(answered)
	if err := <-told; err != nil || !strings.Contains(got.body, "done") {
		t.Errorf("notify after the result: %v; POST = %d %s", err, got.status, got.body)
	}
}

// listenTo opens a subscriptions/listen stream and returns once it is acknowledged.
func listenTo(t *testing.T, url string) *http.Response {
	t.Helper()
	body, headers := modernRPC(7, "subscriptions/listen",
		map[string]any{"notifications": map[string]any{"toolsListChanged": true}})
	response := open(t, t.Context(), "POST", url, body, headers...)
	t.Cleanup(func() { response.Body.Close() })
	lines := bufio.NewReader(response.Body)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("listen = %d, %q: %v", response.StatusCode, line, err)
		}
		if strings.Contains(line, "subscriptions/acknowledged") {
			response.Body = struct {
				io.Reader
				io.Closer
			}{lines, response.Body}
			return response
		}
	}
}

// TestListenIsAcknowledgedBeforeItsResult: the library answers at once if nothing can be subscribed to.
func TestListenIsAcknowledgedBeforeItsResult(t *testing.T) {
	url := newFixture(t, server.WithToolCapabilities(false)).serveHandler(t, HTTPOptions{})
	body, headers := modernRPC(7, "subscriptions/listen",
		map[string]any{"notifications": map[string]any{"toolsListChanged": true}})
	for i := range 200 {
		got := events(send(t, "POST", url, body, headers...).body)
		if len(got) != 2 || !strings.Contains(got[0], "subscriptions/acknowledged") {
			t.Fatalf("listen %d: events = %q, want the acknowledgement and the result", i, got)
		}
	}
}
