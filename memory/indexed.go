package memory

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// IndexedTerms returns the terms by which a store finds o: those of its content, in order, and those of its claim that the
// content does not hold, so that "I moved to Bergen", which claims where somebody lives, answers where they live.
//
// A statement that took the place of another is found by the words of the matter too: "I moved to Bergen" need hold no word of "where
// do I live".
func IndexedTerms(o ctxmcp.ContextObject) []string {
	terms := language.Terms(o.Content)
	also := func(more []string) {
		for _, t := range more {
			if !slices.Contains(terms, t) {
				terms = append(terms, t)
			}
		}
	}
	if !o.Claim.IsZero() {
		for _, part := range []string{o.Claim.Subject, ctxmcp.Normalize(o.Claim.Predicate), o.Claim.Value} {
			also(language.Query(part))
		}
	}
	for _, m := range o.Matters {
		also(change.MatterTerms(m))
	}
	return terms
}
