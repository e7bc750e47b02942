package entities_test

import (
	"os"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// FuzzExtract: a mention is a part of the text with a key, each name comes once, and Same points to a mention that
// comes no later and is the same as itself.
func FuzzExtract(f *testing.F) {
	stories, err := os.ReadFile("testdata/tuned.txt")
	if err != nil {
		f.Fatal(err)
	}
	for l := range strings.Lines(string(stories)) {
		f.Add(l)
	}
	f.Add("\xff\xfe A. B (C) \"D\" `e` @f f@g.hh /i.j K-1 L_m 田中さん İ. ẞ")
	f.Fuzz(func(t *testing.T, text string) {
		mentions := entities.Extract(text)
		seen := map[string]bool{}
		for i, m := range mentions {
			if m.Key == "" || m.Start < 0 || m.End > len(text) || m.Start >= m.End || !strings.Contains(text[m.Start:m.End], m.Text) {
				t.Fatalf("Extract(%q) holds %+v", text, m)
			}
			if id := string(m.Form) + " " + m.Key; seen[id] {
				t.Fatalf("Extract(%q) holds %q twice", text, id)
			} else {
				seen[id] = true
			}
			if m.Same > i || mentions[m.Same].Same != m.Same {
				t.Fatalf("Extract(%q): mention %d is the same as %d", text, i, m.Same)
			}
		}
	})
}
