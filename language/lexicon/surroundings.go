package lexicon

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language/lexicon/network"
)

// Surroundings are the words within two links of a word, with weights: its topic.
type Surroundings struct {
	near   []weighted // by number
	length float64
}

// weighted is a word by its number, with a weight. Both are small: many words are kept with their surroundings.
type weighted struct {
	id     int32
	weight float32
}

// secondStep is the worth of a link of a link.
const secondStep = .5

// Surroundings returns the words around the commonest two bases of the word. The first call for a word costs some 100
// microseconds: it is for the few words of a question, and for those of a statement that nothing nearer links.
func (w *Word) Surroundings() Surroundings {
	w.once.Do(func() { w.around = w.surroundings() })
	return w.around
}

func (w *Word) surroundings() Surroundings {
	sums := tallies.Get().(*tally)
	defer tallies.Put(sums)
	var second []edge
	for _, b := range w.bases[:min(len(w.bases), 2)] {
		sums.add(b.id, 1)
		for _, e := range b.edges {
			if e.channel == Antonym {
				continue
			}
			sums.add(e.id, e.weight)
			second = appendEdges(second[:0], e.id)
			for _, f := range second {
				if f.channel != Antonym {
					sums.add(f.id, secondStep*e.weight*f.weight)
				}
			}
		}
	}
	return sums.take()
}

// tally sums the weights of words up. It is lent, since it has room for all words.
type tally struct {
	of  []float64 // by number
	ids []int32   // that have a weight
}

var tallies = sync.Pool{New: func() any { return &tally{of: make([]float64, wordnet().Len()+len(software().words))} }}

func (t *tally) add(id int, weight float64) {
	if t.of[id] == 0 {
		t.ids = append(t.ids, int32(id))
	}
	t.of[id] += weight
}

// take returns the surroundings that were summed up, and forgets them. A word to which many lead weighs less, by the root of their number, as
// in a normalized adjacency matrix: that two words are both kinds of "adult" says little.
func (t *tally) take() Surroundings {
	slices.Sort(t.ids)
	s := Surroundings{near: make([]weighted, len(t.ids))}
	for i, id := range t.ids {
		sum := t.of[id] * damping(int(id))
		s.near[i] = weighted{id, float32(sum)}
		s.length += sum * sum
		t.of[id] = 0
	}
	t.ids, s.length = t.ids[:0], math.Sqrt(s.length)
	return s
}

// damping returns the worth of a word as a common neighbour: one divided by the root of how many lead to it.
func damping(id int) float64 {
	if id >= wordnet().Len() {
		return 1
	}
	return dampings[wordnet().About(id).Hub]
}

// dampings are the worths by the logarithm of how many lead to a word.
var dampings = func() (all [network.MaxHub + 1]float64) {
	for hub := range all {
		all[hub] = math.Pow(2, -float64(hub)/2)
	}
	return all
}()

// Topics are the topics of some words, such as those of a question, beside which others are seen. They never change.
type Topics struct {
	lengths []float64 // of the surroundings of each word
	shares  []share
	from    []int32 // place of the first share by the last digits of its word, counted from 1; 0: there is none
}

// share is the weight of a word in one of the topics. Next is the place of the next one in the same row, counted from 1.
type share struct {
	word, topic, next int32
	weight            float32
}

// NewTopics returns the topics of the words; a nil word has none.
func NewTopics(words []*Word) *Topics {
	t, around, all := &Topics{lengths: make([]float64, len(words))}, make([]Surroundings, len(words)), 0
	for k, w := range words {
		if w != nil {
			around[k] = w.Surroundings()
			all += len(around[k].near)
		}
	}
	t.shares, t.from = make([]share, 0, all), make([]int32, 1<<bits.Len(uint(4*all)))
	for k := range words {
		t.lengths[k] = around[k].length
		for _, n := range around[k].near {
			row := &t.from[int(n.id)&(len(t.from)-1)]
			t.shares = append(t.shares, share{n.id, int32(k), *row, n.weight})
			*row = int32(len(t.shares))
		}
	}
	return t
}

// Nearness returns the cosine of the surroundings of a word with those of each of the topics, from 0 to 1: .1 is much, and words that have
// nothing to do with each other mostly have less than .002.
func (t *Topics) Nearness(w *Word) []float64 {
	all, around := make([]float64, len(t.lengths)), w.Surroundings()
	for _, n := range around.near {
		for at := t.from[int(n.id)&(len(t.from)-1)]; at > 0; {
			s := &t.shares[at-1]
			if s.word == n.id {
				all[s.topic] += float64(s.weight) * float64(n.weight)
			}
			at = s.next
		}
	}
	for k, sum := range all {
		if sum > 0 {
			all[k] = min(1, sum/(t.lengths[k]*around.length))
		}
	}
	return all
}
