package serve

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestBodyIsChecked(t *testing.T) {
	url := newFixture(t).serveHandler(t, HTTPOptions{MaxBodyBytes: 100_000})
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	tests := []struct {
		name, body string
		status     int
		want       string
	}{
		{"at the limit", initialize + strings.Repeat(" ", 100_000-len(initialize)), 200, `"result":`},
		{"over the limit", initialize + strings.Repeat(" ", 100_001-len(initialize)), 413,
			`"id":null,"error":{"code":-32600,"message":"the message is larger than 100000 bytes; send it in parts"}`},
		{"invalid UTF-8", "{\"a\":\"\xff\"}", 400,
			`"id":null,"error":{"code":-32700,"message":"Parse error: invalid UTF-8 at byte 6"}`},
		{"lone surrogate", `{"a":"\ud800"}`, 400,
			`"id":null,"error":{"code":-32700,"message":"Parse error: the escape \\ud800 at byte 6 is half`},
		{"not JSON", `{"a":}`, 400, `"id":null,"error":{"code":-32700,"message":"Parse error: invalid character`},
		{"nothing", ``, 400, `"id":null,"error":{"code":-32700,"message":"Parse error: unexpected end`},
		{"nested too deep", `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + deep + `}`, 400,
			`"id":null,"error":{"code":-32700,"message":"Parse error: invalid character '[' exceeded max depth (byte`},
		{"nested deep", `{"deep":` + deep[15_000:25_000] + `,` + initialize[1:], 200, `"result":`},
		{"a batch", `[` + initialize + `]`, 400, `"code":-32600`},
		{"duplicate keys", `{"jsonrpc":"1.0",` + initialize[1:], 200, `"result":`},
	}
	for _, tt := range tests {
		got := send(t, "POST", url, tt.body)
		if got.status != tt.status || !strings.Contains(got.body, tt.want) {
			t.Errorf("%s: POST = %d %s, want %d %s", tt.name, got.status, got.body, tt.status, tt.want)
		}
	}
}

func TestSlowBodyIsRefused(t *testing.T) {
	url := serveHTTP(t, newFixture(t), HTTPOptions{ReadTimeout: 1}).url
	body, feed := io.Pipe()
	defer feed.Close()
	go func() { _, _ = feed.Write([]byte(`{`)) }() // and never the rest
	response, err := http.Post(url, "application/json", body)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusRequestTimeout {
		t.Errorf("POST of half a body = %d, want 408", response.StatusCode)
	}
}

func TestOtherMethodsAreRefused(t *testing.T) {
	url := newFixture(t).serveHandler(t, HTTPOptions{})
	for _, method := range []string{"GET", "HEAD", "PUT", "OPTIONS", "PATCH"} {
		got := send(t, method, url, "", "Accept: text/event-stream")
		if got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") != "POST, DELETE" {
			t.Errorf("%s = %d, Allow %q, want 405, POST, DELETE", method, got.status, got.header.Get("Allow"))
		}
	}
}
