package compiler

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// reconcile leaves out items that do not hold at the instants of the request, then settles contradictions. Claims
// that authority, time and trust do not tell apart are quarantined and wait for a person: the model is never asked.
func reconcile(s *state) error {
	for _, it := range s.live() {
		s.hold(it)
	}
	s.contest()
	return nil
}

// heldAt returns the instant of transaction time that is asked about.
func (s *state) heldAt() time.Time {
	if t := s.in.Request.BelievedAt; !t.IsZero() {
		return t
	}
	return s.in.Instant
}

// binds reports whether an item is a rule, or a constraint of the user: it binds the call, and not the instant that the call asks about.
func (it *item) binds() bool {
	o := it.Object
	return it.standard() || it.Kind == KindMemory && it.Standing && o.Authority <= ctxmcp.AuthorityUser && o.ObjectType == ctxmcp.ActionableConstraint
}

// hold drops an item that does not hold by itself.
func (s *state) hold(it *item) {
	o, at, believed := it.Object, s.in.Request.AsOf, s.in.Request.BelievedAt
	if it.binds() {
		at, believed = s.in.Instant, time.Time{}
	}
	switch {
	case !believed.IsZero() && !o.Tx().Contains(believed):
		s.omit(it, NotHeld, "", "")
	case believed.IsZero() && !o.TxEnd.IsZero():
		s.omit(it, Superseded, o.LinkNow(), "")
	case o.ContradictionStatus == ctxmcp.Overridden:
		s.omit(it, Superseded, o.SupersessionLink, "")
	case !o.ValidUntil.IsZero() && !at.Before(o.ValidUntil):
		s.omit(it, Expired, o.SupersessionLink, "")
	case at.Before(o.ValidFrom):
		s.omit(it, NotYetValid, "", "valid from "+o.ValidFrom.UTC().Format(time.RFC3339))
	case o.ContradictionStatus == ctxmcp.Quarantined:
		s.quarantine(it, InConflict, ctxmcp.Quarantined, "", "a claim contradicts it: review lists it if a person has to decide")
	case o.ContradictionStatus == ctxmcp.Disputed:
		s.quarantine(it, IsDisputed, ctxmcp.Disputed, o.SupersessionLink, "")
	case !o.Archived && o.Faded(s.heldAt()):
		s.out.Trace.Metrics.DecayEvictions++
		s.omit(it, Decayed, "", "")
	default:
		if by := s.changed(it); by != "" {
			s.omit(it, StaleSource, by, "what it is derived from has a newer version, or has ended")
		}
	}
}

// changed returns the id of an object that the item is derived from and that is no longer what it was: a summary does not
// outlive what it sums up.
func (s *state) changed(it *item) string {
	for _, up := range it.Upstream {
		ended := !up.TxEnd.IsZero() && !s.heldAt().Before(up.TxEnd)
		expired := !up.ValidUntil.IsZero() && !s.in.Request.AsOf.Before(up.ValidUntil)
		renewed := up.TxStart.After(it.Object.TxStart) && !s.heldAt().Before(up.TxStart)
		if ended || expired || renewed {
			return up.ObjectID
		}
	}
	return ""
}

// contest settles the claims in every slot that holds one value at a time.
func (s *state) contest() {
	bySlot := map[string][]*item{}
	var slots []string
	for _, it := range s.live() {
		slot := s.slot(it)
		if slot == "" || it.Many {
			continue
		}
		if bySlot[slot] == nil {
			slots = append(slots, slot)
		}
		bySlot[slot] = append(bySlot[slot], it)
	}
	slices.Sort(slots)
	for _, slot := range slots {
		s.settle(slot, bySlot[slot])
	}
}

// protocol is one step of reconciliation: it compares two claims, and is negative if the first one is the stronger.
type protocol struct {
	name    string
	compare func(s *state, a, b *item) int
	drop    func(s *state, loser *item, by string)
}

// protocols is the order of reconciliation: authority, then valid time, then trust.
var protocols = [...]protocol{
	{"authority", func(_ *state, a, b *item) int { return cmp.Compare(a.Object.Authority, b.Object.Authority) },
		func(s *state, it *item, by string) { s.omit(it, Outranked, by, "") }},
	{"valid time", func(_ *state, a, b *item) int { return b.Object.ValidFrom.Compare(a.Object.ValidFrom) },
		func(s *state, it *item, by string) { s.omit(it, OlderClaim, by, "") }},
	{"source", func(_ *state, a, b *item) int { return cmp.Compare(b.Object.SourceAuthority, a.Object.SourceAuthority) },
		func(s *state, it *item, by string) { s.quarantine(it, LessTrusted, ctxmcp.Disputed, by, "") }},
	{"confidence", func(s *state, a, b *item) int {
		return cmp.Compare(b.Object.Confidence(s.heldAt()), a.Object.Confidence(s.heldAt()))
	}, func(s *state, it *item, by string) { s.quarantine(it, LessTrusted, ctxmcp.Disputed, by, "") }},
}

// settle keeps of the claims in one slot those that agree with the strongest. If claims of equal strength contradict each
// other, nothing in the slot holds.
func (s *state) settle(slot string, claims []*item) {
	slices.SortStableFunc(claims, func(a, b *item) int {
		for _, p := range protocols {
			if c := p.compare(s, a, b); c != 0 {
				return c
			}
		}
		return 0
	})
	best := claims[0]
	open := []*item{best}
	for _, it := range claims[1:] {
		if sayTheSame(it, best) || apart(it, best) {
			continue
		}
		if !s.displace(it, best) {
			open = append(open, it)
		}
	}
	if len(open) == 1 {
		return
	}
	conflict := Conflict{Slot: strings.ReplaceAll(slot, "\x1f", " | ")}
	for _, it := range claims { // who agrees with a side is of that side
		if it.drop == nil && !apart(it, best) {
			s.quarantine(it, Unresolved, ctxmcp.Disputed, "", "equal in authority, time and trust to a claim that contradicts it")
			conflict.Objects = append(conflict.Objects, it.id())
		}
	}
	s.out.Trace.Conflicts = append(s.out.Trace.Conflicts, conflict)
}

// displace drops the weaker of two claims by the first protocol that tells them apart, and reports whether one did.
func (s *state) displace(weaker, by *item) bool {
	for _, p := range protocols {
		if p.compare(s, weaker, by) != 0 {
			p.drop(s, weaker, by.id())
			return true
		}
	}
	return false
}

func sayTheSame(a, b *item) bool {
	return ctxmcp.Normalize(a.Object.Claim.Value) == ctxmcp.Normalize(b.Object.Claim.Value)
}

// apart reports whether two claims of equal authority were learned from different web domains: each is its domain's own.
func apart(a, b *item) bool {
	return a.Object.Authority == b.Object.Authority && len(a.Object.Domains)+len(b.Object.Domains) > 0 &&
		!slices.Equal(a.Object.Domains, b.Object.Domains)
}
