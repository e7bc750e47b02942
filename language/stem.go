package language

import (
	"sync"

	"github.com/kljensen/snowball/english"
)

var (
	stopWords      = list("en/stop_words.txt")
	irregularForms = table("en/irregular_forms.txt")
	twinWords      = table("en/twins.txt")
)

// irregular maps a form that a suffix stemmer cannot reach to its base form, and twins a word to another of the same meaning.
var (
	irregular = sync.OnceValue(irregularForms.heads)
	twins     = sync.OnceValue(twinWords.heads)
)

// stem returns the English stem of a plain ASCII word (Porter2), after irregular forms and twins are brought together, and
// any other word unchanged.
func stem(w string) string {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	if base, ok := irregular()[w]; ok {
		w = base
	}
	if twin, ok := twins()[w]; ok {
		w = twin
	}
	return english.Stem(w, false)
}
