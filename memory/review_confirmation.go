package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// confirmDecision keeps an object whose life was at its end; the other decisions are the modes of forgetting.
const confirmDecision = "confirm"

func (s *reviewer) confirmationItem(ctx context.Context, by ctxmcp.Caller, r Review) (*ReviewItem, error) {
	versions, err := s.subjects(ctx, by, r, func(o ctxmcp.ContextObject) bool { return !o.Archived })
	if err != nil || len(versions) == 0 {
		return nil, err
	}
	question := "This was last confirmed on " + versions[0].LastConfirmed.Format("2 January 2006") + ". Is it still true?"
	if path := versions[0].UpdatePath; path != "" {
		question += " Its truth is kept at " + path + "."
	}
	if slices.ContainsFunc(versions, contradicted) {
		question = "This was set aside because it contradicted something that is forgotten by now. Is it true?"
	}
	item := &ReviewItem{ID: r.ID, Kind: r.Kind, Candidates: candidatesOf(versions), Question: question}
	item.Decisions = append(item.Decisions, confirmDecision)
	for _, m := range Modes() {
		item.Decisions = append(item.Decisions, string(m))
	}
	return item, nil
}

// settleConfirmation begins the object's life anew, or ends it as decided.
func (s *reviewer) settleConfirmation(ctx context.Context, by ctxmcp.Caller, _ Review, item *ReviewItem, decision string) (Change, string, error) {
	o := item.Candidates[0].Object
	if decision != confirmDecision {
		c, _, err := s.writer.planForget(ctx, by, o.ObjectID, Mode(decision), "decided in review")
		return c, "it is forgotten: " + decision, err
	}
	if err := mayEnd(by, o); err != nil {
		return Change{}, "", err
	}
	versions, err := s.subjects(ctx, by, Review{Subjects: []string{o.ObjectID}}, contradicted)
	if err != nil {
		return Change{}, "", err
	}
	if len(versions) > 0 {
		return s.release(ctx, by, o)
	}
	at := s.now()
	c := Change{Confirm: []Confirmation{{o.TenantID, o.ObjectID, at}}}
	o.LastConfirmed = at
	if !o.ValidUntil.IsZero() && !o.ValidUntil.After(at) {
		return s.prolong(ctx, by, c, o)
	}
	c.Postpone = []Postponement{{o.TenantID, ctxmcp.KeyOf(o), DueAt(o)}}
	return c, "it is confirmed, and recalled again", nil
}

// release makes a quarantined object hold again, where nothing else holds by now.
func (s *reviewer) release(ctx context.Context, by ctxmcp.Caller, o ctxmcp.ContextObject) (Change, string, error) {
	q := ownedBy(by)
	q.ObjectIDs, q.Statuses = []string{o.ObjectID}, contradictedStatuses
	versions, err := s.Store.Find(ctx, q)
	if err != nil {
		return Change{}, "", fmt.Errorf("find what was set aside: %w", err)
	}
	var c Change
	at := later(s.now(), versions)
	if err := s.reinstate(ctx, by, &c, versions, at); err != nil {
		return c, "", err
	}
	c.Confirm = []Confirmation{{o.TenantID, o.ObjectID, at}}
	return c, "it is recalled from now on, for the time that nothing else claims", nil
}

// prolong gives an object that had ended an open end, as far as nothing else holds by then.
func (s *reviewer) prolong(ctx context.Context, by ctxmcp.Caller, c Change, o ctxmcp.ContextObject) (Change, string, error) {
	longer := o
	longer.ValidUntil = ctxmcp.ContextObject{}.ValidUntil
	at := later(s.now(), []ctxmcp.ContextObject{o})
	if err := s.reinstateAs(ctx, by, &c, []ctxmcp.ContextObject{o}, []ctxmcp.ContextObject{longer}, at); err != nil {
		return c, "", err
	}
	return c, "it is confirmed, with an open end, and recalled again", nil
}
