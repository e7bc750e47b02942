package memory

import (
	"context"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp"
)

// confirmDecision keeps an object whose life was at its end; the other decisions are the modes of forgetting.
const confirmDecision = "confirm"

func (s *Service) confirmationItem(ctx context.Context, by ctxmcp.Caller, r Review) (*ReviewItem, error) {
	versions, err := s.subjects(ctx, by, r, func(o ctxmcp.ContextObject) bool { return !o.Archived })
	if err != nil || len(versions) == 0 {
		return nil, err
	}
	question := "This was last confirmed on " + versions[0].LastConfirmed.Format("2 January 2006") + ". Is it still true?"
	if path := versions[0].UpdatePath; path != "" {
		question += " Its truth is kept at " + path + "."
	}
	if quarantined(versions[0]) {
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
func (s *Service) settleConfirmation(ctx context.Context, by ctxmcp.Caller, _ Review, item *ReviewItem, decision string) (Change, string, error) {
	o := item.Candidates[0].Object
	if decision != confirmDecision {
		c, _, err := s.planForget(ctx, by, o.ObjectID, Mode(decision), "decided in review")
		return c, "it is forgotten: " + decision, err
	}
	if err := mayEnd(by, o); err != nil {
		return Change{}, "", err
	}
	if quarantined(o) {
		return s.release(ctx, by, o)
	}
	at := s.now()
	c := Change{Confirm: []Confirmation{{o.TenantID, o.ObjectID, at}}}
	o.LastConfirmed = at
	if !o.ValidUntil.IsZero() && !o.ValidUntil.After(at) {
		return s.prolong(ctx, by, c, o)
	}
	c.Postpone = []Postponement{{o.TenantID, KeyOf(o), DueAt(o)}}
	return c, "it is confirmed, and recalled again", nil
}

// release makes what was quarantined hold again.
func (s *Service) release(ctx context.Context, by ctxmcp.Caller, o ctxmcp.ContextObject) (Change, string, error) {
	q := own(by)
	q.ObjectIDs, q.Statuses = []string{o.ObjectID}, []ctxmcp.ContradictionStatus{ctxmcp.Quarantined}
	versions, err := s.Store.Find(ctx, q)
	if err != nil {
		return Change{}, "", fmt.Errorf("find what was set aside: %w", err)
	}
	line, err := s.line(ctx, by, versions)
	if err != nil {
		return Change{}, "", err
	}
	var c Change
	at := later(s.now(), versions)
	for _, v := range versions {
		next := reissue(&c, v, at, ctxmcp.Closing{Status: ctxmcp.Quarantined, Reason: "review: it holds"})
		next.ContradictionStatus, next.SupersessionLink = ctxmcp.Clean, ""
		c.Insert = append(c.Insert, next)
	}
	renumber(c.Insert, line)
	c.Confirm = []Confirmation{{o.TenantID, o.ObjectID, at}}
	return c, "it is recalled from now on", nil
}

// prolong gives an object that had ended an open end.
func (s *Service) prolong(ctx context.Context, by ctxmcp.Caller, c Change, o ctxmcp.ContextObject) (Change, string, error) {
	line, err := s.line(ctx, by, []ctxmcp.ContextObject{o})
	if err != nil {
		return c, "", err
	}
	at := later(s.now(), []ctxmcp.ContextObject{o})
	next := reissue(&c, o, at, ctxmcp.Closing{Status: o.ContradictionStatus, Link: o.ObjectID, Reason: "review: it still holds"})
	next.ValidUntil = ctxmcp.ContextObject{}.ValidUntil
	c.Insert = []ctxmcp.ContextObject{next}
	renumber(c.Insert, line)
	return c, "it is confirmed, with an open end, and recalled again", nil
}
