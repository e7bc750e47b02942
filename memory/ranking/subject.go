package ranking

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// whose is the person that a statement or a question is about.
type whose int

const (
	unknown whose = iota
	speaker       // the one who speaks, or the user
	another       // somebody who is named, or told by a role: "my sister"
)

var (
	selfTerms = language.People.Row("self").Terms()
	ownTerms  = language.People.Row("own").Terms()
	roleTerms = language.People.Row("roles").Terms()
	toldTerms = language.People.Row("told").Terms()
)

// opening is the number of first terms of a statement that may tell whom it is about.
const opening = 4

// aboutWhom returns whom a text is about, by its first terms: "I ...", "My dog ...", "My sister ...".
func aboutWhom(terms []string) whose {
	owned := false
	for i, t := range terms[:min(len(terms), opening)] {
		switch {
		case owned && roleTerms.Has(t):
			return another
		case i == 0 && selfTerms.Has(t):
			return speaker
		case ownTerms.Has(t):
			owned = true
		case i == 0 && roleTerms.Has(t):
			return another
		}
	}
	if owned {
		return speaker
	}
	return unknown
}

// IsOfAnother reports whether an object is about another person than the asker, where the question is about the asker alone.
func (q Question) IsOfAnother(o ctxmcp.ContextObject) bool {
	return q.whose == speaker && aboutWhom(language.Terms(o.Content)) == another
}

// NameTerms returns the terms of the names in the question.
func (q Question) NameTerms() []string { return q.names }

// Sought returns the terms of the matter of the question: all but those that say that it is to be forgotten, if they do.
func (q Question) Sought() []string {
	if q.Request.Forget {
		return q.Request.Topic
	}
	return q.Terms
}

// isRetold reports whether a statement tells of what happened in a session, and states nothing: "The user asked for a list".
func isRetold(c Candidate) bool {
	return c.Object.Authority > ctxmcp.AuthorityUser && len(c.Terms) > 2 && toldTerms.Has(c.Terms[0]) || len(c.Terms) > 2 && c.Terms[0] == "the" && toldTerms.Has(c.Terms[1])
}

// mine returns 1 for a statement of the one who asks, where the question is of nobody else, and -1 for one about somebody else.
func (e *Evidence) mine(i int) float64 {
	if e.q.whose != speaker {
		return 0
	}
	switch aboutWhom(e.found.Candidates[i].Terms) {
	case speaker:
		return 1
	case another:
		return -1
	default:
		return 0
	}
}

// named returns the share of the names in the question that the candidate holds, and -1 if there are any and it holds none.
func (e *Evidence) named(i int) float64 {
	if len(e.q.names) == 0 {
		return 0
	}
	held := 0.0
	for _, name := range e.q.names {
		if slices.Contains(e.found.Candidates[i].Terms, name) {
			held++
		}
	}
	if held == 0 {
		return -1
	}
	return held / float64(len(e.q.names))
}

// retrieved returns 1 for what a page, a document or a tool says, outside of a conversation.
func (e *Evidence) retrieved(i int) float64 {
	o := e.found.Candidates[i].Object
	if o.Authority >= ctxmcp.AuthorityRetrieved && o.Author == "" {
		return 1
	}
	return 0
}

// inferred returns 1 for what an agent concluded.
func (e *Evidence) inferred(i int) float64 {
	if e.found.Candidates[i].Object.Authority == ctxmcp.AuthorityInferred {
		return 1
	}
	return 0
}

func (e *Evidence) retold(i int) float64 {
	if isRetold(e.found.Candidates[i]) {
		return 1
	}
	return 0
}
