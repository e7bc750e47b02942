package actions

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/actions/taint"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

// TestDocs holds the tables of the document against those of the code.
func TestDocs(t *testing.T) {
	var signalTable, indicatorTable strings.Builder
	for _, s := range signals {
		fmt.Fprintf(&signalTable, "| `%s` | %s |\n", s.name, s.doc)
	}
	for _, c := range taint.Indicators() {
		fmt.Fprintf(&indicatorTable, "| %s | %+g | %s |\n", c.Name, c.Weight, c.Doc)
	}
	const path = "../docs/actions.md"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := string(raw)
	for name, table := range map[string]string{"signals": signalTable.String(), "indicators": indicatorTable.String()} {
		begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->"
		before, rest, found := strings.Cut(got, begin)
		held, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Fatalf("%s has no place for the table of %s", path, name)
		}
		header, _, _ := strings.Cut(held, "|\n|")
		header += "|\n| --- |" + strings.Repeat(" --- |", strings.Count(header, "|")-1) + "\n"
		got = before + begin + header + table + end + after
	}
	golden.Want(t, path, got)
}
