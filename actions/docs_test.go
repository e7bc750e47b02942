package actions

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/actions/taint"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

// TestDocs holds the tables of the documents against those of the code.
func TestDocs(t *testing.T) {
	var signalTable, indicatorTable strings.Builder
	for _, s := range signals {
		fmt.Fprintf(&signalTable, "| `%s` | %s |\n", s.name, s.doc)
	}
	for _, c := range taint.Indicators() {
		fmt.Fprintf(&indicatorTable, "| %s | %+g | %s |\n", c.Name, c.Weight, c.Doc)
	}
	holdTable(t, "../docs/actions.md", "signals", signalTable.String())
	holdTable(t, "../docs/echo.md", "indicators", indicatorTable.String())
}

// holdTable holds the rows of a table in a document against those that it should have.
func holdTable(t *testing.T, path, name, rows string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->"
	before, rest, found := strings.Cut(string(raw), begin)
	held, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no place for the table of %s", path, name)
	}
	header, _, _ := strings.Cut(held, "|\n|")
	header += "|\n| --- |" + strings.Repeat(" --- |", strings.Count(header, "|")-1) + "\n"
	golden.Want(t, path, before+begin+header+rows+end+after)
}
