package language

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kljensen/snowball/english"
)

// TestSpellings: both spellings of a word are one term, and words that only look alike are two. The lines that were not looked at are counted, and not named.
func TestSpellings(t *testing.T) {
	text, err := os.ReadFile("testdata/spellings.samples")
	if err != nil {
		t.Fatal(err)
	}
	right, all := map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(text)) {
		head, words, found := strings.Cut(strings.TrimSpace(line), ": ")
		half, apart := strings.CutSuffix(head, " not")
		if !found || len(half) != 1 {
			continue
		}
		all[half]++
		terms := Terms(words)
		slices.Sort(terms)
		if distinct := len(slices.Compact(slices.Clone(terms))); apart && distinct == len(terms) || !apart && distinct == 1 {
			right[half]++
		} else if half == "a" {
			t.Errorf("%s: %v", line, Terms(words))
		}
	}
	t.Logf("right %v of %v", right, all)
	if right["b"] < fewestSpellings {
		t.Errorf("of the lines that were not looked at %d are right, want %d", right["b"], fewestSpellings)
	}
}

// fewestSpellings is the number of lines that were not looked at, and are right at least.
const fewestSpellings = 59

// TestSpelled: the term that an older index has for either spelling leads to the term of today, and a question asks for it.
func TestSpelled(t *testing.T) {
	for _, word := range []string{"practise", "practice", "colour", "organised", "organization", "licence", "theatre", "exercise", "deploy"} {
		older := english.Stem(word, false)
		if got, want := Spelled(older), Terms(word)[0]; got != want {
			t.Errorf("Spelled(%q) = %q, want %q", older, got, want)
		}
	}
	for _, tt := range []struct{ asked, held string }{{"practice", "practis"}, {"practise", "practis"}, {"color", "colour"}, {"authorize", "authoris"}, {"authorise", "authoris"}} {
		if got := OlderTerms("the " + tt.asked); !slices.Contains(got, tt.held) {
			t.Errorf("OlderTerms(%q) = %q, which lacks %q", tt.asked, got, tt.held)
		}
	}
	if got := OlderTerms("We deploy on Thursdays and exercise the release."); len(got) > 0 {
		t.Errorf("words of one spelling have the older terms %q", got)
	}
}
