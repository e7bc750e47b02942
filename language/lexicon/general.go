package lexicon

import (
	"strings"
	"sync"
)

// General is a set of general words, such as those for food, beside which many words are held. It never changes.
type General struct {
	words map[string]bool
	ids   func() map[int]bool // of those that the lexicon knows, read at the first use
}

// NewGeneral returns the set of the words in a text.
func NewGeneral(words string) *General {
	g := &General{words: map[string]bool{}}
	for _, w := range strings.Fields(words) {
		g.words[w] = true
	}
	g.ids = sync.OnceValue(func() map[int]bool {
		ids := map[int]bool{}
		for w := range g.words {
			if id, known := wordnet().Find(w); known {
				ids[id] = true
			}
			if id, known := software().ids[w]; known {
				ids[id] = true
			}
		}
		return ids
	})
	return g
}

// Below reports whether the word is one of the general words, or is linked to one as its ancestor with at least a weight.
func (w *Word) Below(g *General, least float64) bool {
	if g.words[w.Base()] {
		return true
	}
	ids := g.ids()
	for _, b := range w.bases {
		for _, e := range b.edges {
			if e.channel == Ancestor && e.weight >= least && ids[e.id] {
				return true
			}
		}
	}
	return false
}
