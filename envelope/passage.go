package envelope

import (
	"math"
	"slices"
	"strings"
)

// match says how well a line answers a question, by its own words and by those of the passages that it stands in.
type match struct {
	own     float64 // the share of the question, by weight, that its words answer
	context float64 // that of the passage around it, or above it, that answers the most for its length
	bonus   float64 // for a name as it is written in the question
}

const (
	besideOwn   = 0.75 // weight of the context beside the own words
	nearOwn     = 0.35 // of the words of the next line, halved with each line
	nearLines   = 3
	commonShare = 0.6 // of its weight that a word of every day loses
	passageHalf = 6.0 // lines by which a passage loses weight
	mostAbove   = 12  // lines above one that are looked at
)

// matches matches the lines with the question.
func (t *lined) matches() []match {
	found := make([]match, len(t.all))
	hits := make([][]hit, len(t.all))
	counts := make([]int, len(t.need.terms))
	for i, text := range t.all {
		if t.watch.over(len(text) + 1) {
			return found
		}
		var whole int
		hits[i], whole = t.need.hitsOf(text)
		found[i].bonus = 0.3 * float64(min(whole, 2))
		for _, h := range hits[i] {
			if h.strength >= 0.5 {
				counts[h.term]++
			}
		}
	}
	t.deny(hits, counts)
	dropCommon(hits, len(t.need.terms))
	weights := t.need.weights(counts, len(t.all))
	for i, hs := range hits {
		found[i].own = weights.of(hs)
	}
	p := passages{lined: t, weights: weights, covers: map[int]*cover{}}
	p.collect(hits)
	for i := range found {
		found[i].context = p.around(i)
	}
	return found
}

// dropCommon takes away the hits of a term that no line has itself, where most lines have a word near it: they tell nothing apart.
func dropCommon(hits [][]hit, terms int) {
	near, own := make([]int, terms), make([]bool, terms)
	for _, hs := range hits {
		for _, h := range hs {
			near[h.term]++
			own[h.term] = own[h.term] || h.strength >= 1
		}
	}
	for term, n := range near {
		if own[term] || 2*n <= len(hits) || len(hits) < fewestLines {
			continue
		}
		for i := range hits {
			hits[i] = slices.DeleteFunc(slices.Clone(hits[i]), func(h hit) bool { return h.term == term })
		}
	}
}

// deny turns a term that the question denies around, where most lines have it: the others answer.
func (t *lined) deny(hits [][]hit, counts []int) {
	for term, not := range t.need.not {
		if !not || 5*counts[term] < 2*len(t.all) || counts[term] == len(t.all) {
			continue
		}
		counts[term] = 0
		for i := t.head; i < len(t.all); i++ {
			had := len(hits[i])
			hits[i] = slices.DeleteFunc(slices.Clone(hits[i]), func(h hit) bool { return h.term == term })
			if had == len(hits[i]) && strings.TrimSpace(t.all[i]) != "" {
				hits[i] = append(hits[i], hit{term, 1})
				counts[term]++
			}
		}
	}
}

// termWeights are the weights of the terms of a question, 1 in all.
type termWeights []float64

// weights weighs the terms by their rarity among n texts, of which counts says how many have a term, and in English.
func (n *need) weights(counts []int, of int) termWeights {
	weights, sum := make(termWeights, len(n.terms)), 0.0
	for i := range weights {
		idf := math.Log(1 + (float64(of-counts[i])+0.5)/(float64(counts[i])+0.5))
		weights[i] = idf * (1 - commonShare*n.common[i])
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= max(sum, 1e-9)
	}
	return weights
}

// of returns the share of a question that hits answer.
func (w termWeights) of(hits []hit) (share float64) {
	for _, h := range hits {
		share += w[h.term] * h.strength
	}
	return share
}

// passages knows what the passages of a text say of a question: those below a line, and the paragraphs.
type passages struct {
	*lined
	weights termWeights
	covers  map[int]*cover // by the line that a passage stands below, or by the number of a paragraph, below zero
}

// cover is the part of a question that a passage answers, the best of each term.
type cover struct {
	best  []float64
	lines int
	share float64 // counted once all is in
}

func (p *passages) collect(hits [][]hit) {
	for i, hs := range hits {
		if len(hs) == 0 {
			continue
		}
		p.cover(-1-p.outline.paragraph[i], 0).add(hs)
		p.cover(i, p.outline.end[i]-i).add(hs)
		for _, above := range p.outline.above(i, mostAbove) {
			p.cover(above, p.outline.end[above]-above).add(hs)
		}
	}
	sizes := map[int]int{}
	for _, number := range p.outline.paragraph {
		sizes[number]++
	}
	for key, c := range p.covers {
		if key < 0 {
			c.lines = sizes[-1-key]
		}
		for term, s := range c.best {
			c.share += p.weights[term] * s
		}
		c.share /= 1 + math.Log2(1+float64(max(0, c.lines-2))/passageHalf)
	}
}

func (p *passages) cover(key, lines int) *cover {
	c := p.covers[key]
	if c == nil {
		c = &cover{best: make([]float64, len(p.weights)), lines: lines}
		p.covers[key] = c
	}
	return c
}

func (c *cover) add(hits []hit) {
	for _, h := range hits {
		c.best[h.term] = max(c.best[h.term], h.strength)
	}
}

// around returns the greatest share of the passages that a line stands in.
func (p *passages) around(i int) (share float64) {
	if c := p.covers[-1-p.outline.paragraph[i]]; c != nil {
		share = c.share
	}
	for _, above := range p.outline.above(i, mostAbove) {
		if c := p.covers[above]; c != nil {
			share = max(share, c.share)
		}
	}
	return share
}
