package ranking

import (
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// intent ties a kind of question to the kind of statement that answers it.
type intent struct {
	name     string
	doc      string
	asks     *language.Pattern // matches the question
	shows    *language.Pattern // matches a statement of the kind
	personal bool              // of questions about the one who asks, not about somebody by name
	terms    func() []string   // terms in which such statements are made, to search for beside the question's own
}

// intents is the table of the kinds. An answer to most of these questions need not hold a word of them: "what is left to do?" is
// answered by "I need to renew my passport".
var intents = [...]intent{
	{
		name: "time", doc: "the question asks for a time, and here is one",
		asks:  language.NewPattern(`(?i)^\s*%s\b`, language.Asks.Row("time")),
		shows: language.NewPattern(`(?i)\b(%s|\d{4}|\d+(st|nd|rd|th))\b`, language.Tells.Row("time")),
	},
	{
		name: "number", doc: "the question asks for a number, and here is one",
		asks:  asked("number"),
		shows: language.NewPattern(`(?i)\b(\d+|%s)\b`, language.Tells.Row("number")),
	},
	{
		name: "name", doc: "the question asks for a name, and here is one",
		asks:  asked("name"),
		shows: language.NewPattern(`[a-z,] [A-Z][a-z]+`),
	},
	{
		name: "money", personal: true, doc: "the question asks for an amount of money, and here is one",
		asks:  asked("money"),
		shows: language.NewPattern(`(?i)[$€£¥]\s?\d|\b\d[\d.,]* %s\b`, language.Tells.Row("money")),
	},
	{
		name: "taste", personal: true, doc: "the question asks for advice, and here is what somebody likes or does not",
		asks:  asked("taste"),
		shows: language.NewPattern(`(?i)\b(i|i'm|i've|we|we've|my)\b.{0,50}\b%s\b`, language.Tells.Row("taste")),
		terms: sought("taste"),
	},
	{
		name: "task", personal: true, doc: "the question asks for what is to be done, and here is something",
		asks:  asked("task"),
		shows: language.NewPattern(`(?i)\b(i|we)\b.{0,30}\b%s\b|\bremind me\b`, language.Tells.Row("task")),
		terms: sought("task"),
	},
	{
		name: "appointment", personal: true, doc: "the question asks for what is to come, and here is something with its day",
		asks: asked("appointment"),
		shows: language.NewPattern(`(?i)\b(i|i'm|we|we're|my|our)\b.*\b%s\b.*\b(on|at|for|in|next|this|tomorrow)\b.*(\d|day|tomorrow|week|month)`,
			language.Tells.Row("appointment")),
		terms: sought("appointment"),
	},
}

// asked returns the pattern of a question that asks for a kind of statement.
func asked(kind string) *language.Pattern {
	return language.NewPattern(`(?i)\b%s\b`, language.Asks.Row(kind))
}

// sought returns the terms in which statements of a kind are made.
func sought(kind string) func() []string {
	return sync.OnceValue(func() []string { return language.Terms(strings.Join(language.Sought.Row(kind).All(), " ")) })
}

// intentsOf returns the intents of a question.
func intentsOf(text string) []intent {
	var found []intent
	for _, i := range intents {
		if i.asks.MatchString(strings.TrimSpace(text)) {
			found = append(found, i)
		}
	}
	return found
}

// related returns the terms, for a statement about the kind of thing that advice is asked on in other words: a band, where the
// question says music. They are the terms of words for the same kind of work as the question's terms, which are not among them, where it asks for advice.
func related(intents []intent, terms []string) map[string]bool {
	found := map[string]bool{}
	if !slices.ContainsFunc(intents, func(i intent) bool { return i.name == "taste" }) {
		return found
	}
	for term, kind := range genres() {
		if kind != "" && !slices.Contains(terms, term) && slices.ContainsFunc(terms, func(t string) bool { return genres()[t] == kind }) {
			found[term] = true
		}
	}
	return found
}
