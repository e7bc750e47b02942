package embed

import (
	"compress/gzip"
	"net/http"
	"strings"
	"testing"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/llm/embed/embedtest"
)

// get sends one call through a guard with the limit, to a server with the fault.
func get(t *testing.T, limit int64, fault embedtest.Fault) error {
	t.Helper()
	srv := embedtest.NewServer(t, embedtest.Hashed(4))
	srv.Inject(fault)
	client := guarded(&http.Client{})
	client.Transport.(*guard).limit = limit
	resp, err := client.Post(srv.URL+"/embeddings", "application/json", strings.NewReader(`{"model":"m","input":["x"]}`))
	if err == nil {
		_ = resp.Body.Close()
	}
	return err
}

func TestGuardBoundsTheAnswer(t *testing.T) {
	body := embedtest.Body(strings.Repeat(" ", 1000))
	if err := get(t, 1000, body); err != nil {
		t.Errorf("answer at the limit = %v, want no error", err)
	}
	if err := get(t, 999, body); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("answer over the limit = %v, want unavailable", err)
	}
}

func TestGuardBoundsTheAnswerThatUnpacks(t *testing.T) {
	bomb := func(x embedtest.Exchange) {
		x.Writer.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(x.Writer)
		_, _ = z.Write(make([]byte, 1<<20))
		_ = z.Close()
	}
	if err := get(t, 1<<16, bomb); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("gzip over the limit = %v, want unavailable", err)
	}
}

func TestGuardKeepsTheClientOfItsCaller(t *testing.T) {
	mine := &http.Client{}
	if c := guarded(mine); c == mine || mine.Transport != nil {
		t.Errorf("guarded(%p) = %p with transport %v of the first, want a copy and none", mine, c, mine.Transport)
	}
}
