package embed_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cenkalti/backoff/v5"
	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/llm/embed"
	"github.com/ctx-mcp/ctx-mcp/llm/embed/embedtest"
)

const dims = 8

// noWaits lets attempts follow each other at once.
func noWaits() backoff.BackOff { return &backoff.ZeroBackOff{} }

func newServer(t *testing.T) *embedtest.Server {
	t.Helper()
	return embedtest.NewServer(t, embedtest.Hashed(dims))
}

// newClient returns a client of the server that does not wait between attempts, as edit changes it.
func newClient(t *testing.T, srv *embedtest.Server, edit func(*embed.Options)) *embed.Client {
	t.Helper()
	o := embed.Options{BaseURL: srv.URL, Model: "test", Backoff: noWaits}
	if edit != nil {
		edit(&o)
	}
	c, err := embed.New(o)
	if err != nil {
		t.Fatalf("New() = %v, want a client", err)
	}
	return c
}

// wantError checks the code of the error and a part of its message.
func wantError(t *testing.T, err error, code ctxmcp.Code, message string) {
	t.Helper()
	e, ok := errors.AsType[*ctxmcp.Error](err)
	if !ok || e.Code != code || !strings.Contains(e.Message, message) {
		t.Errorf("error = %v (%s), want %q (%s)", err, ctxmcp.CodeOf(err), message, code)
	}
}

func wantRequests(t *testing.T, srv *embedtest.Server, want int) {
	t.Helper()
	if got := srv.Requests(); got != want {
		t.Errorf("requests = %d, want %d", got, want)
	}
}
