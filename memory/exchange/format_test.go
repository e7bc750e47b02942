package exchange

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/schema"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

const formatPage = "../../docs/format/context-object.md"

// property is a field of the schema.
type property struct {
	Type       any                 `json:"type"`
	Enum       []string            `json:"enum"`
	Items      *property           `json:"items"`
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required"`
	required   bool
}

// properties returns the fields of a context object by their paths: closing, closing.reason.
func properties(t *testing.T) map[string]property {
	t.Helper()
	var root property
	if err := json.Unmarshal(schema.Object(), &root); err != nil {
		t.Fatal(err)
	}
	all := map[string]property{}
	var walk func(prefix string, of property)
	walk = func(prefix string, of property) {
		for name, p := range of.Properties {
			p.required = slices.Contains(of.Required, name)
			all[prefix+name] = p
			walk(prefix+name+".", p)
		}
	}
	walk("", root)
	return all
}

func readPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(formatPage)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

var tableRow = regexp.MustCompile("(?m)^\\| `([a-z_.]+)` \\|([^|]*)\\|([^|]*)\\|")

// TestPageListsFields: the table on the page has the fields of the schema, all of them and no other, each with whether it
// is required and with the words that it takes.
func TestPageListsFields(t *testing.T) {
	fields := properties(t)
	for _, row := range tableRow.FindAllStringSubmatch(readPage(t), -1) {
		path, form, required := row[1], row[2], strings.TrimSpace(row[3])
		p, known := fields[path]
		if !known {
			t.Errorf("%s is on the page twice, or not in the schema", path)
			continue
		}
		delete(fields, path)
		if want := map[bool]string{true: "yes", false: ""}[p.required]; required != want {
			t.Errorf("the page says %q of whether %s is required, want %q", required, path, want)
		}
		words := p.Enum
		if p.Items != nil {
			words = append(words, p.Items.Enum...)
		}
		for _, word := range words {
			if !strings.Contains(form, "`"+word+"`") {
				t.Errorf("the page does not say that %s may be %s", path, word)
			}
		}
	}
	for path := range fields {
		t.Errorf("%s is not on the page", path)
	}
}

// TestPageListsRefusals: every rule is on the page in its own words.
func TestPageListsRefusals(t *testing.T) {
	page := strings.Join(strings.Fields(readPage(t)), " ")
	for _, r := range rules {
		if !strings.Contains(page, "- "+r.doc) {
			t.Errorf("the page does not say: %s", r.doc)
		}
	}
}

// TestPageExample: an export writes the line on the page.
func TestPageExample(t *testing.T) {
	_, rest, _ := strings.Cut(readPage(t), "```json\n")
	example, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("the page has no example")
	}
	s := &inmem.Store{}
	doImport(t, s, example, plain)
	if got := export(t, s, "acme"); got != example {
		t.Errorf("the export is\n%s\nand the example\n%s", got, example)
	}
}
