package memory

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestIsRule: a habit that a person states with "always" or "never" is a rule of theirs; a sentence that only sounds so is none, nor is a conclusion of an agent.
func TestIsRule(t *testing.T) {
	for text, want := range map[string]bool{
		"I never fly.": true,
		"I do not pay for archives; only what is free.": true,
		"No meetings before ten.":                       true,
		"We always answer on the same day.":             true,
		"The shop closes at six, and I never open it.":  true,
		"I don't know where the key is.":                false,
		"I can't find the key.":                         false,
		"Paul never flies.":                             false,
		"The key is under the mat.":                     false,
	} {
		o := ctxmcp.ContextObject{Content: text, SourceKind: ctxmcp.UserStatement, Authority: ctxmcp.AuthorityUser}
		if got := IsRule(o); got != want {
			t.Errorf("IsRule(%q) = %v, want %v", text, got, want)
		}
		o.SourceKind, o.Authority = ctxmcp.Inference, ctxmcp.AuthorityInferred
		if IsRule(o) {
			t.Errorf("IsRule(%q) of an agent = true", text)
		}
	}
}
