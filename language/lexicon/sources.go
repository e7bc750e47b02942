package lexicon

import (
	_ "embed"
	"math"
	"slices"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon/network"
)

//go:embed wordnet.bin
var wordnetBytes string

var wordnet = sync.OnceValue(func() *network.Network {
	n, err := network.Open(wordnetBytes)
	if err != nil { // it is part of the binary
		panic(err)
	}
	return n
})

// License returns the licence of WordNet, which goes with every copy of a work that is derived from it.
func License() string { return wordnet().Notice() }

// edge is a link by the number of its word.
type edge struct {
	id      int
	channel Channel
	weight  float64
}

// The likeness of two words in a row of software, to be multiplied by the shares that the software's meaning has in their use.
const (
	sameThing = .9 // language.SoftwareTerms
	sameField = .4 // language.SoftwareFields
	kindOf    = .6 // language.SoftwareKinds: a tool and its kind
	workOf    = .5 // language.SoftwareWork: a tool and the work of its kind
	// namesakes is the share of a weight that stays where the name of a tool is a word of English too: "yarn", "jest".
	namesakes = .5
)

// softwareWords are the words of software. One that WordNet lacks has a number behind those of WordNet.
type softwareWords struct {
	ids     map[string]int
	words   []string // by number, from the count of WordNet's
	edges   map[int][]edge
	phrases map[string][]string // the phrases of two words and more by their first
}

var software = sync.OnceValue(func() *softwareWords {
	s := &softwareWords{ids: map[string]int{}, edges: map[int][]edge{}, phrases: map[string][]string{}}
	for _, r := range language.SoftwareTerms.Rows() {
		s.join(append([]string{r.Head}, r.Words...), sameThing)
	}
	for _, r := range language.SoftwareFields.Rows() {
		s.join(r.Words, sameField)
	}
	s.addKinds()
	return s
})

// addKinds links each tool with its kind and with the work of that, which are broader than it.
func (s *softwareWords) addKinds() {
	work := map[string][]string{}
	for _, r := range language.SoftwareWork.Rows() {
		work[r.Head] = r.Words
	}
	for _, r := range language.SoftwareKinds.Rows() {
		for _, tool := range r.Words {
			for _, name := range language.Spellings(tool) {
				s.broaden(name, r.Head, kindOf)
				for _, w := range work[r.Head] {
					s.broaden(name, w, workOf)
				}
			}
		}
	}
}

// broaden links a tool with a word that is broader.
func (s *softwareWords) broaden(tool, broader string, weight float64) {
	a, b := s.number(tool), s.number(broader)
	if Namesake(tool) {
		weight *= namesakes
	}
	if a != b {
		s.edges[a] = append(s.edges[a], edge{b, Ancestor, weight * math.Sqrt(shareInSoftware(a)*shareInSoftware(b))})
	}
}

// Namesake reports whether the name of a tool is a word of English too.
func Namesake(tool string) bool {
	_, known := wordnet().Find(tool)
	return known
}

// join links the words of a row with each other.
func (s *softwareWords) join(words []string, weight float64) {
	var ids []int
	for _, w := range words {
		ids = append(ids, s.number(w))
	}
	for _, a := range ids {
		for _, b := range ids {
			if a != b {
				s.edges[a] = append(s.edges[a], edge{b, Software, weight * math.Sqrt(shareInSoftware(a)*shareInSoftware(b))})
			}
		}
	}
}

// shareInSoftware guesses how much of the use of a word is about software: all of "k8s", and less the commoner it is elsewhere.
func shareInSoftware(id int) float64 {
	if id >= wordnet().Len() {
		return 1
	}
	return 1 - .6*float64(wordnet().About(id).Commonness)/network.MaxCommonness
}

// number returns the number of a word, which is given one if it has none.
func (s *softwareWords) number(word string) int {
	if id, known := s.ids[word]; known {
		return id
	}
	id, known := wordnet().Find(word)
	if !known {
		id = wordnet().Len() + len(s.words)
		s.words = append(s.words, word)
		s.addPhrase(word)
	}
	s.ids[word] = id
	return id
}

// wordAt returns a word by its number.
func wordAt(id int) string {
	if n := wordnet().Len(); id >= n {
		return software().words[id-n]
	}
	return wordnet().Word(id)
}

// appendEdges appends the links of a word from both sources.
func appendEdges(to []edge, id int) []edge {
	var space [64]network.Edge
	var stored []network.Edge
	if id < wordnet().Len() {
		stored = wordnet().Edges(space[:0], id)
	}
	own := software().edges[id]
	to = append(slices.Grow(to, len(own)+len(stored)), own...)
	for _, e := range stored {
		to = append(to, edge{e.ID, fromStored[e.Channel], e.Weight})
	}
	return to
}
