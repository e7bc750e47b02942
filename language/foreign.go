package language

import (
	"regexp"
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/spanish"
	"golang.org/x/text/unicode/norm"
)

// foreign is a language whose stems search knows beside English.
type foreign struct {
	name  string
	stops *Set // folded
	// telling are the stop words that no English text has.
	telling *Set
	stem    func(*snowballstem.Env) bool
	// elided matches a short word that is written together with the one behind it, such as l' in l'eau.
	elided *regexp.Regexp
}

// foreigners are the languages with stems of their own, by Snowball. If two fit a text alike, the first is taken.
var foreigners = [...]*foreign{
	newForeign("German", "de", german.Stem, nil),
	newForeign("Spanish", "es", spanish.Stem, nil),
	newForeign("French", "fr", french.Stem, regexp.MustCompile(`\b(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’]`)),
}

var (
	stopLists  = map[string]*Set{"de": list("de/stop_words.txt"), "es": list("es/stop_words.txt"), "fr": list("fr/stop_words.txt")}
	homographs = list("en/homographs.txt")
)

func newForeign(name, folder string, stem func(*snowballstem.Env) bool, elided *regexp.Regexp) *foreign {
	stops := stopLists[folder].By(fold)
	telling := stops.By(func(w string) string {
		if StopWords.Has(w) || homographs.Has(w) {
			return ""
		}
		return w
	})
	return &foreign{name, stops, telling, stem, elided}
}

// toldBy are the languages that a word tells, as bits by their places.
var toldBy = sync.OnceValue(func() map[string]uint8 {
	bits := map[string]uint8{}
	for i, f := range foreigners {
		for _, w := range f.telling.All() {
			bits[w] |= 1 << i
		}
	}
	return bits
})

// foreignOf returns the language of the words, or nil for English and where it cannot be told. A word that only that language
// has must be among them; it counts two, a stop word that English shares one, and together they must be three or more, or two
// in a text of few words, and outweigh the stop words of English.
func foreignOf(words []word) *foreign {
	var told, shared [len(foreigners)]int
	english := 0
	for _, w := range words {
		switch bits := toldBy()[w.text]; {
		case bits != 0:
			for i := range told {
				told[i] += 2 * int(bits>>i&1)
			}
		case homographs.Has(w.text):
			for i, f := range foreigners {
				if f.stops.Has(w.text) {
					shared[i]++
				}
			}
		case StopWords.Has(w.text):
			english += 2
		}
	}
	const few, least = 6, 3
	best, most := (*foreign)(nil), english
	for i, f := range foreigners {
		if sum := told[i] + shared[i]; told[i] > 0 && sum > most && (sum >= least || len(words) <= few) {
			best, most = f, sum
		}
	}
	return best
}

// stems returns the stem of each word of a text by the rules of the language, folded, or "" where the word has a term that is the
// same. The words are those of the text: accents, which the rules need, are read again from it.
func (f *foreign) stems(text string, words []word) []string {
	text = norm.NFC.String(strings.ToLower(text))
	if f.elided != nil {
		text = f.elided.ReplaceAllString(text, "")
	}
	accented := cut([]rune(text))
	stems := make([]string, len(words))
	for i, w := range words {
		if w.script != spaced {
			continue
		}
		written := w.text
		if len(accented) == len(words) {
			written = accented[i].text
		}
		env := snowballstem.NewEnv(clip(written))
		f.stem(env)
		if s := fold(env.Current()); s != "" && s != stem(clip(w.text)) {
			stems[i] = s
		}
	}
	return stems
}
