package serve

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/mark3labs/mcp-go/server"
)

// TestTooManyValuesAreNotDecoded: over both transports, and the caller learns which message it was.
func TestTooManyValuesAreNotDecoded(t *testing.T) {
	many := `{"jsonrpc":"2.0","id":"m1","method":"tools/call","params":{"name":"whoami","arguments":{"a":[` + strings.Repeat("0,", maxValues) + `0]}}}`
	want := `"id":"m1","error":{"code":-32600,"message":"the message has more than 1000000 values; send it in parts, or as a text"}`
	f := newFixture(t)
	h := NewHandler(f.MCPServer, HTTPOptions{Authenticate: authenticate})
	defer h.Close()
	if w := post(h, many, "alice", beginAs(t, h, "alice")); w.Code != 400 || !strings.Contains(w.Body.String(), want) {
		t.Errorf("POST = %d %s", w.Code, w.Body)
	}
	if got := talkStdio(t, f, initialize+"\n"+many+"\n"); !strings.Contains(got, want) {
		t.Errorf("over stdio: %s", got)
	}
	text := toolCall(1, "whoami", "a", strings.Repeat("0,", maxValues))
	if w := post(h, text, "alice", beginAs(t, h, "alice")); w.Code != 200 {
		t.Errorf("the same as a text = %d %s", w.Code, w.Body)
	}
}

// full has room for nothing, and notes the weights.
type full struct{ asked []int64 }

func (f *full) Enter(_ context.Context, _ ctxmcp.Caller, weight int64) (func(), error) {
	f.asked = append(f.asked, weight)
	return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "full")
}

// TestLargeMessagesWaitForRoom: before they are read, as large as they say that they are; small ones are let in.
func TestLargeMessagesWaitForRoom(t *testing.T) {
	room := &full{}
	f := newFixture(t)
	h := NewHandler(f.MCPServer, HTTPOptions{Authenticate: authenticate, Messages: room})
	defer h.Close()
	id := beginAs(t, h, "alice")
	r := httptest.NewRequest("POST", "http://localhost/mcp", nil)
	r.Body, r.ContentLength = unread{t}, 1<<20
	r.Header.Set("Authorization", "Bearer alice")
	r.Header.Set(server.HeaderKeySessionID, id)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 503 || w.Header().Get("Retry-After") != "2" || !strings.Contains(w.Body.String(), "too much is under way; try again in 2 s") {
		t.Errorf("a large message = %d %s", w.Code, w.Body)
	}
	if len(room.asked) != 1 || room.asked[0] != 4<<20 {
		t.Errorf("the room that was asked for is %d", room.asked)
	}
	r.ContentLength = -1 // it does not say, and may be as large as any
	h.ServeHTTP(httptest.NewRecorder(), r)
	if len(room.asked) != 2 || room.asked[1] != 4*h.o.MaxBodyBytes {
		t.Errorf("the room that was asked for is %d", room.asked)
	}
	if !alive(t, h, "alice", id) || len(room.asked) != 2 {
		t.Errorf("a small message was not let in, or weighed: %d", room.asked)
	}
	var out strings.Builder
	large := toolCall(2, "whoami", "a", strings.Repeat("a", 10_000))
	err := Stdio(t.Context(), f.MCPServer, strings.NewReader(initialize+"\n"+large+"\n"+toolCall(3, "whoami")+"\n"), &out, StdioOptions{Messages: room})
	if got := out.String(); err != nil || !strings.Contains(got, `"id":2,"error":{"code":-32000,"message":"too much is under way; try again in 2 s"}`) ||
		!strings.Contains(got, `"id":3,"result"`) {
		t.Errorf("over stdio: %v, %s", err, got)
	}
}

// unread is a body that must not be read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read before there was room for it")
	return 0, context.Canceled
}

func (unread) Close() error { return nil }
