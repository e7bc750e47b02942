package serve

import (
	"context"
	"errors"
	"strings"
	"testing"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/mark3labs/mcp-go/mcp"
)

func TestFailuresDoNotLeak(t *testing.T) {
	f := newFixture(t)
	f.AddResource(mcp.NewResource("test://panic", "panic"),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) { panic(secret) })
	f.AddResourceTemplate(mcp.NewResourceTemplate("test://fail/{id}", "fail"),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return nil, errors.New(secret)
		})
	f.AddPrompt(mcp.NewPrompt("panic"),
		func(context.Context, mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { panic(secret) })
	requests := []string{
		toolCall(2, "panic"),
		toolCall(2, "fail"),
		rpc(2, "resources/read", map[string]any{"uri": "test://panic"}),
		rpc(2, "resources/read", map[string]any{"uri": "test://fail/1"}),
		rpc(2, "prompts/get", map[string]any{"name": "panic"}),
	}
	want := `{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"` + errInternal.Error() + `"}}`
	url := f.serveHandler(t, HTTPOptions{})
	session := begin(t, url)
	for _, request := range requests {
		if got := send(t, "POST", url, request, session); strings.TrimSpace(got.body) != want {
			t.Errorf("%s over HTTP = %s, want %s", request, got.body, want)
		}
		if got := pipe(t, f, StdioOptions{}, request); len(got) != 1 || got[0] != want {
			t.Errorf("%s over stdio = %q, want %s", request, got, want)
		}
	}
	if got := strings.Count(f.log.String(), secret); got < 2*len(requests) {
		t.Errorf("the log holds %d of the %d causes:\n%s", got, 2*len(requests), f.log)
	}
}

func TestPublic(t *testing.T) {
	tests := []struct {
		err  error
		want string
	}{
		{errors.New(secret), errInternal.Error()},
		{ctxmcp.Errorf(ctxmcp.CodeNotFound, "no artifact").WithCause(errors.New(secret)), "not_found: no artifact"},
		{ctxmcp.Errorf(ctxmcp.CodeInvalid, "bad id").WithHint("use letters"), "invalid: bad id; use letters"},
		{context.Canceled, "cancelled"},
	}
	for _, tt := range tests {
		if got := public(tt.err).Error(); got != tt.want {
			t.Errorf("public(%v) = %q, want %q", tt.err, got, tt.want)
		}
	}
}
