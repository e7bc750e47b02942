package tools

import (
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
)

// byHook reports whether a hook of the client makes the call, and no model. Codex CLI can make a call of a tool its hook; it names the thread
// with it, and no call of the model (seen with 0.169.0).
func byHook(request mcp.CallToolRequest) bool {
	if request.Params.Meta == nil {
		return false
	}
	_, thread := request.Params.Meta.AdditionalFields["threadId"]
	_, ofModel := request.Params.Meta.AdditionalFields["callId"]
	return thread && !ofModel
}

// hookAnswerer is a result that a hook answers in a form of its own; "" where it has nothing to say.
type hookAnswerer interface{ hookAnswer() string }

// forHook puts the text of a result into the form that is taken from a hook: the answer of a hook, or text for the model. What begins as JSON
// does, and is none, is dropped by the client without a word, so a line stands in front of it.
func forHook(tool string, out any, r *mcp.CallToolResult) {
	for i, c := range r.Content {
		text, ok := c.(mcp.TextContent)
		if !ok {
			continue
		}
		if a, special := out.(hookAnswerer); special {
			text.Text = a.hookAnswer()
		} else if strings.HasPrefix(text.Text, "[") || strings.HasPrefix(text.Text, "{") {
			text.Text = "ctx-mcp, " + tool + ":\n" + text.Text
		}
		r.Content[i] = text
	}
}

// hookAnswer denies what is not allowed; a hook that says nothing lets the call go on.
func (o actionOut) hookAnswer() string {
	if o.Decision.Verdict == ctxmcp.Allow {
		return ""
	}
	why := "ctx-mcp: " + o.Decision.Why + " (rule " + o.Decision.Rule + ")"
	text, err := json.Marshal(map[string]any{"hookSpecificOutput": map[string]string{
		"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": why,
	}})
	if err != nil {
		panic(err) // strings are always JSON
	}
	return string(text)
}
