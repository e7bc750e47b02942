package ranking

import (
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// kinAsked is the close relative of the asker that a question is about: the terms of all words for that one, none if it is about nobody close.
type kinAsked []string

// kinTerms holds the terms of the words for each close relative, by the term that asks for them.
var kinTerms = sync.OnceValue(func() map[string]kinAsked {
	all := map[string]kinAsked{}
	for _, r := range language.Kin.Rows() {
		all[language.Term(r.Head)] = language.Terms(strings.Join(r.Words, " "))
	}
	return all
})

// kinOf returns the relative that a question is about by "my" or "our", with a word between at most. It is none for relatives of relatives.
func kinOf(terms []string) kinAsked {
	for i, t := range terms {
		if !ownTerms.Has(t) {
			continue
		}
		for at := i + 1; at < min(len(terms), i+3); at++ {
			asked, close := kinTerms()[terms[at]]
			if !close {
				continue
			}
			if at+1 < len(terms) && (roleTerms.Has(terms[at+1]) || terms[at+1] == "in") {
				return nil
			}
			return asked
		}
	}
	return nil
}

// tellsOf reports whether a candidate has a word for the relative.
func (k kinAsked) tellsOf(c Candidate) bool {
	return slices.ContainsFunc(c.Terms, func(t string) bool { return slices.Contains(k, t) })
}

// kinUnknown reports whether the question is about a close relative of whom no memory speaks. Nobody can tell unless all memories are among the candidates.
func (e *Evidence) kinUnknown() bool {
	if len(e.q.kin) == 0 || !e.found.Whole {
		return false
	}
	return !slices.ContainsFunc(e.found.Candidates, func(c Candidate) bool { return c.Object.Author != "" || e.q.kin.tellsOf(c) })
}

// kinOfQuestion returns the place of a candidate about the relative in the question, where the one at a place is about another relative.
func (e *Evidence) kinOfQuestion(ranked []scored, place int) int {
	if len(e.q.kin) == 0 || e.texts[ranked[place].number] == nil {
		return -1
	}
	c := e.found.Candidates[ranked[place].number]
	another := slices.ContainsFunc(c.Terms, func(t string) bool { return kinTerms()[t] != nil })
	if !another || e.q.kin.tellsOf(c) {
		return -1
	}
	for at := place + 1; at < min(len(ranked), arranged); at++ {
		if e.q.kin.tellsOf(e.found.Candidates[ranked[at].number]) {
			return at
		}
	}
	return -1
}
