package memory

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// Coexists reports whether a slot of the predicate holds several values at a time: as configured, else as the word means. If it
// does, a second value stands beside the first; if not, a new value replaces the old.
func (o Options) Coexists(predicate string) bool {
	word := Predicate(predicate)
	if slices.Contains(o.SingleValued, word) {
		return false
	}
	return slices.Contains(o.ManyValued, word) || language.ManyValued.Has(word)
}

// Predicate returns a predicate as claims are compared by: normalised, with underscores for spaces.
func Predicate(text string) string { return strings.ReplaceAll(ctxmcp.Normalize(text), " ", "_") }

// alike reports whether two claims say the same.
func alike(a, b ctxmcp.Claim) bool {
	return a.Slot() == b.Slot() && ctxmcp.Normalize(a.Value) == ctxmcp.Normalize(b.Value)
}
