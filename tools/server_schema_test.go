package tools

import (
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// TestUnread: the library keeps no schema that it would read at each call, and a list has the real ones; a schema that names a header stays.
func TestUnread(t *testing.T) {
	chosen := Select(Options{})
	var kept []mcp.Tool
	for _, tool := range chosen {
		if k := tool.unread(); string(k.RawInputSchema) != string(unreadSchema) {
			t.Errorf("%s is kept with %.60s", tool.Name, k.RawInputSchema)
		} else {
			kept = append(kept, k)
		}
	}
	for i, listed := range withSchemas(chosen)(t.Context(), kept) {
		if string(listed.RawInputSchema) != string(chosen[i].MCP.RawInputSchema) {
			t.Errorf("%s is listed with %.60s", listed.Name, listed.RawInputSchema)
		}
	}
	named := chosen[0]
	named.MCP.RawInputSchema = []byte(`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}`)
	if got := named.unread().RawInputSchema; string(got) != string(named.MCP.RawInputSchema) {
		t.Errorf("a schema that names a header is kept as %s", got)
	}
}
