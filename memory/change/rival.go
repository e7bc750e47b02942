package change

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// Common returns the weight of the rarest term that two statements have in common, 0 if there is none.
func (r *Reading) Common(other *Reading, weigh Words) float64 {
	best := 0.0
	for _, t := range r.terms {
		if slices.Contains(other.terms, t) {
			best = max(best, weigh(t))
		}
	}
	return best
}

// Differs reports whether two statements have values of one kind, and none of that kind in common.
func (r *Reading) Differs(other *Reading) bool { return differ(&r.values, &other.values, number, name) }

// Beside reports whether a statement says that it stands beside others, is a wish or a guess, or tells of an occasion.
func (r *Reading) Beside() bool {
	return r.cue.has(cueBeside | cueUnreal | cueTelling)
}

// happening are the rows whose words say that something is otherwise from then on.
const happening = cueCorrect | cueInstead | cueMove | cueNew | cueNow | cueReplace | cueStart | cueTransfer

// isPast reports whether the statement tells only how something was: "I used to live in Venice".
func (r *Reading) isPast() bool {
	return r.cue.has(cueFormer) && !r.cue.has(happening)
}

// MayRival reports whether the statement may stand before an older one that it outdates, which takes nothing away from it: both are short
// statements of one author, it tells of more than the past, and it stands no lower, or an agent concluded that something has changed.
func (r *Reading) MayRival(older *Reading) bool {
	if !older.legible || !r.legible || older.Author != r.Author || older.Text == r.Text || r.isPast() {
		return false
	}
	return !outranked(older, r) || r.Kind == ctxmcp.Inference && r.changes
}
