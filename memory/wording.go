package memory

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// saysAll reports whether the words of a, with those of its claim, hold every word of b that carries meaning: nothing is
// lost from recall if a stands for both. It compares terms, so that "deploys on Friday" says all of "we deploy: Friday".
//
// It is stricter than a similarity: texts that differ in one word, such as a name, a number or a "not", may differ in all
// that matters.
func saysAll(a, b ctxmcp.ContextObject) bool {
	held := map[string]bool{}
	for _, text := range []string{a.Content, a.Claim.String()} {
		for _, t := range language.Terms(text) {
			held[t] = true
		}
	}
	said := language.Terms(b.Content)
	if slices.ContainsFunc(language.Terms(a.Content), func(t string) bool { return negatingTerms.Has(t) && !slices.Contains(said, t) }) {
		return false // a denies or limits, and b does not
	}
	return !slices.ContainsFunc(said, func(t string) bool { return !held[t] && !fillerTerms.Has(t) })
}

// fillerTerms and negatingTerms hold the terms of words that add nothing, and of words that deny or limit.
var (
	fillerTerms   = language.Fillers.Terms()
	negatingTerms = language.Negations.Terms()
)
