package memory

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/analysis"
)

// saysAll reports whether the words of a, with those of its claim, hold every word of b that carries meaning: nothing is
// lost from recall if a stands for both. It compares terms, so that "deploys on Friday" says all of "we deploy: Friday".
//
// It is stricter than a similarity: texts that differ in one word, such as a name, a number or a "not", may differ in all
// that matters.
func saysAll(a, b ctxmcp.ContextObject) bool {
	held := map[string]bool{}
	for _, text := range []string{a.Content, a.Claim.String()} {
		for _, t := range analysis.Terms(text) {
			held[t] = true
		}
	}
	said := analysis.Terms(b.Content)
	if slices.ContainsFunc(analysis.Terms(a.Content), func(t string) bool { return negatingTerms[t] && !slices.Contains(said, t) }) {
		return false // a denies or limits, and b does not
	}
	return !slices.ContainsFunc(said, func(t string) bool { return !held[t] && !fillerTerms[t] })
}

// fillerTerms holds the terms of words that add nothing to a claim that is held: articles, pronouns, forms of to be, and words
// for a repetition or for the present.
var fillerTerms = termsOf(`a an the this that i you he she it we they me him her us them my your his its our their mine yours ours
	is are was were be been am has have had do does did of on in at to and so there here now still currently again already
	always indeed really actually yes also just please note remember remind say tell mention confirm today presently remain
	continue unchanged same as`)

// negatingTerms holds the terms of words that deny or limit a statement.
var negatingTerms = termsOf(`not no never neither nor without none cannot only except unless until before after if but hardly rarely
	seldom sometimes maybe perhaps almost don't doesn't didn't isn't aren't wasn't won't can't couldn't`)

func termsOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		for _, t := range analysis.Terms(word) {
			set[t] = true
		}
	}
	return set
}
