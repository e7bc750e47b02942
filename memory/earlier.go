package memory

import (
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// asksEver reports whether an ask is about the past, at no instant that it names: memories that hold no longer answer it too.
func (ask Ask) asksEver(asked ranking.Question) bool {
	return asked.AsksPast() && ask.AsOf.IsZero() && ask.BelievedAt.IsZero()
}

// nearlyAsGood is the share of the best relevance from which what was so before stands before what is so now.
const nearlyAsGood = 0.5

// earlierFirst brings memories that hold no longer, or probably not, to the front if they answer about as well as the best; the rest keeps
// its order. Memories that have not begun yet are left out.
func earlierFirst(candidates []Memory, now time.Time) []Memory {
	best := 0.0
	for _, m := range candidates {
		best = max(best, m.Relevance)
	}
	candidates = slices.DeleteFunc(candidates, func(m Memory) bool { return m.Object.ValidFrom.After(now) })
	place := func(m Memory) int {
		until := m.Object.ValidUntil
		over := !until.IsZero() && !until.After(now) || m.Object.MaybeOutdatedBy != ""
		if over && m.Relevance >= nearlyAsGood*best {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(candidates, func(a, b Memory) int { return place(a) - place(b) })
	return candidates
}
