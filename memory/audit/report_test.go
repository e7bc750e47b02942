package audit

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const (
	schemaFile = "testdata/report.schema.json"
	formatPage = "../../docs/format/audit.md"
)

// TestReportSchema makes a change of the form a visible act, and holds a report to it.
func TestReportSchema(t *testing.T) {
	raw := schema.Output(reflect.TypeFor[Report]())
	var pretty any
	if err := json.Unmarshal(raw, &pretty); err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(pretty, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(schemaFile, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("the schema changed; if that is meant, run go test ./audit -update (-want +got):\n%s", diff)
	}
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
			if err := checker.Check(text); err != nil {
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
