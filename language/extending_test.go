package language

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const page = "../docs/extending/language.md"

// TestExtending follows the page that tells how to add a language: it has seven steps at most, the files and packages that
// it names exist, and the lists of its example pass the checks that lists of the program pass.
func TestExtending(t *testing.T) {
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	if steps := len(regexp.MustCompile(`(?m)^\d\. `).FindAllString(text, -1)); steps == 0 || steps > 7 {
		t.Errorf("%s has %d steps, want 1 to 7", page, steps)
	}
	for _, m := range regexp.MustCompile("`([a-z_]+/[a-z_./]*)`").FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join("..", m[1])); err != nil && !strings.HasPrefix(m[1], "language/sv/") {
			t.Errorf("%s names %s, which does not exist", page, m[1])
		}
	}
	for _, m := range regexp.MustCompile(`\./([a-z]+(?:/[a-z]+)*)`).FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join("..", m[1])); err != nil {
			t.Errorf("%s runs the tests of %s, which does not exist", page, m[1])
		}
	}
	lists := regexp.MustCompile("(?s)`language/sv/([a-z_]+\\.txt)`\n\n```\n(.*?)```").FindAllStringSubmatch(text, -1)
	if len(lists) == 0 {
		t.Errorf("%s has no example", page)
	}
	for _, m := range lists {
		checkExample(t, m[1], m[2])
	}
}

func checkExample(t *testing.T, name, text string) {
	t.Helper()
	if found := everywhere(name).All(); len(found) == 0 {
		t.Errorf("no language has a list %s", name)
	}
	if len(strings.Fields(head(text))) < 8 {
		t.Errorf("%s of the example does not say what it is and who uses it", name)
	}
	entries := parseLines(text)
	checkOrder(t, "the example's "+name, entries)
	for _, e := range entries {
		if e != strings.ToLower(e) {
			t.Errorf("%s of the example: %q has capitals", name, e)
		}
		if name == "function_words.txt" && englishWords.Has(e) {
			t.Errorf("%s of the example: %q is a word of English", name, e)
		}
	}
}
