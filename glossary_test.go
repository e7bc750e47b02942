package ctxmcp_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

var glossaryEntry = regexp.MustCompile(`(?m)^//   - ([A-Z][a-z ]+): (.+)\.$`)

// TestGlossaryPage fails when docs/glossary.md does not have the glossary of the package comment; -update rewrites it.
func TestGlossaryPage(t *testing.T) {
	const page = "docs/glossary.md"
	var b strings.Builder
	b.WriteString("| Word | Meaning |\n| --- | --- |\n")
	for _, m := range glossaryEntry.FindAllStringSubmatch(golden.Read(t, "doc.go"), -1) {
		b.WriteString("| " + m[1] + " | " + m[2] + " |\n")
	}
	block := regexp.MustCompile(`(?s)(<!-- generated: glossary -->\n).*(<!-- end -->)`)
	golden.Want(t, page, block.ReplaceAllString(golden.Read(t, page), "${1}"+b.String()+"${2}"))
}

// own are the words of the glossary that few readers know: a package that uses one in its comment points to the glossary. The
// others have their usual meaning.
var own = regexp.MustCompile(`(?i)\b(slots?|tenure|epochs?|watermarks?|packets?|passages?|provenance|rungs?|zones?|supersession)\b`)

// TestGlossary: each word has one row, the rows are in order, and the packages that use one of the product's own words say where it is defined.
func TestGlossary(t *testing.T) {
	var words []string
	for _, m := range glossaryEntry.FindAllStringSubmatch(golden.Read(t, "doc.go"), -1) {
		words = append(words, m[1])
	}
	if len(words) < 20 || !slices.IsSorted(words) || len(slices.Compact(slices.Clone(words))) != len(words) {
		t.Errorf("the glossary has the words %q, want 20 or more, sorted, each once", words)
	}
	for name := range layers {
		path := filepath.Join(name, "doc.go")
		text, err := os.ReadFile(path)
		if name == "" || err != nil {
			continue
		}
		comment, _, _ := strings.Cut(string(text), "\npackage ")
		if w := own.FindString(comment); w != "" && !strings.Contains(comment, "glossary of package ctxmcp") {
			t.Errorf("%s uses the word %q and does not point to the glossary of package ctxmcp", path, w)
		}
	}
}
