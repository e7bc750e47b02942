package lexicon

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon/network"
)

// Word is a word of a text with its entries in the network. Words are shared and never change: they are safe for concurrent use.
type Word struct {
	form   string
	bases  []base   // the commonest first
	words  []string // of the bases
	term   string
	common float64
	once   sync.Once
	around Surroundings // read at the first time
}

// base is a base form.
type base struct {
	id         int
	commonness int
	edges      []edge
}

// shelf holds the words that were looked up last, the newest of each hash first: texts repeat their words.
type shelf [1024][4]atomic.Pointer[Word]

func (s *shelf) find(hash uint64, form string) *Word {
	row := &s[hash%uint64(len(s))]
	for i := range row {
		if w := row[i].Load(); w != nil && w.form == form {
			return w
		}
	}
	return nil
}

// put puts a word in the place of the oldest one of its hash. One that another puts meanwhile may be lost: it is looked up again.
func (s *shelf) put(hash uint64, w *Word) {
	row := &s[hash%uint64(len(s))]
	for i := len(row) - 1; i > 0; i-- {
		row[i].Store(row[i-1].Load())
	}
	row[0].Store(w)
}

func (s *shelf) clear() {
	for i := range s {
		for j := range s[i] {
			s[i][j].Store(nil)
		}
	}
}

// looked holds words of the lexicon, and unknown those that it lacks, which are small. A word costs about a kilobyte, and its surroundings, if
// they were asked for, five.
var (
	looked, unknown shelf
	hashSeed        = maphash.MakeSeed()
)

// Look returns the Word of a word or phrase in lower case. It may be inflected: "wives" is looked up as "wife", and "left"
// as "leave" and as "left". That costs some microseconds at the first time, and a fraction of one while it is kept.
func Look(form string) *Word {
	hash := maphash.String(hashSeed, form)
	if w := looked.find(hash, form); w != nil {
		return w
	}
	if w := unknown.find(hash, form); w != nil {
		return w
	}
	w := look(strings.Clone(form)) // not a part of a text that would be kept with it
	if w.Known() {
		looked.put(hash, w)
	} else {
		unknown.put(hash, w)
	}
	return w
}

// Forget lets go of the words that were looked up last: a text that had them was erased.
func Forget() {
	looked.clear()
	unknown.clear()
	language.Forget()
}

func look(form string) *Word {
	w := &Word{form: form, term: language.Term(form)}
	add := func(id int) {
		if slices.ContainsFunc(w.bases, func(b base) bool { return b.id == id }) {
			return
		}
		b := base{id: id, edges: appendEdges(nil, id)}
		if id < wordnet().Len() {
			b.commonness = wordnet().About(id).Commonness
		}
		w.bases = append(w.bases, b)
	}
	eachBase(form, add)
	slices.SortStableFunc(w.bases, func(a, b base) int { return cmp.Compare(b.commonness, a.commonness) })
	for _, b := range w.bases {
		w.words = append(w.words, wordAt(b.id))
	}
	switch {
	case language.StopWords.Has(form):
		w.common = 1
	case len(w.bases) > 0:
		w.common = float64(w.bases[0].commonness) / network.MaxCommonness
	}
	return w
}

// eachBase calls yield with the numbers of the words that a form may be a form of. An inflected form comes before the form
// as a word of its own, which then mostly has the same meaning: "meetings" and "meeting" lead to "meet".
func eachBase(form string, yield func(id int)) {
	if id, known := software().ids[form]; known {
		yield(id)
	}
	for _, id := range wordnet().Bases(form) {
		yield(id)
	}
	network.Detach(form, func(base string, part network.Part) {
		if id, known := wordnet().Find(base); known && wordnet().About(id).Parts&part != 0 {
			yield(id)
		}
		if id, known := software().ids[base]; known && part != network.Adjective {
			yield(id)
		}
	})
	if id, known := wordnet().Find(form); known {
		yield(id)
	}
}

// Form returns the word as it was looked up.
func (w *Word) Form() string { return w.form }

// Term returns the term of the word, as language.Term does.
func (w *Word) Term() string { return w.term }

// Known reports whether the lexicon has the word.
func (w *Word) Known() bool { return len(w.bases) > 0 }

// Base returns the commonest base form, or the form itself if it is not known.
func (w *Word) Base() string {
	if len(w.words) == 0 {
		return w.form
	}
	return w.words[0]
}

// Bases returns the base forms, the commonest first. The caller must not change them.
func (w *Word) Bases() []string { return w.words }

// Commonness returns how frequent the word is in general texts, in logarithmic steps: 0 for one that is rare or not known, 1
// for one of every day and for a stop word. It is that of the commonest base form. The texts are those that WordNet's
// meanings are tagged in, most of the 1960s: "email" counts as rare.
func (w *Word) Commonness() float64 { return w.common }

// Base is Look(form).Base().
func Base(form string) string { return Look(form).Base() }

// Commonness is Look(form).Commonness().
func Commonness(form string) float64 { return Look(form).Commonness() }
