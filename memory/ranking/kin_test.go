package ranking

import (
	"slices"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// TestKinOf: a question is about a close relative of the asker, and about none where it is about a relative of one, or nobody.
func TestKinOf(t *testing.T) {
	for _, c := range []struct{ question, tells, other string }{
		{"What is my wife called?", "spouse", "husband"},
		{"Where does our older brother live?", "siblings", "sister"},
		{"How old is my grandmother?", "granny", "grandpa"},
		{"What is my wife's brother called?", "", "brother"},
		{"Where does my mother-in-law live?", "", "mother"},
		{"Where do I live?", "", "wife"},
		{"What does Anna's wife do?", "", "wife"},
	} {
		asked := kinOf(language.Terms(c.question))
		if holds := func(word string) bool { return slices.Contains(asked, language.Term(word)) }; c.tells != "" && !holds(c.tells) || holds(c.other) {
			t.Errorf("kinOf(%q) = %v, want %q and not %q", c.question, asked, c.tells, c.other)
		}
	}
}
