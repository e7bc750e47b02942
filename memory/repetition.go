package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// repeats reports whether the plan's object says what an open object already says in the same words; the plan is then to
// confirm that one. The same words said at another known time are another observation. Where the new object says more of
// its tenure, it returns the versions that it is to replace.
func (s *writer) repeats(ctx context.Context, by ctxmcp.Caller, p *plan) ([]ctxmcp.ContextObject, bool, error) {
	q := home(by, p.object)
	q.ContentKey = ContentKey(p.object.Content)
	q.Statuses = []ctxmcp.ContradictionStatus{ctxmcp.Clean}
	same, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, false, fmt.Errorf("find repetitions: %w", err)
	}
	p.change.Expect = append(p.change.Expect, Expectation{q, keys(same)})
	for _, old := range same {
		switch {
		case !repeated(p.object, old) || !slices.Equal(p.object.Domains, old.Domains):
		case !bindsMore(p.object, old):
			p.confirm(old, "said before in the same words")
			return nil, true, nil
		case p.mayReplace(old) == nil && p.object.Claim.IsZero():
			return slices.DeleteFunc(same, func(o ctxmcp.ContextObject) bool { return o.ObjectID != old.ObjectID }), false, nil
		}
	}
	return nil, false, nil
}

// bindsMore reports whether o says something of its tenure that old does not: a stricter class or other roles, a reason,
// a lifespan. What only repeats words must not drop it.
func bindsMore(o, old ctxmcp.ContextObject) bool {
	given := func(text, held string) bool { return text != "" && text != held }
	return o.Classification.Rank() > old.Classification.Rank() || !samePermissions(o.PermissionScope, old.PermissionScope) ||
		given(o.WhyItMatters, old.WhyItMatters) || given(o.BehavioralImplication, old.BehavioralImplication) ||
		given(o.UpdatePath, old.UpdatePath) || o.RetirementRule != ctxmcp.Archive && o.RetirementRule != old.RetirementRule ||
		len(o.ApplicableTaskTypes) > 0 && !slices.Equal(o.ApplicableTaskTypes, old.ApplicableTaskTypes) ||
		o.DecayRule != nil && (old.DecayRule == nil || *o.DecayRule != *old.DecayRule) ||
		len(o.DerivedFrom) > 0 && !slices.Equal(o.DerivedFrom, old.DerivedFrom)
}

func samePermissions(a, b ctxmcp.PermissionScope) bool {
	return slices.Equal(a.AllowRoles, b.AllowRoles) && slices.Equal(a.DenyRoles, b.DenyRoles)
}

// repeated reports whether o, in the same words as old, adds nothing to it.
func repeated(o, old ctxmcp.ContextObject) bool {
	return o.Author == old.Author && o.ObservedAt.Equal(old.ObservedAt) && !o.Authority.Outranks(old.Authority) &&
		(o.Claim.IsZero() || alike(o.Claim, old.Claim)) && o.ObjectType == old.ObjectType &&
		old.Valid().Contains(o.ValidFrom) && o.ValidUntil.Equal(old.ValidUntil)
}

// agrees reports whether rivals claim the same value for all of the new object's valid time, in words that say all that
// the new ones do; the plan is then to confirm the first of them, unless the new object stands above it.
func (p *plan) agrees(rivals []ctxmcp.ContextObject) bool {
	left := []ctxmcp.Interval{p.object.Valid()}
	var first *ctxmcp.ContextObject
	for _, r := range rivals {
		shares := slices.ContainsFunc(left, r.Valid().Overlaps) && slices.Equal(r.Domains, p.object.Domains) && !bindsMore(p.object, r)
		if !shares || !p.alike(r) || p.object.Authority.Outranks(r.Authority) || !saysAll(r, p.object) {
			continue
		}
		left = subtract(left, r.Valid())
		if first == nil {
			first = &r
		}
		if len(left) == 0 {
			p.confirm(*first, "the same claim is held already"+inConflict(*first))
			return true
		}
	}
	return false
}

func inConflict(o ctxmcp.ContextObject) string {
	switch o.ContradictionStatus {
	case ctxmcp.Quarantined:
		return ", in an open conflict: it is not recalled until that is reviewed"
	case ctxmcp.Disputed:
		return ", and disputed by a better source: it is not recalled"
	default:
		return ""
	}
}
