package ranking

import "github.com/ctx-mcp/ctx-mcp/language"

// This file is of questions for what was so before: what something took the place of answers them as well as that does, in whatever words it was told.

// AsFormer returns the question as one for what was so before what it names, and nothing else: "what did we use before Snowflake?"
func (q Question) AsFormer() Question {
	q.asksPast = true
	return q
}

// subjectForm matches the beginning of a clause: somebody did something.
var subjectForm = language.NewPattern(`(?i)^(?:he|i|it|she|they|we|you)\b`)

// NamesThing reports whether the words that bound a time name a thing, "Snowflake" or "the flat", and tell no deed: "we moved".
func NamesThing(event string) bool {
	return !subjectForm.MatchString(event) && len(language.Words(event)) <= longestThing
}

// longestThing is the number of words of the longest name of a thing.
const longestThing = 3

// justBelow is the distance at which a statement stands behind the one that took its place.
const justBelow = 0.01

// precede lets what candidates took the place of count as they do, where the question asks for what was so before.
func (e *Evidence) precede(totals []float64) {
	if !e.q.asksPast {
		return
	}
	for i := range totals {
		for by, steps := e.successorNow(i), 1; by >= 0 && steps <= mostBefore; by, steps = e.successorNow(by), steps+1 {
			totals[i] = max(totals[i], totals[by]-float64(steps)*justBelow)
		}
	}
}

// mostBefore is the number of changes in a row that are followed.
const mostBefore = 4

// successorNow returns the number of the candidate that took the place of another one, or probably did; -1 if there is none.
func (e *Evidence) successorNow(i int) int {
	o := e.found.Candidates[i].Object
	for _, id := range []string{o.LinkNow(), o.MaybeOutdatedBy} {
		if j, held := e.byID()[id]; held && j != i {
			return j
		}
	}
	return -1
}

// byID returns the numbers of the candidates by the ids of their objects.
func (e *Evidence) byID() map[string]int {
	if e.numbers == nil {
		e.numbers = make(map[string]int, len(e.found.Candidates))
		for i, c := range e.found.Candidates {
			e.numbers[c.Object.ObjectID] = i
		}
	}
	return e.numbers
}

// precedes reports whether the question asks for what was so before, and something speaks for what took the place of the candidate.
func (e *Evidence) precedes(i int) bool {
	if !e.q.asksPast {
		return false
	}
	by := e.successorNow(i)
	return by >= 0 && (e.own[by] > 0 || e.words[by].best >= faintest || e.related[by] > 0)
}
