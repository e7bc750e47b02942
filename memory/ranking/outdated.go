package ranking

import (
	"cmp"
	"math"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// The bounds of the candidates that are lined up: the best by their words, as statements that may be outdated, and those that
// may have taken their place. In a small store the latter are all.
const (
	mayBeOutdated = 12
	mayReplace    = 40
	leastChange   = 0.1 // probability from which one statement counts as a change of another
)

// successor is a later candidate that changes an earlier one, with the probability that it does.
type successor struct {
	number      int
	probability float64
}

// lineUp fills successors: for each of the best candidates the later ones that may have taken its place. A pair counts the less,
// the better a rival of either side is.
func (e *Evidence) lineUp() {
	n := len(e.own)
	e.successors, e.replaced, e.inherited, e.replaces = make([][]successor, n), make([]float64, n), make([]float64, n), make([]float64, n)
	e.weigh = change.Rarity(e.found.Documents, func(t string) int { return max(1, e.found.Frequency[t]) }).Once()
	if e.q.asksPast || n == 0 {
		return
	}
	order := make([]int, 0, n)
	for i := range n {
		if e.texts[i] != nil {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(e.fit(b), e.fit(a)) })
	later := order
	if e.found.Documents > mayReplace*10 {
		later = order[:min(len(order), mayReplace)]
	}
	best := make([]float64, n) // of each as the later one
	for _, i := range order[:min(len(order), mayBeOutdated)] {
		if e.fit(i) == 0 {
			break
		}
		older, bestOlder := e.weighed(i), 0.0
		for _, j := range later {
			if i == j || !e.told(i).Before(e.told(j)) {
				continue
			}
			if p := older.Changed(e.weighed(j)).Probability; p >= leastChange/2 {
				e.successors[i] = append(e.successors[i], successor{j, p})
				best[j], bestOlder = max(best[j], p), max(bestOlder, p)
			}
		}
		for k := range e.successors[i] {
			e.successors[i][k].probability *= math.Sqrt(e.successors[i][k].probability / bestOlder)
		}
	}
	for i, all := range e.successors {
		for k, s := range all {
			s.probability *= math.Sqrt(min(1, s.probability/best[s.number]))
			all[k] = s
			if s.probability < leastChange {
				continue
			}
			e.inherited[s.number] = max(e.inherited[s.number], s.probability*max(0, e.fit(i)-e.fit(s.number)))
			e.replaces[s.number] = max(e.replaces[s.number], s.probability*min(1, max(e.fit(i), e.fit(s.number))))
		}
		e.replaced[i] = e.likeliest(i)
	}
}

// likeliest returns the probability of the likeliest successor over which nothing of the candidate holds on that the question asks for; 0 for none.
func (e *Evidence) likeliest(i int) float64 {
	e.likely = append(e.likely[:0], e.successors[i]...)
	slices.SortFunc(e.likely, func(a, b successor) int { return cmp.Compare(b.probability, a.probability) })
	for _, s := range e.likely {
		if s.probability < leastChange {
			break
		}
		if !e.holdsOnOver(i, s.number) {
			return s.probability
		}
	}
	return 0
}

// weighed returns a candidate as it is lined up, with the weights of its words here.
func (e *Evidence) weighed(i int) *change.Weighed {
	if e.lined == nil {
		e.lined = make([]*change.Weighed, len(e.own))
	}
	if e.lined[i] == nil {
		e.lined[i] = change.Weigh(e.texts[i].change(), e.weigh)
	}
	return e.lined[i]
}

// fit returns how much of the question the candidate's words and those near them hold, in [0, 1].
func (e *Evidence) fit(i int) float64 { return e.words[i].fit() }

func (r lexical) fit() float64 { return min(1, r.held+r.stands[bySame]+broaderFit*r.stands[byBroader]) }

// broaderFit is the weight of a broader or narrower word, of that of the word that it stands for.
const broaderFit = 0.8
