package ranking

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// An arrangement is a rule about the order of two candidates that no sum of features may break.
type arrangement struct {
	name string
	doc  string
	// moves returns the place, behind the one given, of a candidate that must stand directly before it; -1: of none.
	moves func(e *Evidence, ranked []scored, place int) int
}

// arrangements are held in this order against each of the first places.
var arrangements = [...]arrangement{
	{"very words", "what holds all words of the question stands before what holds none of them and was told earlier", (*Evidence).wordedOver},
	{"newer first", "what has probably taken the place of a statement stands before it, if its own score is near", (*Evidence).successorOf},
	{"part that holds", "a statement that answers by a part which a later one leaves as it is stands before that one", (*Evidence).restOver},
	{"of whom it asks", "what tells of the close relative that is asked about stands before what tells of another", (*Evidence).kinOfQuestion},
	{"said first", "what the user or the agent said stands before what a page, a document or a tool says of the same", (*Evidence).saidOf},
	{"guessed last", "what a person said stands before what an agent concluded, if it answers as well", (*Evidence).toldOf},
}

// arranged is the number of first places that are looked at: more than an answer has.
const arranged = 100

// arrange returns the candidates, best first, in an order that keeps the arrangements. A candidate that moves up takes the relevance of the
// place, so that relevance falls with the order.
func (e *Evidence) arrange(ranked []scored) []scored {
	for _, a := range arrangements {
		for place := 0; place < min(len(ranked), arranged); place++ {
			from := a.moves(e, ranked, place)
			if from <= place {
				continue
			}
			moved := ranked[from]
			moved.relevance = max(moved.relevance, ranked[place].relevance)
			ranked = slices.Insert(slices.Delete(ranked, from, from+1), place, moved)
		}
	}
	return ranked
}

// wordedOver returns the place of a candidate that holds all words of the question and was told no earlier than the one at a place, which holds none.
func (e *Evidence) wordedOver(ranked []scored, place int) int {
	here := ranked[place].number
	if !e.worded || e.q.asksPast || e.texts[here] == nil || e.words[here].held > 0 {
		return -1
	}
	return slices.IndexFunc(ranked[:min(len(ranked), arranged)], func(r scored) bool {
		return e.words[r.number].held > allHeld && e.replaced[r.number] < change.LikelyFrom && !e.told(r.number).Before(e.told(here))
	})
}

// nearScore is the distance by which the score of a newer statement may lie below that of the one whose place it took, for each point of
// probability: a newer statement that answers nothing is not pulled up.
const nearScore = 1.0

// successorOf returns the place of the likeliest successor of the candidate at a place.
func (e *Evidence) successorOf(ranked []scored, place int) int {
	best, to := 0.0, -1
	for _, s := range e.successors[ranked[place].number] {
		if s.probability <= max(best, leastChange) || e.holdsOnOver(ranked[place].number, s.number) {
			continue
		}
		at := slices.IndexFunc(ranked, func(r scored) bool { return r.number == s.number })
		if at > place && ranked[at].score >= ranked[place].score-nearScore*s.probability {
			best, to = s.probability, at
		}
	}
	return to
}

// sameMatter is the share of the weight of the words of the shorter of two statements from which both speak of the same.
const sameMatter = 0.5

// saidOf returns the place of a statement of higher authority about the same as the retrieved one at a place.
func (e *Evidence) saidOf(ranked []scored, place int) int {
	if e.retrieved(ranked[place].number) == 0 {
		return -1
	}
	for at := place + 1; at < min(len(ranked), arranged); at++ {
		i := ranked[at].number
		if o := e.found.Candidates[i].Object; o.Authority < ctxmcp.AuthorityRetrieved && e.fit(i) > 0 && e.common(i, ranked[place].number) >= sameMatter {
			return at
		}
	}
	return -1
}

// toldOf returns the place of what a person said that holds as much of the question as the conclusion of an agent at a place.
func (e *Evidence) toldOf(ranked []scored, place int) int {
	guess := ranked[place].number
	if e.inferred(guess) == 0 || e.texts[guess] == nil {
		return -1
	}
	for at := place + 1; at < min(len(ranked), arranged); at++ {
		i := ranked[at].number
		told := e.found.Candidates[i].Object.Authority <= ctxmcp.AuthorityUser
		if told && e.fit(i) > 0 && e.fit(i) >= e.fit(guess) && e.related[i] >= e.related[guess] {
			return at
		}
	}
	return -1
}

// common returns the share of the shorter candidate's terms that the other holds, stop words left out.
func (e *Evidence) common(i, j int) float64 {
	a, b := e.meaningful(i), e.meaningful(j)
	if len(a) > len(b) {
		a, b = b, a
	}
	shared := 0
	for _, t := range a {
		if _, held := slices.BinarySearch(b, t); held {
			shared++
		}
	}
	return float64(shared) / float64(max(1, len(a)))
}

// meaningful returns the distinct terms of a candidate that carry meaning, in order. They are read once.
func (e *Evidence) meaningful(i int) []string {
	if e.terms == nil {
		e.terms = make([][]string, len(e.own))
	}
	if e.terms[i] == nil {
		all := slices.DeleteFunc(slices.Clone(e.found.Candidates[i].Terms), stopTerms.Has)
		slices.Sort(all)
		e.terms[i] = append([]string{}, slices.Compact(all)...)
	}
	return e.terms[i]
}

var stopTerms = language.StopWords.Terms()
