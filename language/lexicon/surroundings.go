package lexicon

import (
	"cmp"
	"math"
	"slices"
)

// Surroundings are the words within two links of a word, with weights: its topic.
type Surroundings struct {
	near   []weighted // by number
	length float64
}

type weighted struct {
	id     int
	weight float64
}

// secondStep is the worth of a link of a link.
const secondStep = .5

// Surroundings returns the words around the commonest two bases of the word. The first call for a word costs some 200
// microseconds: it is for the few words of a question, and for those of a statement that nothing nearer links.
func (w *Word) Surroundings() Surroundings { return w.around() }

func (w *Word) surroundings() Surroundings {
	var all []weighted
	var second []edge
	for _, b := range w.bases[:min(len(w.bases), 2)] {
		all = append(all, weighted{b.id, 1})
		for _, e := range b.edges {
			if e.channel == Antonym {
				continue
			}
			all = append(all, weighted{e.id, e.weight})
			second = appendEdges(second[:0], e.id)
			for _, f := range second {
				if f.channel != Antonym {
					all = append(all, weighted{f.id, secondStep * e.weight * f.weight})
				}
			}
		}
	}
	return newSurroundings(all)
}

// newSurroundings sums the weights of each word up. A word to which many lead weighs less, by the root of their number, as in a
// normalized adjacency matrix: that two words are both kinds of "adult" says little.
func newSurroundings(all []weighted) Surroundings {
	slices.SortFunc(all, func(a, b weighted) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.weight, b.weight)) })
	var s Surroundings
	for i := 0; i < len(all); {
		sum, id := 0.0, all[i].id
		for ; i < len(all) && all[i].id == id; i++ {
			sum += all[i].weight
		}
		sum *= damping(id)
		s.near = append(s.near, weighted{id, sum})
		s.length += sum * sum
	}
	s.near, s.length = slices.Clip(s.near), math.Sqrt(s.length)
	return s
}

// damping returns the worth of a word as a common neighbour: one divided by the root of how many lead to it.
func damping(id int) float64 {
	if id >= wordnet().Len() {
		return 1
	}
	return math.Pow(2, -float64(wordnet().About(id).Hub)/2)
}

// Nearness returns the cosine of the surroundings, from 0 to 1: .1 is much, and words that have nothing to do with each other
// mostly have less than .002.
func (s Surroundings) Nearness(other Surroundings) float64 {
	if s.length == 0 || other.length == 0 {
		return 0
	}
	sum := 0.0
	for a, b := s.near, other.near; len(a) > 0 && len(b) > 0; {
		switch {
		case a[0].id < b[0].id:
			a = a[1:]
		case a[0].id > b[0].id:
			b = b[1:]
		default:
			sum += a[0].weight * b[0].weight
			a, b = a[1:], b[1:]
		}
	}
	return min(1, sum/(s.length*other.length))
}
