package memory

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// IndexedTerms returns the terms by which a store finds o: those of its content, in order, and those of its claim that the
// content does not hold, so that "I moved to Bergen", which claims where somebody lives, answers where they live.
func IndexedTerms(o ctxmcp.ContextObject) []string {
	terms := language.Terms(o.Content)
	if o.Claim.IsZero() {
		return terms
	}
	for _, part := range []string{o.Claim.Subject, ctxmcp.Normalize(o.Claim.Predicate), o.Claim.Value} {
		for _, t := range language.Query(part) {
			if !slices.Contains(terms, t) {
				terms = append(terms, t)
			}
		}
	}
	return terms
}
