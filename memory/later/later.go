package later

import (
	_ "embed" // for signs.tsv
	"math"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/weights"
)

// Statement is a statement as it is lined up with others: each word that names a matter once.
type Statement struct {
	*change.Weighed
	words   []*lexicon.Word
	weights []float64 // of the words: the rarer in English, the more
	sum     float64
	forms   map[string]bool // bases and terms of all words
}

// commonLess is how much less the commonest word of English says of a matter than the rarest.
const commonLess = 0.8

// New returns a statement of a text, given its reading.
func New(text string, read *change.Weighed) *Statement {
	s := &Statement{Weighed: read, forms: map[string]bool{}}
	seen := map[string]bool{}
	for _, w := range lexicon.Words(text) {
		s.forms[w.Base()], s.forms[w.Term()] = true, true
		if seen[w.Form()] || !Naming(w) {
			continue
		}
		seen[w.Form()] = true
		weight := Weight(w)
		s.words, s.weights, s.sum = append(s.words, w), append(s.weights, weight), s.sum+weight
	}
	return s
}

// Read returns the statement with a reading.
func (s *Statement) Read(read *change.Weighed) *Statement {
	with := *s
	with.Weighed = read
	return &with
}

var subjectless, assenting = language.NoSubject.Terms(), language.Assent.Terms()

// tooCommon is the commonness of a word of English from which it says nothing of a matter.
const tooCommon = 0.9

// Naming reports whether a word names a matter.
func Naming(w *lexicon.Word) bool {
	t := w.Term()
	return t != "" && !subjectless.Has(t) && !assenting.Has(t) && w.Commonness() < tooCommon
}

// Weight returns how much a word says of a matter: the rarer it is in English, the more.
func Weight(w *lexicon.Word) float64 { return 1 - commonLess*w.Commonness() }

// Again returns the share of the matter of the statement that another has in the same words or their other forms, and the number of those words.
func (s *Statement) Again(other *Statement) (share float64, words int) {
	both := 0.0
	for i, w := range s.words {
		if other.forms[w.Base()] || other.forms[w.Term()] {
			both += s.weights[i]
			words++
		}
	}
	if s.sum == 0 {
		return 0, 0
	}
	return both / s.sum, words
}

// fewWords makes a short text say less.
const fewWords = 2.0

// alike returns how much of the statement another holds, in words of any link of meaning.
func (s *Statement) alike(other *Statement) float64 {
	sum := 0.0
	for i, w := range s.words {
		best := 0.0
		for _, o := range other.words {
			_, like := w.Likeness(o)
			best = max(best, like)
		}
		sum += s.weights[i] * best
	}
	return sum / (s.sum + fewWords)
}

// pair is an earlier statement and a later one, with what several signs look at.
type pair struct {
	older, newer *Statement
	change       float64 // the probability that the words say a change
	again, back  float64
	alike        float64
	changes      float64 // 1: the newer one says that something has changed
}

// sign is one reason to take a later statement for one that leaves an earlier one behind.
type sign struct {
	name  string // of its row in signs.tsv
	doc   string
	value func(p *pair, weigh change.Words) float64
}

var signs = [...]sign{
	{"bias", "of any two", func(*pair, change.Words) float64 { return 1 }},
	{"change", "probability that the words say a change", func(p *pair, _ change.Words) float64 { return p.change }},
	{"change root", "its square root: a small one tells something too", func(p *pair, _ change.Words) float64 { return math.Sqrt(p.change) }},
	{"again", "share of the older one that the newer one says again", func(p *pair, _ change.Words) float64 { return p.again }},
	{"back", "share of the newer one that the older one said", func(p *pair, _ change.Words) float64 { return p.back }},
	{"alike", "share of the newer one that the older one said, in words of any link of meaning", func(p *pair, _ change.Words) float64 { return p.alike }},
	{"changes alike", "the same, where the newer one says that something has changed", func(p *pair, _ change.Words) float64 { return p.changes * p.alike }},
	{"changes common", "weight of the rarest word in common, where the newer one says that something has changed", func(p *pair, weigh change.Words) float64 {
		return p.changes * p.older.Common(p.newer.Reading, weigh)
	}},
	{"value again", "share of the older one that is said again, with another value", func(p *pair, _ change.Words) float64 {
		if p.older.Differs(p.newer.Reading) {
			return p.again
		}
		return 0
	}},
}

// SignNames returns the names of the rows of signs.tsv.
func SignNames() []string {
	names := make([]string, len(signs))
	for i, s := range signs {
		names[i] = s.name
	}
	return names
}

//go:embed signs.tsv
var signRows string

var signWeights = weights.MustInOrder(signRows, SignNames())

// Signs returns the values of the signs of a pair, in the order of SignNames; nil where the two have nothing in common, or the rules of
// change.Comparable forbid that the one gives way.
func Signs(older, newer *Statement, weigh change.Words) []float64 {
	if !change.Comparable(older.Reading, newer.Reading) {
		return nil
	}
	p := &pair{older: older, newer: newer, change: older.Changed(newer.Weighed).Probability}
	var words int
	if p.again, words = older.Again(newer); words == 0 && p.change == 0 {
		return nil
	}
	p.back, _ = newer.Again(older)
	p.alike = newer.alike(older)
	if newer.Changes() {
		p.changes = 1
	}
	values := make([]float64, len(signs))
	for i, s := range signs {
		values[i] = s.value(p, weigh)
	}
	return values
}

// Link is an earlier statement with the later one that likely leaves it behind, by their places.
type Link struct {
	Older, Newer int
	Probability  float64
}

// LineUp returns the pairs of statements of which the later likely leaves the earlier behind, with a probability of floor or more. A pair counts the
// less, the better a rival of either side is.
func LineUp(all []*Statement, weigh change.Words, floor float64) []Link {
	var links []Link
	bestOlder, bestNewer := make([]float64, len(all)), make([]float64, len(all))
	for i, older := range all {
		for j, newer := range all {
			if !older.At.Before(newer.At) {
				continue
			}
			values := Signs(older, newer, weigh)
			if values == nil {
				continue
			}
			sum := 0.0
			for k, v := range values {
				sum += signWeights[k] * v
			}
			p := 1 / (1 + math.Exp(-sum))
			bestOlder[i], bestNewer[j] = max(bestOlder[i], p), max(bestNewer[j], p)
			if p >= floor {
				links = append(links, Link{i, j, p})
			}
		}
	}
	kept := links[:0]
	for _, l := range links {
		l.Probability *= math.Sqrt(l.Probability / bestOlder[l.Older] * l.Probability / bestNewer[l.Newer])
		if l.Probability >= floor {
			kept = append(kept, l)
		}
	}
	return kept
}
