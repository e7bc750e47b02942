package memory

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// reconciled returns the candidates that no other one contradicts and outranks, and counts the others. A write reconciles the
// claims that its writer may see; one that was written beside a hidden claim meets it here, for those who see both.
func (s *recaller) reconciled(candidates []Memory) (kept []Memory, contradicted int) {
	bySlot := map[string][]ctxmcp.ContextObject{}
	for i := range candidates {
		if o := &candidates[i].Object; !o.Claim.IsZero() && !s.coexists(o.Claim) {
			key := o.Home().Namespace() + "\x1f" + o.Claim.Slot()
			bySlot[key] = append(bySlot[key], *o)
		}
	}
	lost := map[string]bool{}
	for _, conflicting := range bySlot {
		slices.SortFunc(conflicting, Compare)
		for i, older := range conflicting {
			for _, newer := range conflicting[i+1:] {
				settleRead(newer, older, lost)
			}
		}
	}
	if len(lost) == 0 {
		return candidates, 0
	}
	for _, m := range candidates {
		if lost[m.Object.ObjectID] {
			contradicted++
			continue
		}
		kept = append(kept, m)
	}
	return kept, contradicted
}

// settleRead marks the one of two claims on lower authority, if they hold for some time together. Claims on one authority were
// reconciled when they were written, or a person has decided that both hold.
func settleRead(newer, older ctxmcp.ContextObject, lost map[string]bool) {
	if !newer.Valid().Overlaps(older.Valid()) || ctxmcp.Normalize(newer.Claim.Value) == ctxmcp.Normalize(older.Claim.Value) {
		return
	}
	switch {
	case newer.Authority.Outranks(older.Authority):
		lost[older.ObjectID] = true
	case older.Authority.Outranks(newer.Authority):
		lost[newer.ObjectID] = true
	}
}
