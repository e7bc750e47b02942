package compiler

import (
	"cmp"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
	"github.com/ctx-mcp/ctx-mcp/language/limits"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/later"
)

// The bounds of statements that stand in a prompt though the words of the step do not find them: their number, how surely one tells a limit of
// somebody, and how near it is to the step, or that of which it took the place.
const (
	mostOfRest   = 3
	mostNotEaten = 8 // where somebody is to eat
	surelyLimit  = 0.5
	leastNear    = 0.1
	leastTaken   = 0.2
	leastRuled   = 0.15 // of a rule
)

// ofRest lets in things that somebody does not eat, take or bear, rules of theirs ("I never fly"), and statements that took the place of a thing that
// the step is near: none is said in the words of a request. Results of tools and retrieved text never come so. Older forms of inputs know no such statements.
func (s *state) ofRest(asked *question) {
	if !s.in.filled() {
		return
	}
	near := asked.near()
	taken := map[string]float64{} // by the later statement: the nearness of what it took the place of
	for _, it := range s.items {
		if it.Kind == KindMemory && replaced(it) {
			taken[it.drop.by] = max(taken[it.drop.by], near(it.Object.Content))
		}
	}
	var rest, notEaten []*item
	eating := s.in.labelled() && s.serves()
	for _, it := range s.items {
		if !s.notFound(it) || !isTold(it) {
			continue
		}
		if eating && memory.NotEaten(it.Object) {
			notEaten = append(notEaten, it)
			continue
		}
		own, took := near(it.Object.Content), taken[it.id()]
		limited := own >= leastNear && limits.Told(ctxmcp.Cut(it.Object.Content, mostNeed)).Weight >= surelyLimit
		ruled := s.in.labelled() && own >= leastRuled && memory.IsRule(it.Object)
		if limited || took >= leastTaken || ruled {
			it.affinity = max(own, took) + it.Relevance
			rest = append(rest, it)
		}
	}
	slices.SortStableFunc(rest, func(a, b *item) int {
		return cmp.Or(cmp.Compare(b.affinity, a.affinity), b.Object.TxStart.Compare(a.Object.TxStart))
	})
	slices.SortStableFunc(notEaten, func(a, b *item) int { return b.Object.TxStart.Compare(a.Object.TxStart) })
	for _, it := range slices.Concat(rest[:min(len(rest), mostOfRest)], notEaten[:min(len(notEaten), mostNotEaten)]) {
		it.drop, it.tier, it.ofRest = nil, Minimal, true
	}
}

// serves reports whether the step has somebody eat: then nothing is left out that somebody does not eat.
func (s *state) serves() bool {
	return limits.Serving(s.in.Request.Query) || limits.Serving(s.said) ||
		slices.ContainsFunc(s.in.Request.Need, func(n Need) bool { return n.From != areaFrom && n.From != talkFrom && limits.Serving(n.Text) })
}

// notFound reports whether an item is left out only because no word of the step finds it.
func (s *state) notFound(it *item) bool {
	if it.drop == nil || it.drop.stage != s.stage || it.drop.detail != "" {
		return false
	}
	says := it.Object.WhyItMatters != "" || len(it.Object.ApplicableTaskTypes) > 0 // when it matters
	return it.drop.reason == IrrelevantTask || s.in.labelled() && it.drop.reason == NotActive && !says
}

// isTold reports whether an item is a statement that a person or an agent made of how things are.
func isTold(it *item) bool {
	o := it.Object
	said := o.SourceKind == ctxmcp.UserStatement || o.SourceKind == ctxmcp.Inference
	return it.Kind == KindMemory && said && o.Author == "" && len(o.Domains) == 0 && !speaks(it.Warnings)
}

// The parts of the nearness of a text: that of surroundings is small where it is much, and a short text says less.
const (
	surrounding = 6.0
	fewWords    = 2.0
)

// near returns the function that tells how near a text is to the matter of the step, in [0, 1]: by its words, which weigh as much as they are rare,
// and by those that mean the same or stand for the same surroundings. A word is compared once, however many texts have it.
func (q *question) near() func(text string) float64 {
	topics, known := lexicon.NewTopics(q.words), map[string]float64{}
	nearest := func(w *lexicon.Word) float64 {
		best, read := known[w.Form()]
		if !read {
			for k, n := range topics.Nearness(w) {
				_, like := w.Likeness(q.words[k])
				best = max(best, like, min(1, surrounding*n))
			}
			known[w.Form()] = best
		}
		return best
	}
	return func(text string) float64 {
		sum, all := 0.0, fewWords
		for _, w := range lexicon.Words(ctxmcp.Cut(text, mostNeed)) {
			if !later.Naming(w) {
				continue
			}
			weight := later.Weight(w)
			sum += weight * nearest(w)
			all += weight
		}
		return sum / all
	}
}
