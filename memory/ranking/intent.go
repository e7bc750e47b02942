package ranking

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/analysis"
)

// intent ties a kind of question to the kind of statement that answers it.
type intent struct {
	name     string
	doc      string
	asks     *regexp.Regexp // matches the question
	shows    *regexp.Regexp // matches a statement of the kind
	personal bool           // of questions about the one who asks, not about somebody by name
	terms    []string       // terms in which such statements are made, to search for beside the question's own
}

// intents is the table of the kinds. An answer to most of these questions need not hold a word of them: "what is left to do?" is
// answered by "I need to renew my passport".
var intents = [...]intent{
	{
		name: "time", doc: "the question asks for a time, and here is one",
		asks: regexp.MustCompile(`(?i)^\s*(when|how long|what (date|day|month|year|time)|which (month|year|day))\b`),
		shows: regexp.MustCompile(`(?i)\b(yesterday|today|tonight|tomorrow|(last|next|this) (night|week|weekend|month|year|` +
			`morning|afternoon|evening|summer|winter|spring|fall|autumn|(mon|tues|wednes|thurs|fri|satur|sun)day)|ago|since|recently|` +
			`the other day|(mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|` +
			`october|november|december|\d{4}|\d+(st|nd|rd|th)|weeks?|months?|years?|days?)\b`),
	},
	{
		name: "number", doc: "the question asks for a number, and here is one",
		asks: regexp.MustCompile(`(?i)\bhow (many|much|often)\b`),
		shows: regexp.MustCompile(`(?i)\b(\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|once|twice|couple|` +
			`several|few|dozen|first|second|third)\b`),
	},
	{
		name: "name", doc: "the question asks for a name, and here is one",
		asks:  regexp.MustCompile(`(?i)\b(who|where|which|name)\b`),
		shows: regexp.MustCompile(`[a-z,] [A-Z][a-z]+`),
	},
	{
		name: "money", personal: true, doc: "the question asks for an amount of money, and here is one",
		asks:  regexp.MustCompile(`(?i)\b(spen[dt]\w*|cost\w*|pa(y|id)|price\w*|budget\w*|expens\w*|money|total amount)\b`),
		shows: regexp.MustCompile(`(?i)[$€£¥]\s?\d|\b\d[\d.,]* (dollars?|euros?|pounds?|bucks|cents?)\b`),
	},
	{
		name: "taste", personal: true, doc: "the question asks for advice, and here is what somebody likes or does not",
		asks: regexp.MustCompile(`(?i)\b(suggest\w*|recommend\w*|should i (read|watch|visit|try|listen|travel|go|eat|cook|play|get)|my (tastes?|preferences?)|favou?rites?)\b`),
		shows: regexp.MustCompile(`(?i)\b(i|i'm|i've|we|we've|my)\b.{0,50}\b(like|likes|liked|liking|love|loved|loving|enjoy\w*|prefer\w*|dislike\w*|hate|favou?rites?|` +
			`fan of|into|drawn to|fond of|keen on|appreciate|captivat\w*|can't stand|my thing|cup of tea|allergic|vegetarian|vegan)\b`),
		terms: analysis.Terms("like love enjoy prefer dislike fan drawn favorite"),
	},
	{
		name: "task", personal: true, doc: "the question asks for what is to be done, and here is something",
		asks:  regexp.MustCompile(`(?i)\b(to-?do|tasks?|chores?|errands?|(need|have|left|supposed) to do|what(?:'s| is) left)\b`),
		shows: regexp.MustCompile(`(?i)\b(i|we)\b.{0,30}\b(need to|needs to|have to|has to|must|ought to|plan to|planning to|remember to|forget to)\b|\bremind me\b`),
		terms: analysis.Terms("need remember remind plan schedule"),
	},
	{
		name: "appointment", personal: true, doc: "the question asks for what is to come, and here is something with its day",
		asks: regexp.MustCompile(`(?i)\b(calendar|agenda|appointments?|upcoming|events?|scheduled?|coming up|meetings?)\b`),
		shows: regexp.MustCompile(`(?i)\b(i|i'm|we|we're|my|our)\b.*\b(scheduled|appointment|booked|attending|coming up|birthday|meeting|visit|event|conference|is on|are on)\b.*` +
			`\b(on|at|for|in|next|this|tomorrow)\b.*(\d|day|tomorrow|week|month)`),
		terms: analysis.Terms("scheduled appointment attending birthday booked meeting upcoming"),
	},
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
	for term, kind := range genres {
		if kind != "" && !slices.Contains(terms, term) && slices.ContainsFunc(terms, func(t string) bool { return genres[t] == kind }) {
			found[term] = true
		}
	}
	return found
}
