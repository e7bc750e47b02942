package main

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language/lexicon/network"
)

// single is a word that stands in the table: one word of letters, as WordNet writes it.
var single = regexp.MustCompile(`^[a-z][a-z'-]{0,23}$`)

// namedFiles are the lexicographers' files whose capitals are kept: languages, places, days and months. The capitals of the
// others are names of persons and of biological genera, under which a text that says "rose" or "mark" would find nonsense.
var namedFiles = []string{"10", "15", "28"}

// meaning is a meaning of a word with its share of the word's occurrences.
type meaning struct {
	synset synsetID
	share  float64
}

// book is WordNet by the words that stand in the table.
type book struct {
	*wordnet
	meanings  map[string][]meaning
	share     map[string]map[synsetID]float64
	parts     map[string]network.Part
	tags      map[string]int
	members   map[synsetID][]string // the words of a synset that stand in the table
	irregular map[string][]string
}

func newBook(w *wordnet) *book {
	b := &book{wordnet: w, meanings: map[string][]meaning{}, share: map[string]map[synsetID]float64{}, parts: map[string]network.Part{},
		tags: map[string]int{}, members: map[synsetID][]string{}, irregular: map[string][]string{}}
	for _, word := range sortedKeys(w.words) {
		if single.MatchString(word) {
			b.weigh(word)
		}
	}
	for _, f := range w.forms {
		b.irregular[f.Form] = append(b.irregular[f.Form], f.Base)
	}
	return b
}

// weigh gives each meaning of a word its share: by its tags, and by its rank where nothing is tagged.
func (b *book) weigh(word string) {
	var kept []indexed
	total := 0.0
	weight := func(m indexed) float64 { return float64(m.tags) + .5/float64(m.rank) }
	for _, m := range b.words[word] {
		if b.speaks(word, m.synset) {
			kept = append(kept, m)
			total += weight(m)
		}
	}
	for _, m := range kept {
		b.meanings[word] = append(b.meanings[word], meaning{m.synset, weight(m) / total})
		b.members[m.synset] = append(b.members[m.synset], word)
		b.parts[word] |= m.part
		b.tags[word] += m.tags
	}
	if len(kept) > 0 {
		b.share[word] = map[synsetID]float64{}
		for _, m := range b.meanings[word] {
			b.share[word][m.synset] = m.share
		}
	}
}

// speaks reports whether the word stands in the synset as a word, and not as a name that is left out.
func (b *book) speaks(word string, id synsetID) bool {
	s := b.synsets[id]
	return s != nil && slices.ContainsFunc(s.words, func(written string) bool {
		return written == word || strings.EqualFold(written, word) && (id.letter == 'a' || slices.Contains(namedFiles, s.file))
	})
}

// commonness returns the frequency of a word in steps: the logarithm of its tags, the greatest from a thousand up.
func (b *book) commonness(word string) int {
	const thousand = 10 // its logarithm to base 2
	return int(math.Round(min(1, math.Log2(1+float64(b.tags[word]))/thousand) * network.MaxCommonness))
}

// base returns the commonest word of the table of which a form is a form, or "".
func (b *book) base(form string) string {
	best, tags := "", -1
	try := func(word string, part network.Part) {
		if b.parts[word]&part != 0 && b.tags[word] > tags {
			best, tags = word, b.tags[word]
		}
	}
	const each = network.Noun | network.Verb | network.Adjective | network.Adverb
	try(form, each)
	for _, word := range b.irregular[form] {
		try(word, each)
	}
	network.Detach(form, try)
	return best
}

// irregularForms returns the forms whose bases stand in the table.
func (b *book) irregularForms() []network.Form {
	return slices.DeleteFunc(slices.Clone(b.forms), func(f network.Form) bool {
		return b.parts[f.Base] == 0 || f.Form == f.Base || !single.MatchString(f.Form)
	})
}
