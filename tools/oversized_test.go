package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// TestOversizedArgumentsAreNotRead: arguments larger than a tool can use are refused before anything is decoded, and the error quotes none
// of them.
func TestOversizedArgumentsAreNotRead(t *testing.T) {
	var request mcp.CallToolRequest
	request.Params.RawArguments = json.RawMessage(`{"content":["` + strings.Repeat(`",1,"`, maxArguments/5) + `",1]}`)
	looked := 0
	s := &Services{
		Caller: func(context.Context) (ctxmcp.Caller, bool) { return ctxmcp.Caller{Tenant: "acme"}, true },
		Redact: func(_ context.Context, _, text string) (string, []redact.Finding, error) {
			looked++
			return text, nil, nil
		},
	}
	for _, tool := range All() {
		if tool.content {
			continue
		}
		var err error
		allocated := testing.AllocsPerRun(1, func() { _, err = s.redactedAnswer(t.Context(), tool, request) })
		if ctxmcp.CodeOf(err) != ctxmcp.CodeTooLarge || allocated > 50 || looked > 0 {
			t.Errorf("%s: %v, after %.0f allocations and %d looks for secrets", tool.Name, err, allocated, looked)
		}
	}
}

// TestContentMayBeLarge: those tools take large arguments that are for content, and no others.
func TestContentMayBeLarge(t *testing.T) {
	var got []string
	for _, tool := range All() {
		if tool.content {
			got = append(got, tool.Name)
		}
	}
	want := "wrap_tool_result put_artifact compile_context reduce_messages start_session record_action record_result"
	if strings.Join(got, " ") != want {
		t.Errorf("content is taken by %q, want %s", got, want)
	}
}
