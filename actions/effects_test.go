package actions

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/actions/policy"
)

// TestDangers: the dangers by which examples of rules name a class alone are those of the table of classes.
func TestDangers(t *testing.T) {
	for _, k := range effect.Kinds() {
		if got := policy.Danger(string(k.Class)); got != k.Danger {
			t.Errorf("Danger(%s) = %d, want %d", k.Class, got, k.Danger)
		}
	}
}
