package language

import (
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
)

// StopWords are English words that carry no subject: search leaves them out of questions.
var StopWords = list("en/stop_words.txt")

var (
	irregularForms = table("en/irregular_forms.txt")
	twinWords      = table("en/twins.txt")
)

// irregular maps a form that a suffix stemmer cannot reach to its base form, and twins a word to another of the same meaning.
var (
	irregular = sync.OnceValue(irregularForms.heads)
	twins     = sync.OnceValue(twinWords.heads)
)

// stemmed is a word with its stem.
type stemmed struct{ word, stem string }

// stems holds the words that were stemmed last, each in the place of its hash: texts repeat their words.
var (
	stems     [8192]atomic.Pointer[stemmed]
	stemsSeed = maphash.MakeSeed()
)

// Forget lets go of the words that were stemmed last: a text that had them was erased.
func Forget() {
	for i := range stems {
		stems[i].Store(nil)
	}
}

// stem returns the English stem of a plain ASCII word (Porter2), after irregular forms, twins and spellings are brought
// together, and any other word unchanged. The stem is no part of a text.
func stem(w string) string {
	if !plainWord(w) {
		return strings.Clone(w)
	}
	place := &stems[maphash.String(stemsSeed, w)%uint64(len(stems))]
	if s := place.Load(); s != nil && s.word == w {
		return s.stem
	}
	s := &stemmed{word: strings.Clone(w)} // not a part of a text that would be kept with it
	s.stem = stemOf(s.word)
	place.Store(s)
	return s.stem
}

func stemOf(w string) string {
	if base, ok := irregular()[w]; ok {
		w = base
	}
	if twin, ok := twins()[w]; ok {
		w = twin
	}
	return spelled(w)
}

// LightStem takes the endings off an English word in lower case, so that its forms meet: not a linguist's stem, but the same on
// both sides of a comparison. Actions are compared with sentences by it. It stands beside the stem of search, which brings
// irregular forms and twins together: with that one "film" would be "movie", and other actions would be judged as echoes.
func LightStem(w string) string {
	w = strings.TrimSuffix(w, "'s")
	for _, e := range endings {
		if n := len(w) - len(e.cut); n >= e.left && strings.HasSuffix(w, e.cut) {
			w = w[:n] + e.add
			break
		}
	}
	if n := len(w); n > 3 && w[n-1] == w[n-2] && w[n-1] != 's' && w[n-1] != 'l' && w[n-1] != 'e' && w[n-1] != 'o' {
		w = w[:n-1]
	}
	if n := len(w); n > 3 && w[n-1] == 'e' {
		w = w[:n-1]
	}
	return w
}

// endings are tried in order. left is how many letters must remain.
var endings = []struct {
	cut, add string
	left     int
}{
	{"ies", "y", 2}, {"ied", "y", 2}, {"sses", "ss", 2}, {"shes", "sh", 2}, {"ches", "ch", 2}, {"xes", "x", 2},
	{"ing", "", 3}, {"ed", "", 3}, {"ss", "ss", 1}, {"us", "us", 2}, {"is", "is", 2}, {"s", "", 3},
}
