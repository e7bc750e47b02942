package audit

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/schema"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

const (
	schemaFile = "testdata/report.schema.json"
	formatPage = "../../docs/format/audit.md"
)

// TestReportSchema makes a change of the form a visible act, and holds a report to it.
func TestReportSchema(t *testing.T) {
	raw := schema.Output(reflect.TypeFor[Report]())
	golden.WantJSON(t, schemaFile, raw)
	checker, err := schema.NewChecker(raw, "field")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		for _, s := range c.samples {
			text, err := json.Marshal(report(t, plain(), s.records))
			if err != nil {
				t.Fatal(err)
			}
			if err := checker.Check(t.Context(), text); err != nil {
				t.Errorf("%v in %s", err, text)
			}
		}
	}
}

// TestPageListsKinds: every check is on the page in its own words.
func TestPageListsKinds(t *testing.T) {
	page, err := os.ReadFile(formatPage)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if row := "| `" + string(c.Kind) + "` | " + c.Doc + " |"; !strings.Contains(string(page), row) {
			t.Errorf("the page lacks the row %s", row)
		}
	}
	if !strings.Contains(string(page), "`"+Form+"`") {
		t.Errorf("the page does not name the form %s", Form)
	}
}
