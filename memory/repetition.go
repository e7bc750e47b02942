package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// repeats reports whether an open object says the same as the plan's object in the same words; the plan is then to confirm
// that one. The same words said at another known time are another observation. If the new object says more of its tenure,
// repeats returns the versions that it is to replace.
func (s *writer) repeats(ctx context.Context, by ctxmcp.Caller, p *plan) ([]ctxmcp.ContextObject, bool, error) {
	q := sameHome(by, p.object)
	q.ContentKey = ContentKey(p.object.Content)
	q.Statuses = []ctxmcp.ContradictionStatus{ctxmcp.Clean}
	same, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, false, fmt.Errorf("find repetitions: %w", err)
	}
	p.change.Expect = append(p.change.Expect, Expectation{q, keys(same)})
	for _, old := range same {
		switch {
		case raises(p.object, old) && p.mayReplace(old) == nil && p.object.Claim.IsZero():
			p.keepTenure(old)
			return slices.DeleteFunc(same, func(o ctxmcp.ContextObject) bool { return o.ObjectID != old.ObjectID }), false, nil
		case !repeated(p.object, old):
		case !bindsMore(p.object, old):
			p.confirm(old, "said before in the same words")
			return nil, true, nil
		case p.mayReplace(old) == nil && p.object.Claim.IsZero():
			return slices.DeleteFunc(same, func(o ctxmcp.ContextObject) bool { return o.ObjectID != old.ObjectID }), false, nil
		}
	}
	return nil, false, nil
}

// bindings are the ways in which an object may say more of its tenure than an earlier one.
var bindings = []struct {
	name string
	more func(o, old ctxmcp.ContextObject) bool
}{
	{"a stricter class", func(o, old ctxmcp.ContextObject) bool { return o.Classification.Rank() > old.Classification.Rank() }},
	{"other roles", func(o, old ctxmcp.ContextObject) bool {
		return !samePermissions(o.PermissionScope, old.PermissionScope)
	}},
	{"a reason", func(o, old ctxmcp.ContextObject) bool { return given(o.WhyItMatters, old.WhyItMatters) }},
	{"an implication", func(o, old ctxmcp.ContextObject) bool {
		return given(o.BehavioralImplication, old.BehavioralImplication)
	}},
	{"an update path", func(o, old ctxmcp.ContextObject) bool { return given(o.UpdatePath, old.UpdatePath) }},
	{"a retirement rule", func(o, old ctxmcp.ContextObject) bool {
		return o.RetirementRule != ctxmcp.Archive && o.RetirementRule != old.RetirementRule
	}},
	{"task types", func(o, old ctxmcp.ContextObject) bool {
		return len(o.ApplicableTaskTypes) > 0 && !slices.Equal(o.ApplicableTaskTypes, old.ApplicableTaskTypes)
	}},
	{"a decay rule", func(o, old ctxmcp.ContextObject) bool {
		return o.DecayRule != nil && (old.DecayRule == nil || *o.DecayRule != *old.DecayRule)
	}},
	{"sources", func(o, old ctxmcp.ContextObject) bool {
		return len(o.DerivedFrom) > 0 && !slices.Equal(o.DerivedFrom, old.DerivedFrom)
	}},
}

// bindsMore reports whether o says something of its tenure that old does not: a repetition of words must not drop it.
func bindsMore(o, old ctxmcp.ContextObject) bool {
	for _, b := range bindings {
		if b.more(o, old) {
			return true
		}
	}
	return false
}

func given(text, held string) bool { return text != "" && text != held }

func samePermissions(a, b ctxmcp.PermissionScope) bool {
	return slices.Equal(a.AllowRoles, b.AllowRoles) && slices.Equal(a.DenyRoles, b.DenyRoles)
}

// repeated reports whether o, in the same words as old, adds nothing to it.
func repeated(o, old ctxmcp.ContextObject) bool {
	return o.ObjectType == old.ObjectType && saidAgain(o, old) && slices.Equal(o.Domains, old.Domains) && !o.Authority.Outranks(old.Authority)
}

// raises reports whether o repeats old on higher authority, whatever type each source gives it. It then takes the place of old, so that forgetting it leaves no copy.
func raises(o, old ctxmcp.ContextObject) bool {
	sameOrigin := len(o.Domains) == 0 || slices.Equal(o.Domains, old.Domains)
	return saidAgain(o, old) && sameOrigin && o.Authority.Outranks(old.Authority)
}

// keepTenure gives the plan's object the tenure of the one whose place it takes, as far as its own words say nothing of it.
func (p *plan) keepTenure(old ctxmcp.ContextObject) {
	o := &p.object
	o.WhyItMatters = cmp.Or(o.WhyItMatters, old.WhyItMatters)
	o.BehavioralImplication = cmp.Or(o.BehavioralImplication, old.BehavioralImplication)
	if len(o.ApplicableTaskTypes) == 0 {
		o.ApplicableTaskTypes = old.ApplicableTaskTypes
	}
	if old.Classification.Rank() > o.Classification.Rank() {
		o.Classification = old.Classification
	}
	if samePermissions(o.PermissionScope, ctxmcp.PermissionScope{}) {
		o.PermissionScope = old.PermissionScope
	}
}

// saidAgain reports whether o, in the same words as old, is of the same author, matter and time.
func saidAgain(o, old ctxmcp.ContextObject) bool {
	sameTelling := o.Author == old.Author && o.ObservedAt.Equal(old.ObservedAt)
	sameMatter := o.Claim.IsZero() || alike(o.Claim, old.Claim)
	sameTime := old.Valid().Contains(o.ValidFrom) && o.ValidUntil.Equal(old.ValidUntil)
	return sameTelling && sameMatter && sameTime
}

// agrees reports whether the claims of the slot hold the same value for all of the new object's valid time, in words that say
// all of the new ones; the plan is then to confirm the first of them, unless the new object stands above it.
func (p *plan) agrees(conflicting []ctxmcp.ContextObject) bool {
	left := []ctxmcp.Interval{p.object.Valid()}
	var first *ctxmcp.ContextObject
	for _, r := range conflicting {
		if !slices.ContainsFunc(left, r.Valid().Overlaps) || !p.isSaidBy(r) {
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

// isSaidBy reports whether r claims the same as the plan's object, in words and on authority that stand for both.
func (p *plan) isSaidBy(r ctxmcp.ContextObject) bool {
	sameClaim := p.alike(r) && slices.Equal(r.Domains, p.object.Domains)
	covers := saysAll(r, p.object) && !bindsMore(p.object, r)
	return sameClaim && covers && !p.object.Authority.Outranks(r.Authority)
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
