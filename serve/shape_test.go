package serve

import (
	"strings"
	"testing"
)

func TestShapeIsCheckedOnBothTransports(t *testing.T) {
	call := func(params string) string {
		return `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":` + params + `}`
	}
	tests := []struct{ text, want string }{
		{`[` + initialize + `]`, `null,"error":{"code":-32600,"message":"batches are not supported: send one message at a time"}`},
		{`[]`, `null,"error":{"code":-32600,"message":"batches are not supported: send one message at a time"}`},
		{`5`, `null,"error":{"code":-32600,"message":"a message is a JSON object"}`},
		{`"x"`, `null,"error":{"code":-32600,"message":"a message is a JSON object"}`},
		{`null`, `null,"error":{"code":-32600,"message":"a message is a JSON object"}`},
		{`{}`, `null,"error":{"code":-32600,"message":"jsonrpc must be \"2.0\""}`},
		{`{"jsonrpc":2,"id":4,"method":"ping"}`, `4,"error":{"code":-32600,"message":"jsonrpc must be \"2.0\""}`},
		{`{"jsonrpc":"1.0","id":"a","method":"ping"}`, `"a","error":{"code":-32600,"message":"jsonrpc must be \"2.0\""}`},
		{`{"jsonrpc":"2.0","id":4}`, `4,"error":{"code":-32600,"message":"method must be a string"}`},
		{`{"jsonrpc":"2.0"}`, `null,"error":{"code":-32600,"message":"method must be a string"}`},
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":5}`, `9007199254740993,"error":{"code":-32600,"message":"method must be a string"}`},
		{`{"jsonrpc":"2.0","id":4,"method":5,"result":{}}`, `4,"error":{"code":-32600,"message":"method must be a string"}`},
		{`{"jsonrpc":"2.0","id":4,"method":""}`, `4,"error":{"code":-32600,"message":"method must not be empty"}`},
		{`{"jsonrpc":"2.0","id":4,"method":5,"method":"ping"}`,
			`4,"error":{"code":-32600,"message":"a field of the message is given twice, once with the wrong type"}`},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `null,"error":{"code":-32600,"message":"id must be a string or a number"}`},
		{`{"jsonrpc":"2.0","id":4,"method":"ping","params":[]}`, `4,"error":{"code":-32602,"message":"params must be an object"}`},
		{call(`"x"`), `4,"error":{"code":-32602,"message":"params must be an object"}`},
		{call(`null`), `4,"error":{"code":-32602,"message":"params.name must be a string"}`},
		{call(`{"name":5}`), `4,"error":{"code":-32602,"message":"params.name must be a string"}`},
		{call(`{"name":"whoami","_meta":5}`), `4,"error":{"code":-32602,"message":"the params of tools/call have a field of the wrong type"}`},
		{call(`{"name":"` + strings.Repeat("n", maxName+1) + `"}`),
			`4,"error":{"code":-32602,"message":"the message names a method, a tool or a resource that is longer than any here"}`},
		{`{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"` + strings.Repeat("u", maxURI+1) + `"}}`,
			`4,"error":{"code":-32602,"message":"the message names a method, a tool or a resource that is longer than any here"}`},
		{`{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":5}}`,
			`4,"error":{"code":-32602,"message":"the params of resources/read have a field of the wrong type"}`},
		{`{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":5}}`,
			`4,"error":{"code":-32602,"message":"the params of initialize have a field of the wrong type"}`},
	}
	f := newFixture(t)
	url := f.serveHandler(t, HTTPOptions{})
	session := begin(t, url)
	for _, tt := range tests {
		want := `{"jsonrpc":"2.0","id":` + tt.want + `}`
		if got := send(t, "POST", url, tt.text, session); got.status != 400 || strings.TrimSpace(got.body) != want {
			t.Errorf("%s over HTTP = %d %s, want 400 %s", tt.text, got.status, got.body, want)
		}
		if got := pipe(t, f, StdioOptions{}, tt.text); len(got) != 1 || got[0] != want {
			t.Errorf("%s over stdio = %q, want %s", tt.text, got, want)
		}
	}
	for _, odd := range []string{`5`, `"x"`, `[]`, `null`} {
		text := call(`{"name":"whoami","arguments":` + odd + `}`)
		if got := send(t, "POST", url, text, session); got.status != 200 || strings.Contains(got.body, "Go ") {
			t.Errorf("%s = %d %s, want an answer of the tool", text, got.status, got.body)
		}
	}
}

func TestResponsesAreNotAnswered(t *testing.T) {
	got := pipe(t, newFixture(t), StdioOptions{}, `{"jsonrpc":"2.0","id":4,"result":{}}`,
		`{"jsonrpc":"2.0","id":4,"error":{"code":-1,"message":"no"}}`, `{"jsonrpc":"2.0","id":4,"result":null}`)
	same(t, "responses", nil, got)
}

func TestSessionIsNeeded(t *testing.T) {
	url := newFixture(t).serveHandler(t, HTTPOptions{})
	tests := []struct {
		header string
		status int
		want   string
	}{
		{"X-None: 1", 400, `{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"missing Mcp-Session-Id: initialize first"}}`},
		{"Mcp-Session-Id: made-up", 404, `{"jsonrpc":"2.0","id":2,"error":{"code":-32001,"message":"unknown session: initialize again"}}`},
	}
	for _, tt := range tests {
		got := send(t, "POST", url, toolCall(2, "whoami"), tt.header)
		if got.status != tt.status || strings.TrimSpace(got.body) != tt.want ||
			got.header.Get("Content-Type") != "application/json" {
			t.Errorf("POST with %s = %d %s, want %d %s", tt.header, got.status, got.body, tt.status, tt.want)
		}
	}
}
