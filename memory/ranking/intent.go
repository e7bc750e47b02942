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
	told     bool              // of statements told by themselves alone, of which one without such a value is no answer
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
	{
		name: "day", told: true, doc: "the question asks for a day or an hour, and here is one",
		asks:  asked("day"),
		shows: language.NewPattern(`(?i)\b(?:%s|\d{4}|\d+(?:st|nd|rd|th)|\d{1,2}[:.]\d\d|\d{1,2} ?(?:am|pm|o'clock)|noon|midnight|mornings?|evenings?|afternoons?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b`, language.Tells.Row("time")),
	},
	{
		name: "quantity", told: true, doc: "the question asks how many or how much, and here is a number",
		asks:  asked("quantity"),
		shows: language.NewPattern(`(?i)\b(?:\d|%s\b)`, language.Tells.Row("number")),
	},
	{
		name: "duration", told: true, doc: "the question asks how long or how often, and here is a length of time",
		asks:  asked("duration"),
		shows: language.NewPattern(`(?i)\b(?:%s)\b|\b\d+ ?(?:ms|s|min|h|d)\b`, language.Tells.Row("duration")),
	},
	{
		name: "place", told: true, doc: "the question asks where, and here is a place",
		asks:  asked("place"),
		shows: language.NewPattern(`\b(?:in|at|near|from|to|on|under|behind|beside|off|over) (?:the |our |my )?[A-Z]|(?i:\b%s\b)|\S/\S`, language.Tells.Row("place")),
	},
	{
		name: "person", told: true, doc: "the question asks who, and here is a name",
		asks:  asked("person"),
		shows: language.NewPattern(`[A-Z][a-z]`),
	},
	{
		name: "contact", told: true, doc: "the question asks how to reach somebody, and here is a number or an address",
		asks:  asked("contact"),
		shows: language.NewPattern(`\S@\S|\d[\d /()-]{5,}\d`),
	},
	{
		name: "reason", told: true, doc: "the question asks why, and here is a reason",
		asks:  asked("reason"),
		shows: language.NewPattern(`(?i)\b%s\b|[:;]`, language.Tells.Row("reason")),
	},
	{
		name: "colour", told: true, doc: "the question asks for a colour, and here is one",
		asks:  asked("colour"),
		shows: language.NewPattern(`(?i)\b%s\b|#[0-9a-f]{3,6}\b`, language.Tells.Row("colour")),
	},
	{
		name: "version", told: true, doc: "the question asks for a version, and here is one",
		asks:  asked("version"),
		shows: language.NewPattern(`\bv?\d+(?:\.\d+)+\b|\b[A-Z]\w+ \d{1,4}\b`),
	},
	{
		name: "outcome", told: true, doc: "the question asks what became of something, and here is an end of it",
		asks:  language.NewPattern(`(?i)^(?:is|are|was|were|has|have|did|does|do|can|what (?:happened|became|came|has become))\b.*\b(?:%s|happened|became|come|came)\b`, language.Asks.Row("outcome")),
		shows: language.NewPattern(`(?i)\b%s\b`, language.Tells.Row("outcome")),
	},
	{
		name: "command", told: true, doc: "the question asks for a command, and here is one",
		asks:  asked("command"),
		shows: language.NewPattern("`[^`]+`|(?:^|\\s)(?:\\./|--)\\w"),
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

// intentsOf returns the numbers of the intents of a question.
func intentsOf(text string) []int {
	var found []int
	for k, i := range intents {
		if i.asks.MatchString(strings.TrimSpace(text)) {
			found = append(found, k)
		}
	}
	return found
}

// related returns the terms, for a statement about the kind of thing that advice is asked on in other words: a band, where the
// question says music. They are the terms of words for the same kind of work as the question's terms, which are not among them, where it asks for advice.
func related(asked []int, terms []string) map[string]bool {
	found := map[string]bool{}
	if !slices.ContainsFunc(asked, func(k int) bool { return intents[k].name == "taste" }) {
		return found
	}
	for term, kind := range genres() {
		if kind != "" && !slices.Contains(terms, term) && slices.ContainsFunc(terms, func(t string) bool { return genres()[t] == kind }) {
			found[term] = true
		}
	}
	return found
}
