package ranking

import (
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/limits"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// limitAsked is the limit that a question asks for, on what somebody can eat, take or bear, and whose it is.
type limitAsked struct {
	limits.Limit
	of    whose    // speaker, another, or unknown: of anybody
	named []string // terms of the names and roles of another
}

// planned is the weight of a limit that a plan to eat brings.
const planned = 0.5

// surelyAsked is the weight from which a question asks for a limit and nothing else.
const surelyAsked = 0.8

// LimitTerms returns terms in which limits are stated, to search for beside the question's own, if it asks for one.
func (q Question) LimitTerms() []string {
	if q.limit.Weight == 0 {
		return nil
	}
	return soughtTerms()
}

var soughtTerms = sync.OnceValue(func() []string { return language.Terms(strings.Join(language.Limits.Row("sought").All(), " ")) })

var (
	meForm       = questionForm("to_me")
	apartTerms   = language.People.Row("groups_apart").Terms()
	groupTerms   = language.People.Row("groups").Terms()
	togetherForm = questionForm("together")
	themForm     = questionForm("to_them")
	carerTerms   = language.People.Row("carers").Terms()
)

// limitOf returns the limit that a question asks for. It does not concern the one who cooks or treats, nor the asker where it names another:
// "what must the doctor not give me", "what can I cook for Ines".
func limitOf(text string, mentions []entities.Mention) limitAsked {
	var named []string
	for _, m := range mentions {
		named = append(named, slices.DeleteFunc(language.Query(m.Text), stopTerms.Has)...)
	}
	terms := language.Terms(text)
	group, apart := slices.ContainsFunc(terms, groupTerms.Has), slices.ContainsFunc(terms, apartTerms.Has)
	for _, t := range terms {
		if roleTerms.Has(t) && !carerTerms.Has(t) && !stopTerms.Has(t) && !apartTerms.Has(t) {
			named = append(named, t)
		}
	}
	l := limitAsked{Limit: limits.Asked(text, len(named) > 0 || group || apart)}
	switch {
	case l.Weight == 0 || group || l.Weight == planned && len(named) == 0: // whoever eats along
	case meForm.MatchString(text):
		l.of = speaker
	case len(named) > 0, apart, themForm.MatchString(text):
		l.of, l.named = another, named
	case firstPerson.MatchString(text) && !togetherForm.MatchString(text):
		l.of = speaker
	}
	return l
}

// ofOthers is the worth of a limit of another person than the named one, and ofNobody that of one whose owner is not told.
const (
	ofOthers = 0.3
	ofNobody = 0.7
)

// limits returns how much of a limit the candidate states that the question asks for, in [0, 1].
func (e *Evidence) limits(i int) float64 {
	if e.q.limit.Weight == 0 || e.texts[i] == nil {
		return 0
	}
	worth := e.q.limit.Of(e.texts[i].limit())
	if e.retrieved(i) > 0 {
		worth *= ofOthers
	}
	if worth == 0 || e.q.limit.of == unknown {
		return worth
	}
	return worth * e.concern(i)
}

// concern returns how surely a statement is about the person that the question for a limit names.
func (e *Evidence) concern(i int) float64 {
	terms := e.found.Candidates[i].Terms
	whom := aboutWhom(terms)
	if e.q.limit.of == speaker {
		switch {
		case whom == speaker, whom == unknown && firstPerson.MatchString(e.found.Candidates[i].Object.Content):
			return 1
		case whom == another || len(e.found.Candidates[i].Object.CanonicalEntityIDs) > 0:
			return ofOthers
		default:
			return ofNobody
		}
	}
	switch {
	case slices.ContainsFunc(e.q.limit.named, func(t string) bool { return slices.Contains(terms, t) }):
		return 1
	case whom != speaker && len(e.q.limit.named) == 0:
		return 1
	case whom == unknown:
		return ofNobody
	default:
		return ofOthers
	}
}
