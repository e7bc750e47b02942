package tools

import (
	"context"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve"
)

// toldBy calls a tool and returns the text of its answer.
func toldBy(t *testing.T, c *client.Client, tool string, arguments any) string {
	t.Helper()
	var r mcp.CallToolRequest
	r.Params.Name, r.Params.Arguments = tool, arguments
	result, err := c.CallTool(t.Context(), r)
	if err != nil || result.IsError {
		t.Fatalf("%s = %+v, %v", tool, result, err)
	}
	return result.Content[0].(mcp.TextContent).Text
}

// TestForgetByWordsIsConfirmedInPlace: over both transports, in every era, a user who can be asked chooses what is forgotten, and nothing is
// forgotten of which they did not say so.
func TestForgetByWordsIsConfirmedInPlace(t *testing.T) {
	const elm, harbour, dog = "I have a flat in Elm Street.", "I have a boat in Harbour Road.", "My dog is called Rex."
	for _, test := range []struct {
		name   string
		user   user
		says   string // in the answer
		remain []string
	}{
		{"one is chosen", chooser(new([]string), mcp.ElicitationResponseActionAccept, "1. "), "is no longer recalled", []string{harbour, dog}},
		{"all are chosen", chooser(new([]string), mcp.ElicitationResponseActionAccept, "All of them"), "is no longer recalled", []string{dog}},
		{"the user declines", chooser(new([]string), mcp.ElicitationResponseActionDecline, "1. "), "nothing is forgotten: the user declined to choose", []string{elm, harbour, dog}},
		{"the user closes the question", chooser(new([]string), mcp.ElicitationResponseActionCancel, "1. "), "nothing is forgotten: the user closed the question", []string{elm, harbour, dog}},
		{"an answer that was not offered", chooser(new([]string), mcp.ElicitationResponseActionAccept, "9. "), "nothing is forgotten yet", []string{elm, harbour, dog}},
		{"nobody can be asked", nil, "nothing is forgotten yet: show these to the user", []string{elm, harbour, dog}},
	} {
		for _, by := range connections() {
			t.Run(test.name+" "+by.transport+" "+by.version, func(t *testing.T) {
				c := connect(t, by, test.user, numbered(services(t)))
				for _, text := range []string{elm, harbour, dog} {
					toldBy(t, c, "remember", map[string]any{"content": text, "level": "user", "source": map[string]any{"kind": "user_statement"}})
				}
				if got := toldBy(t, c, "forget", map[string]any{"query": "flat in Elm Street, boat in Harbour Road", "reason": "the user asked"}); !strings.Contains(got, test.says) {
					t.Errorf("forget = %s, want %q in it", got, test.says)
				}
				left := toldBy(t, c, "recall", map[string]any{"order": "newest"})
				for _, text := range []string{elm, harbour, dog} {
					want := false
					for _, r := range test.remain {
						want = want || r == text
					}
					if strings.Contains(left, text) != want {
						t.Errorf("%q is recalled: %v, want %v", text, !want, want)
					}
				}
			})
		}
	}
}

// TestForgetByWordsOfAnAgentAlone: who may not speak for the user does not have them asked, and is told what they could forget.
func TestForgetByWordsOfAnAgentAlone(t *testing.T) {
	s := services(t)
	asked := []string(nil)
	c := connect(t, connection{"stdio", "2025-06-18"}, chooser(&asked, mcp.ElicitationResponseActionAccept, "1. "), numbered(s))
	toldBy(t, c, "remember", map[string]any{"content": "I have a flat in Elm Street.", "level": "user", "source": map[string]any{"kind": "user_statement"}})
	s.Caller = func(ctx context.Context) (ctxmcp.Caller, bool) {
		by, ok := serve.CallerFrom(ctx)
		by.Authority = ctxmcp.AuthorityInferred
		return by, ok
	}
	got := toldBy(t, c, "forget", map[string]any{"query": "flat in Elm Street", "reason": "the user asked"})
	if !strings.Contains(got, "nothing is forgotten yet") || len(asked) > 0 {
		t.Errorf("forget = %s, and the user was asked %q", got, asked)
	}
}
