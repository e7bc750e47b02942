package memory

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// manyValued lists the predicates that hold for several values at a time: a second value stands beside the first. Every
// other predicate holds one value at a time, and a new value replaces the old.
var manyValued = func() map[string]bool {
	words := `aliases also_known_as allergic_to attended avoids contributed_to contains dislikes enjoys friend_of has
		has_child has_pet hates hobby includes interested_in knows likes loves member_of mentions needs owns plays reads
		related_to requires speaks studied tag tags uses_also visited wants watched worked_on wrote`
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}()

// Coexists reports whether a slot of the predicate holds several values at a time: as configured, else as the word means.
func (o Options) Coexists(predicate string) bool {
	word := Predicate(predicate)
	if slices.Contains(o.SingleValued, word) {
		return false
	}
	return slices.Contains(o.ManyValued, word) || manyValued[word]
}

// Predicate returns a predicate as claims are compared by: normalised, with underscores for spaces.
func Predicate(text string) string { return strings.ReplaceAll(ctxmcp.Normalize(text), " ", "_") }

// alike reports whether two claims say the same.
func alike(a, b ctxmcp.Claim) bool {
	return a.Slot() == b.Slot() && ctxmcp.Normalize(a.Value) == ctxmcp.Normalize(b.Value)
}
