package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/config"
)

// TestLocalEmbeddings: the doctor names the model of a server on this machine that makes vectors, by the two lines that switch it on, and is silent
// about one that makes none, or is no server for models.
func TestLocalEmbeddings(t *testing.T) {
	serving := func(body string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1/models" {
				_, _ = w.Write([]byte(body))
			}
		}))
		t.Cleanup(s.Close)
		return s.URL + "/v1"
	}
	talks, page := serving(`{"data":[{"id":"llama3.2"}]}`), serving(`<html>`)
	embeds := serving(`{"data":[{"id":"llama3.2"},{"id":"nomic-embed-text:latest"}]}`)
	for _, tt := range []struct {
		local []string
		want  string
	}{
		{nil, ""}, {[]string{talks, page}, ""},
		{[]string{page, talks, embeds}, "export CTX_MCP_EMBEDDINGS_BASE_URL=" + embeds + "\nexport CTX_MCP_EMBEDDINGS_MODEL=nomic-embed-text:latest"},
	} {
		p := &patient{config: config.New(), sys: realSystem(), local: tt.local}
		if got := p.offered(t.Context()); tt.want == "" && got != "" || !strings.HasSuffix(got, tt.want) {
			t.Errorf("offered of %v = %q, want %q at its end", tt.local, got, tt.want)
		}
	}
}
