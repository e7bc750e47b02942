package serve

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
)

func TestLinesOfEveryKind(t *testing.T) {
	long := toolCall(9, "whoami", "text", strings.Repeat("x", 200_000))
	const (
		tooLong = `{"code":-32600,"message":"the message is larger than 150000 bytes; send it in parts"}`
		cutOff  = `{"code":-32700,"message":"Parse error: unexpected end of JSON input (byte 11)"}`
	)
	got := pipe(t, newFixture(t), StdioOptions{MaxLineBytes: 150_000, Caller: ctxmcp.Caller{User: "me"}},
		"", "  \r", initialize+"\r",
		long,
		"{\"a\":\"\xff\"}",
		`{"a":"\ud800"}`,
		`{"jsonrpc":`,
		`[]`,
		`{"jsonrpc":"1.0","id":5,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":"six","method":"nonsense"}`,
		`{"jsonrpc":"2.0","method":"notifications/nonsense"}`,
		toolCall(7, "no such tool"),
		rpc(8, "ping", map[string]any{"x": strings.Repeat("x", 140_000)}),
		toolCall(10, "whoami"), // and no newline after it
	)
	tail := brief(got[1:])
	slices.Sort(tail)
	same(t, "after initialize", []string{
		"10 me true", "5 error -32600", "7 error -32602", "8 result", "9 error -32600",
		"<nil> error -32600", "<nil> error -32700", "<nil> error -32700", "<nil> error -32700",
		"six error -32601",
	}, tail)
	for _, want := range []string{
		`{"jsonrpc":"2.0","id":9,"error":` + tooLong + `}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: invalid UTF-8 at byte 6"}}`,
		`{"jsonrpc":"2.0","id":null,"error":` + cutOff + `}`,
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no answer is %s", want)
		}
	}
}

func TestLongLineIsNotKept(t *testing.T) {
	in := newLineReader(io.MultiReader(
		io.LimitReader(endless{}, 1<<22), strings.NewReader("\nnext\n"), io.LimitReader(endless{}, 1<<20)), 1000)
	ends := strings.Repeat("x", edge) + "\n" + strings.Repeat("x", edge-1)
	for _, want := range []struct {
		text string
		err  error
	}{{ends, errTooLong}, {"next", nil}, {ends, errTooLong}, {"", io.EOF}} {
		text, err := in.next()
		if !strings.HasPrefix(string(text), want.text) || len(text) > 2*edge+1 || !errors.Is(err, want.err) {
			t.Errorf("next() = %q, %v, want %q, %v", text, err, want.text, want.err)
		}
	}
}

// endless is a line without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// TestIDOfARefusedRequest: the refusal of a request that is too large has its id, wherever the id stands.
func TestIDOfARefusedRequest(t *testing.T) {
	long := strings.Repeat("x", 3000)
	for _, c := range []struct{ line, want string }{
		{`{"jsonrpc":"2.0","id":7,"method":"m","params":{"x":"` + long + `"}}`, "7"},
		{`{ "method" : "m", "id" : "seven", "params":{"x":"` + long + `"}}`, "seven"},
		{`{"method":"m","params":{"x":"` + long + `"},"jsonrpc":"2.0","id":8}`, "8"},
		{`{"method":"m","params":{"x":"` + long + `"},"id":9,"jsonrpc":"2.0"}`, "9"},
		{`{"method":"m","params":{"id":3,"x":"` + long + `"}}`, "<nil>"},
		{`{"method":"m","params":{"x":"` + long + `,\"id\":4}"}}`, "<nil>"},
		{long, "<nil>"},
	} {
		in := newLineReader(strings.NewReader(c.line+"\n"), 1000)
		ends, err := in.next()
		if !errors.Is(err, errTooLong) {
			t.Fatalf("next() = %v, want it too long", err)
		}
		id := idOfEnds(ends)
		if got := fmt.Sprint(id.Value()); got != c.want {
			t.Errorf("id of %.60s = %s, want %s", c.line, got, c.want)
		}
	}
}
