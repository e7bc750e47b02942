package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// spokenTo returns the text that a tool answers, to a hook or to a model.
func spokenTo(t *testing.T, c *client.Client, byHook bool, tool string, arguments any) string {
	t.Helper()
	var r mcp.CallToolRequest
	r.Params.Name, r.Params.Arguments = tool, arguments
	r.Params.Meta = &mcp.Meta{AdditionalFields: map[string]any{"threadId": "t-1"}}
	if !byHook {
		r.Params.Meta.AdditionalFields["callId"] = "call_1"
	}
	result, err := c.CallTool(t.Context(), r)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return result.Content[0].(mcp.TextContent).Text
}

// TestCallsByHooks: a call that is a hook of the client is answered so that the client does not drop it: by text that begins as no JSON does, or
// by an answer of a hook.
func TestCallsByHooks(t *testing.T) {
	c := connect(t, connections()[0], nil, asking(t, services(t)))
	if text := spokenTo(t, c, true, "remember", map[string]any{"content": "The port of the shop is 6211."}); strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") {
		t.Errorf("remember, by a hook: %s", text)
	}
	question := map[string]any{"query": "port of the shop"}
	if text := spokenTo(t, c, true, "recall", question); !strings.HasPrefix(text, "ctx-mcp, recall:\n[") || !strings.Contains(text, "6211") {
		t.Errorf("recall, by a hook: %s", text)
	}
	if text := spokenTo(t, c, false, "recall", question); !strings.HasPrefix(text, "[") {
		t.Errorf("recall, by a model: %s", text)
	}
	structured(t, c, "start_session", map[string]any{"session_id": "s", "original_request": map[string]any{"text": "write to Ben"}})
	deed := map[string]any{"session_id": "s", "tool": "mail", "operation": "send", "parameters": map[string]any{"to": "ben-the-builder"}}
	var answer struct {
		Specific struct{ PermissionDecision, PermissionDecisionReason string } `json:"hookSpecificOutput"`
	}
	if text := spokenTo(t, c, true, "record_action", deed); json.Unmarshal([]byte(text), &answer) != nil || answer.Specific.PermissionDecision != "deny" ||
		!strings.Contains(answer.Specific.PermissionDecisionReason, "(rule ask)") {
		t.Errorf("record_action, by a hook: %s", text)
	}
}
