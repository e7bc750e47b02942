package memory

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestAllenTable: every relation has its reason; only those without a shared instant leave both claims alone, and only
// those that begin together leave the decision to trust.
func TestAllenTable(t *testing.T) {
	apart := map[ctxmcp.Relation]bool{ctxmcp.Before: true, ctxmcp.Meets: true, ctxmcp.MetBy: true, ctxmcp.After: true}
	together := map[ctxmcp.Relation]bool{ctxmcp.Starts: true, ctxmcp.Equals: true, ctxmcp.StartedBy: true}
	for _, r := range ctxmcp.Relations() {
		got, known := allen[r]
		if !known || got.reason == "" {
			t.Errorf("%s has no reason", r)
		}
		if (got.verdict == bothHold) != apart[r] || (got.verdict == undecided) != together[r] {
			t.Errorf("%s is ruled %q", r, got.verdict)
		}
	}
}
