package tools

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

// TestPublished derives the schemas of every tool from its types, and compares them with those that clients get.
func TestPublished(t *testing.T) {
	var lines strings.Builder
	for _, tool := range All() {
		fmt.Fprintf(&lines, "%s\t%s\t%s\n", tool.Name, tool.derived(), tool.derived(ofHarness(tool.Arguments, "")...))
	}
	golden.Want(t, "published.txt", lines.String())
}
