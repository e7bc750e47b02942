package ranking

import (
	"hash/maphash"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/relations"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// Question is a question to memory, read once: ranking, the search for names and the gates all ask it.
type Question struct {
	Text     string
	Terms    []string           // terms to search for, each once, in order
	Mentions []entities.Mention // names in the text
	Request  Request            // for memories beside the one that answers best

	intents     []int           // kinds of answers that it asks for, by their numbers
	related     map[string]bool // terms of other words for the thing that it asks advice on
	authors     []string        // of Found.Authors, whom it asks about
	side        side            // side of a conversation with an assistant that it asks about
	asksState   bool            // it asks how things stand with the one who asks
	asksPresent bool            // it asks for the present, and not for the past
	asksPast    bool            // it asks for what was
	ofChange    bool            // it asks why something changed, or what became of it
	wasSo       bool            // it is in the past tense, or names a time that is over
	whose       whose           // whom it is about
	names       []string        // terms of the names in it
	relations   []relations.Relation
	tool        string // the kind of tools of which it asks for the one in use; a relation
	limit       limitAsked
	kin         kinAsked
	dates       dates
	rest        change.Asked    // what it asks for, of which a statement may tell in part
	agenda      ctxmcp.Interval // the time to come in which it asks for all that is on
	at          time.Time       // when it is asked
}

// side is one side of a conversation between a user and an assistant.
type side int

const (
	noSide side = iota
	userSide
	assistantSide
)

var (
	// presentForm matches a question for the present state, or for advice by it; pastForm one for the past.
	presentForm = questionForm("present")
	pastForm    = questionForm("past")
	// stateForm matches a question about a state that lasts: how much by now, where, since when, which; earlierForm one about an
	// earlier state.
	stateForm   = language.NewPattern(`(?i)\b(do|does|am|is|are|have|has|currently|now|'s)\b.*\b(i|my|we|our)\b|\bmy (current|new|latest)\b|\b(i|my|we|our)\b.*\b(is|are|have|has|do|currently|now)\b`)
	earlierForm = questionForm("earlier")
	// formerForm matches a question for what was so before.
	formerForm = questionForm("former")
	// beforeForm matches one for what was so before a change, and for nothing else: "when was the test?" does not.
	beforeForm = questionForm("before")
	// endsBefore matches "where did I live before?": before something that is named it is a time.
	endsBefore = language.NewPattern(`(?i)\b(?:did|had|was|were)\b.*\b(?:before|earlier)\W*$`)
	// changeForm matches a question for the reason of a change, or for the end of something: the newer statement answers it, though it speaks of the
	// past: "why did we leave our former supplier?"
	changeForm = language.NewPattern(`(?i)^\W*(?:(?:why|how come|what (?:was|is|were) the reasons?)\b.*\b%s\b|what (?:happened to|(?:has |have )?(?:became|become) of)\b|where (?:has|have|did|is)\b.*\bgone?\W*$)`,
		language.Questions.Row("leaving"))
	// assistantForm matches a question about an earlier answer of the assistant.
	assistantForm = questionForm("assistant")
	firstPerson   = questionForm("first_person")
)

// questionForm returns the pattern of the phrases of a row of the table of questions.
func questionForm(row string) *language.Pattern {
	return language.NewPattern(`(?i)\b%s\b`, language.Questions.Row(row))
}

// Read reads the text of a question that is asked at an instant: "last week" is relative to it.
func Read(text string, at time.Time) Question {
	if text == "" { // a start asks for a brief: no form is compiled for it
		return Question{}
	}
	q := readWords(text, at)
	q.at = at
	return q
}

func readWords(text string, at time.Time) Question {
	q := readTimeless(text)
	q.dates, q.Request = datesIn(text, at), requestOf(text, q.Terms, at)
	if q.limit.Weight >= surelyAsked && !q.Request.About { // it has an answer, whatever the plan that it is asked for
		q.Request.Brief = false
	}
	q.agenda = agendaOf(text, q.Terms, q.Request.Told, at)
	return q
}

// questions holds those that were read last, without what depends on when they are asked, each in the place of its hash: the need of a step has mostly the
// parts of the need of the step before. Nobody changes what one holds.
var (
	questions     [64]atomic.Pointer[Question]
	questionsSeed = maphash.MakeSeed()
)

// readTimeless reads what the words of a question say, whenever it is asked.
func readTimeless(text string) Question {
	place := &questions[maphash.String(questionsSeed, text)%uint64(len(questions))]
	if kept := place.Load(); kept != nil && kept.Text == text {
		return *kept
	}
	q := readAnew(text)
	place.Store(&q)
	return q
}

func readAnew(text string) Question {
	terms := slices.Clip(language.Query(text))
	mentions := slices.Clip(entities.Extract(text))
	whose, names := askedAbout(text, mentions)
	about, ofChange, asks := slices.Clip(relations.OfQuestion(text)), changeForm.MatchString(text), slices.Clip(intentsOf(text))
	return Question{
		Text: text, Terms: terms, limit: limitOf(text, mentions), Mentions: mentions, whose: whose, names: slices.Clip(names),
		relations: about, tool: toolAsked(about), kin: slices.Clip(kinOf(language.Terms(text))), intents: asks, side: sideOf(text),
		asksState:   stateForm.MatchString(text) && !earlierForm.MatchString(text),
		ofChange:    ofChange,
		rest:        askedOfRest(text, terms, asks),
		asksPast:    !ofChange && (beforeForm.MatchString(text) || endsBefore.MatchString(text)),
		wasSo:       !ofChange && (pastForm.MatchString(text) || earlierForm.MatchString(text) || formerForm.MatchString(text)),
		asksPresent: presentForm.MatchString(text) && !pastForm.MatchString(text),
	}
}

// Among returns the question as it reads among the authors of a search: it may ask about one of them, or about one side of
// a conversation with an assistant.
func (q Question) Among(found Found) Question {
	if slices.Contains(found.Authors, "assistant") {
		if q.side == assistantSide {
			q.intents = nil // an answer is of any kind
		}
		q.related = related(q.intents, q.Terms)
		return q
	}
	q.side = noSide
	q.authors, q.Terms = q.authorsAmong(found)
	if len(q.authors) > 0 {
		q.intents = slices.DeleteFunc(slices.Clone(q.intents), func(k int) bool { return intents[k].personal })
	}
	return q
}

// askedAbout returns whom a question is about, and the terms of the names in it: "where do I live?" is of the one who asks, "where
// does my sister live?" is not.
func askedAbout(text string, mentions []entities.Mention) (whose, []string) {
	var names []string
	for _, m := range mentions {
		names = append(names, language.Query(m.Text)...)
	}
	terms := language.Terms(text)
	switch {
	case len(names) > 0 || slices.ContainsFunc(terms, roleTerms.Has):
		return another, names
	case firstPerson.MatchString(text), slices.ContainsFunc(terms, ownTerms.Has), slices.ContainsFunc(terms, selfTerms.Has):
		return speaker, nil
	default:
		return unknown, nil
	}
}

func sideOf(text string) side {
	switch {
	case assistantForm.MatchString(text):
		return assistantSide
	case firstPerson.MatchString(text):
		return userSide
	default:
		return noSide
	}
}

// authorsAmong returns the authors that the question names, and its terms without their names, unless nothing else finds
// anything. As words the names would favour greetings.
func (q Question) authorsAmong(found Found) (authors, terms []string) {
	named := map[string]bool{}
	for _, author := range found.Authors {
		parts := language.Terms(author)
		if slices.ContainsFunc(parts, func(p string) bool { return slices.Contains(q.Terms, p) }) {
			authors = append(authors, author)
			for _, p := range parts {
				named[p] = true
			}
		}
	}
	rest := slices.DeleteFunc(slices.Clone(q.Terms), func(t string) bool { return named[t] })
	if slices.ContainsFunc(rest, func(t string) bool { return found.Frequency[t] > 0 }) {
		return authors, rest
	}
	return authors, q.Terms
}

// AsksEarlier reports whether the question asks for an earlier state.
func (q Question) AsksEarlier() bool {
	return q.asksPast || !q.ofChange && formerForm.MatchString(q.Text)
}

// AsksPast reports whether the question asks for what was so, and is so no longer.
func (q Question) AsksPast() bool { return q.asksPast }

// Touches reports whether the question shares a word that carries meaning with a text.
func (q Question) Touches(text string) bool {
	terms := language.Terms(text)
	return slices.ContainsFunc(q.Terms, func(t string) bool { return slices.Contains(terms, t) })
}

// IntentTerms returns terms in which statements of the kinds that the question asks for are made, to search for beside its
// own: an answer need not hold a word of the question.
func (q Question) IntentTerms() []string {
	var terms []string
	for _, k := range q.intents {
		if sought := intents[k].terms; sought != nil {
			terms = append(terms, sought()...)
		}
	}
	if len(terms) == 0 {
		return nil
	}
	return append(terms, slices.Sorted(maps.Keys(q.related))...)
}
