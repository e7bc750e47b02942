package ranking

import (
	"cmp"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// Ranked is the best version of an object. Relevance, how surely it answers, and Bearing, how much of the question it speaks of, are in
// [0, 1]. Leading says that it is among the best few of which the question's words speak: an answer in other words is found though nothing
// makes it sure, so that no floor which nobody asked for leaves it out.
type Ranked struct {
	Object             *ctxmcp.ContextObject
	Relevance, Bearing float64
	Leading            bool
}

// scored is a version with the weighted sum of its features.
type scored struct {
	number           int // of the candidate
	object           *ctxmcp.ContextObject
	relevance, score float64
}

// Rank returns one version of each object for which anything speaks, best first: in a small store everything is a candidate.
func (e *Evidence) Rank() []Ranked { return e.RankBy(weights, signWeights) }

// RankBy is Rank by other weights, in the orders of Weights and Signs.
func (e *Evidence) RankBy(weights, signs []float64) []Ranked {
	totals, _ := e.totals(weights)
	all := e.order(totals)
	e.relevances(all, signs)
	if e.kinUnknown() {
		return nil
	}
	all, on := e.schedule(all)
	if on > 0 {
		return e.out(all, on)
	}
	all = e.arrange(all)
	leading, found := e.leading(all), len(all)
	all = e.yield(all, totals)
	return e.out(all, leading+len(all)-found)
}

// out returns the candidates as they leave the ranking: so many of the first are leading.
func (e *Evidence) out(all []scored, leading int) []Ranked {
	out := make([]Ranked, len(all))
	for i, v := range all {
		out[i] = Ranked{v.object, v.relevance, e.bears(v.number), i < leading}
	}
	return out
}

// evident reports whether anything speaks for a candidate: a word, one that stands for it, a relation, a limit, a predecessor, a kind
// of answer that is made in other words, its neighbours, or a vector.
func (e *Evidence) evident(i int) bool {
	if e.texts[i] == nil || e.isOn(i) || e.own[i] > 0 || e.words[i].best >= faintest || e.vague && e.sense(i) >= e.alikeEnough() || e.related[i] > 0 || e.limits(i) > 0 || e.replaces[i] > 0 || e.precedes(i) ||
		e.near(i, -1) > 0 || e.near(i, 1) > 0 || e.near(i, -2) > 0 || e.meant.share[ctxmcp.KeyOf(*e.found.Candidates[i].Object)] > 0 {
		return true
	}
	shows := false
	e.kinds(i, func(k int) { shows = shows || k == len(intents) || intents[k].terms != nil })
	return shows
}

// bears returns how much of the question the candidate's words, those near them, its vector or a relation hold.
func (e *Evidence) bears(i int) float64 {
	by := max(e.lexical[i], e.meant.certainty()*e.meant.share[ctxmcp.KeyOf(*e.found.Candidates[i].Object)])
	if e.texts[i] != nil {
		by = max(by, e.fit(i), e.related[i], e.limits(i))
	}
	return by
}

// alikeEnough returns the likeness in meaning that is evidence by itself: a question of one known word is like more statements by chance.
func (e *Evidence) alikeEnough() float64 {
	if e.asked.Words() > 1 {
		return alikeInSense
	}
	return alikeInWord
}

// The bounds of evidence.
const (
	faintest     = 0.05 // share of a question that a word must stand for
	alikeInSense = 0.25 // likeness in meaning that is evidence by itself, where nothing holds
	alikeInWord  = 0.4  // the same for a question of one word
	plainly      = 0.5  // of the question
)

// order returns one version of each object for which anything speaks, by the sum of its features, best first, without relevance.
func (e *Evidence) order(totals []float64) []scored {
	all, place := make([]scored, 0, len(totals)), make(map[string]int, len(totals)) // by object id
	for i, total := range totals {
		if !e.evident(i) {
			continue
		}
		v := scored{number: i, object: e.found.Candidates[i].Object, score: total}
		at, held := place[v.object.ObjectID]
		switch {
		case !held:
			place[v.object.ObjectID] = len(all)
			all = append(all, v)
		case v.score >= all[at].score:
			all[at] = v
		}
	}
	slices.SortFunc(all, better)
	return all
}

// better orders by score, then by authority, by the later beginning and by id, so that the order is total.
func better(a, b scored) int {
	return cmp.Or(
		cmp.Compare(b.score, a.score),
		cmp.Compare(a.object.Authority, b.object.Authority), b.object.ValidFrom.Compare(a.object.ValidFrom),
		cmp.Compare(a.object.ObjectID, b.object.ObjectID), cmp.Compare(a.object.Version, b.object.Version),
	)
}
