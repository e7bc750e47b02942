package memory

import (
	"context"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// The bounds of what a person is asked about changes that nothing tells.
const (
	mostUnsure   = 2 // objects that one new object is compared with in a review
	mostRivals   = 6 // objects of a review that goes on: beyond, nobody is asked any more
	changeAsking = "These were said at different times, and can hardly all hold. Which one holds now?"
)

// unsure returns the objects that the plan's object competes with, the closest first: nothing tells which of them holds, and both stay.
// Turns of a conversation compete with nothing, for they are told as they were spoken.
func (p *plan) unsure(all []related, settled []ctxmcp.ContextObject) []string {
	if p.object.Author != "" && p.object.SessionID != "" {
		return nil
	}
	var ids []string
	for _, r := range all {
		held := slices.ContainsFunc(settled, func(o ctxmcp.ContextObject) bool { return o.ObjectID == r.object.ObjectID })
		if len(ids) < mostUnsure && r.competes && !held && (r.succeeds && !r.verdict.Sure() || !r.verdict.Likely()) && r.likeness < change.Rephrased {
			ids = append(ids, r.object.ObjectID)
		}
	}
	return ids
}

// changeItem asks about the objects that are held still.
func (s *reviewer) changeItem(ctx context.Context, by ctxmcp.Caller, r Review) (*ReviewItem, error) {
	versions, err := s.subjects(ctx, by, r, isHeld)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(versions, Compare)
	item := &ReviewItem{ID: r.ID, Kind: r.Kind, Question: changeAsking, Candidates: candidatesOf(versions)}
	if len(item.Candidates) < 2 {
		return nil, nil // a later statement has decided it
	}
	for _, c := range item.Candidates {
		item.Decisions = append(item.Decisions, c.ID)
	}
	item.Decisions = append(item.Decisions, bothDecision)
	return item, nil
}

// isHeld reports whether a version is held without a doubt, and has no end yet.
func isHeld(o ctxmcp.ContextObject) bool {
	return !o.Archived && o.ContradictionStatus == ctxmcp.Clean && o.ValidUntil.IsZero()
}

// settleChange lets the object that holds take the place of the others. Their truth before it began stays in their history as such.
func (s *reviewer) settleChange(ctx context.Context, by ctxmcp.Caller, r Review, item *ReviewItem, decision string) (Change, string, error) {
	var c Change
	versions, err := s.subjects(ctx, by, r, isHeld)
	if err != nil {
		return c, "", err
	}
	if decision == bothDecision {
		c.unmark(versions)
		return c, "all of them hold, and stay as they are", nil
	}
	at := later(s.now(), versions)
	var holds ctxmcp.ContextObject
	for _, candidate := range item.Candidates {
		if candidate.ID == decision {
			holds = candidate.Object
		}
	}
	for _, v := range versions {
		if v.ObjectID == decision {
			continue
		}
		if err := mayEnd(by, v); err != nil {
			return c, "", err
		}
		if err := s.giveWay(ctx, by, &c, v, holds, at); err != nil {
			return c, "", err
		}
		s.outcomes(by, &c, WasCorrected, at, v.ObjectID)
	}
	c.Confirm = append(c.Confirm, Confirmation{holds.TenantID, decision, at})
	s.outcomes(by, &c, WasConfirmed, at, decision)
	return c, "it holds; the others are overridden", nil
}

// unmark takes the marks off the objects that say that another one of them outdates them.
func (c *Change) unmark(versions []ctxmcp.ContextObject) {
	for _, v := range versions {
		if slices.ContainsFunc(versions, func(by ctxmcp.ContextObject) bool { return by.ObjectID == v.MaybeOutdatedBy }) {
			c.Mark = append(c.Mark, Marking{Tenant: v.TenantID, ObjectID: v.ObjectID})
		}
	}
}

// giveWay closes a version for an object that holds, and inserts the time before that anew: a version that was said earlier was true then.
func (s *reviewer) giveWay(ctx context.Context, by ctxmcp.Caller, c *Change, v, holds ctxmcp.ContextObject, at time.Time) error {
	closing := ctxmcp.Closing{Status: ctxmcp.Overridden, Link: holds.ObjectID, Reason: "review: another holds"}
	c.Close = append(c.Close, Closing{v.TenantID, ctxmcp.KeyOf(v), at, closing})
	if Compare(v, holds) > 0 {
		return nil // said later, and wrong
	}
	lineage, err := s.lineage(ctx, by, []ctxmcp.ContextObject{v})
	if err != nil {
		return err
	}
	first := len(c.Insert)
	for _, i := range v.Valid().Subtract(ctxmcp.Interval{From: holds.ValidFrom}) {
		o := part(v, i, ctxmcp.Clean)
		o.TxStart, o.SupersessionLink = at, holds.ObjectID
		c.Insert = append(c.Insert, o)
	}
	renumber(c.Insert[first:], append(lineage, c.Insert[:first]...))
	return nil
}
