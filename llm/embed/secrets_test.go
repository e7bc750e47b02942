package embed_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/llm/embed"
	"github.com/ctx-mcp/ctx-mcp/llm/embed/embedtest"
)

const (
	key    = "sk-canary-4f1d"
	secret = "the launch code is 73915"
)

// quoting answers with raw bytes in which %s is the key and the text.
func quoting(format string) embedtest.Fault {
	return func(x embedtest.Exchange) {
		quoted := x.Call.Authorization + " " + strings.Join(x.Call.Input, " ")
		raw(strings.ReplaceAll(format, "%s", quoted))(x)
	}
}

// TestErrorsNeverQuoteSecrets lets the endpoint repeat the key and the text in every place that an error could quote.
func TestErrorsNeverQuoteSecrets(t *testing.T) {
	faults := map[string]embedtest.Fault{
		"reason phrase":  quoting("HTTP/1.1 500 %s\r\n\r\n"),
		"status line":    quoting("HTTP/1.1 %s\r\n\r\n"),
		"protocol":       quoting("%s\r\n\r\n"),
		"header":         quoting("HTTP/1.1 200 OK\r\n%s\r\n\r\n"),
		"length":         quoting("HTTP/1.1 200 OK\r\nContent-Length: %s\r\n\r\n"),
		"encoding":       quoting("HTTP/1.1 200 OK\r\nTransfer-Encoding: %s\r\n\r\n"),
		"chunk":          quoting("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%s\r\n"),
		"location":       quoting("HTTP/1.1 307 OK\r\nLocation: http://%s\r\n\r\n"),
		"retry":          quoting("HTTP/1.1 429 OK\r\nRetry-After: %s\r\n\r\n"),
		"plain body":     quoting("HTTP/1.1 500 OK\r\n\r\n%s"),
		"answer":         quoting("HTTP/1.1 200 OK\r\n\r\n%s"),
		"error in 200":   quoting("HTTP/1.1 200 OK\r\n\r\n{\"error\":{\"message\":\"%s\"}}"),
		"string element": quoting("HTTP/1.1 200 OK\r\n\r\n{\"data\":[{\"embedding\":[\"%s\"]}]}"),
		"row":            quoting("HTTP/1.1 200 OK\r\n\r\n{\"data\":[\"%s\"]}"),
		"number":         quoting("HTTP/1.1 200 OK\r\n\r\n{\"data\":[{\"index\":73915,\"embedding\":[1]}]}"),
		"half a body":    embedtest.HalfBody(),
		"hang up":        embedtest.Hangup(),
		"missing row":    embedtest.DropRow(),
	}
	for _, code := range []int{400, 401, 403, 404, 413, 422, 429, 500, 503} {
		faults[http.StatusText(code)] = embedtest.Status(code)
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			srv := newServer(t)
			srv.InjectAlways(fault)
			c := newClient(t, srv, func(o *embed.Options) { o.APIKey = key })
			for range 4 { // the last finds an open breaker
				_, err := c.Embed(t.Context(), []string{secret})
				if err == nil {
					t.Fatal("Embed() error = nil, want one")
				}
				wantNoSecret(t, everyTextOf(err))
			}
		})
	}
}

// everyTextOf returns all that a log or an agent could get from an error.
func everyTextOf(err error) string {
	var b strings.Builder
	for ; err != nil; err = errors.Unwrap(err) {
		fmt.Fprintf(&b, "%v %+v %#v\n", err, err, err)
		if e, ok := errors.AsType[*ctxmcp.Error](err); ok {
			fmt.Fprintln(&b, e.Message, e.Hint)
		}
	}
	return b.String()
}

func wantNoSecret(t *testing.T, text string) {
	t.Helper()
	for _, part := range []string{key, "canary", secret, "launch", "73915"} {
		if strings.Contains(text, part) {
			t.Errorf("%q holds %q, want no secret", text, part)
		}
	}
}

func TestPrintingNeverShowsTheKey(t *testing.T) {
	o := embed.Options{BaseURL: "http://127.0.0.1/v1", Model: "m", Dimensions: 3, APIKey: key}
	c, err := embed.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := o.String()+" "+c.String(), "embed.Options(m@3) embed.Client(m@3)"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	var b bytes.Buffer
	for _, v := range []any{o, &o, c, *c, struct{ O embed.Options }{o}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			fmt.Fprintf(&b, verb+"\n", v)
		}
		slog.New(slog.NewTextHandler(&b, nil)).Info("text", "v", v)
		slog.New(slog.NewJSONHandler(&b, nil)).Info("json", "v", v)
	}
	wantNoSecret(t, b.String())
	if hex := fmt.Sprintf("%x", key); strings.Contains(b.String(), hex) {
		t.Errorf("%q holds the key in hexadecimal, want no secret", b.String())
	}
}

func TestNewNeverQuotesSecrets(t *testing.T) {
	for _, o := range []embed.Options{
		{BaseURL: "https://me:" + key + "@example.com", Model: "m"},
		{BaseURL: "https://me:" + key + "%zz@example.com", Model: "m"},
		{BaseURL: "https://example.com/?key=" + key, Model: "m"},
		{BaseURL: "https://example.com/", Model: "m", APIKey: key + "\n"},
	} {
		_, err := embed.New(o)
		wantError(t, err, ctxmcp.CodeInvalid, "")
		wantNoSecret(t, everyTextOf(err))
	}
}
