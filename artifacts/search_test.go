package artifacts_test

import (
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// TestMatchInALongLine: what matches is in the answer, however long its line and small the budget.
func TestMatchInALongLine(t *testing.T) {
	f := newFixture(t)
	long := f.put(t, here, artifacts.Draft{Content: strings.Repeat("wörds of all kinds, ", 2000) + "the needle_42 itself" + strings.Repeat(" and more", 2000)})
	s := f.read(t, artifacts.Ask{ID: long.ID, Pattern: "needle_42", MaxTokens: 100})
	if !strings.Contains(s.Content, "needle_42 itself") || s.Tokens > 100 || !strings.HasPrefix(s.Content, "1:…") {
		t.Errorf("Read = %q with %d tokens", s.Content, s.Tokens)
	}
}
