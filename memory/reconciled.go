package memory

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// reconciled leaves out the candidates that another one contradicts and outranks. A write reconciles what its writer may
// see; what somebody wrote beside a claim that was hidden from them meets it here, for those who see both.
func (s *recaller) reconciled(candidates []Memory, r *Recalled) []Memory {
	bySlot := map[string][]ctxmcp.ContextObject{}
	for _, m := range candidates {
		if o := m.Object; !o.Claim.IsZero() && !s.coexists(o.Claim) {
			key := o.Home().Namespace() + "\x1f" + o.Claim.Slot()
			bySlot[key] = append(bySlot[key], o)
		}
	}
	lost := map[string]bool{}
	for _, rivals := range bySlot {
		slices.SortFunc(rivals, Compare)
		for i, held := range rivals {
			for _, told := range rivals[i+1:] {
				s.settleRead(told, held, lost)
			}
		}
	}
	kept := candidates[:0:0]
	for _, m := range candidates {
		if lost[m.Object.ObjectID] {
			r.Omitted[Contradicted]++
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// settleRead marks the one of two claims on lower authority, if they hold for some time together. What stands equally high
// was reconciled when it was written, or a person has decided that both hold.
func (s *recaller) settleRead(told, held ctxmcp.ContextObject, lost map[string]bool) {
	if !told.Valid().Overlaps(held.Valid()) || ctxmcp.Normalize(told.Claim.Value) == ctxmcp.Normalize(held.Claim.Value) {
		return
	}
	switch {
	case told.Authority.Outranks(held.Authority):
		lost[held.ObjectID] = true
	case held.Authority.Outranks(told.Authority):
		lost[told.ObjectID] = true
	}
}
