package memory

import (
	"context"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp"
)

// Decisions on a conflict, beside the id of the object that holds.
const (
	bothDecision    = "both"
	neitherDecision = "neither"
)

func (s *reviewer) conflictItem(ctx context.Context, by ctxmcp.Caller, r Review) (*ReviewItem, error) {
	versions, err := s.subjects(ctx, by, r, quarantined)
	if err != nil {
		return nil, err
	}
	item := &ReviewItem{ID: r.ID, Kind: r.Kind, Candidates: candidatesOf(versions)}
	if len(item.Candidates) < 2 {
		return nil, nil // a later statement has decided it
	}
	if all, err := s.seesAll(ctx, r, versions); !all || err != nil {
		return nil, err
	}
	claim := versions[0].Claim
	item.Question = fmt.Sprintf("These contradict each other about %s (%s). Which one holds?", claim.Subject, claim.Predicate)
	for _, c := range item.Candidates {
		item.Decisions = append(item.Decisions, c.ID)
	}
	item.Decisions = append(item.Decisions, bothDecision, neitherDecision)
	return item, nil
}

// settleConflict reinstates the claims that hold, and those that say the same, and ends the others.
func (s *reviewer) settleConflict(ctx context.Context, by ctxmcp.Caller, r Review, item *ReviewItem, decision string) (Change, string, error) {
	var c Change
	versions, err := s.subjects(ctx, by, r, quarantined)
	if err != nil {
		return c, "", err
	}
	at := later(s.now(), versions)
	var hold []ctxmcp.ContextObject
	for _, v := range versions {
		if err := mayEnd(by, v); err != nil {
			return c, "", err
		}
		closing := ctxmcp.Closing{Status: ctxmcp.Overridden, Link: decision, Reason: "review: another holds"}
		switch {
		case decision == bothDecision || item.sides(decision, v):
			hold = append(hold, v)
			continue
		case decision == neitherDecision:
			closing = ctxmcp.Closing{Status: ctxmcp.Quarantined, Reason: "review: it does not hold"}
		}
		c.Close = append(c.Close, Closing{v.TenantID, ctxmcp.KeyOf(v), at, closing})
	}
	for _, v := range candidatesOf(hold) {
		c.Confirm = append(c.Confirm, Confirmation{v.Object.TenantID, v.ID, at})
	}
	return c, conflictEffects[decisionWord(decision)], s.reinstate(ctx, by, &c, hold, at)
}

var conflictEffects = map[string]string{
	"":              "it is recalled again; the others are overridden",
	bothDecision:    "all are recalled again",
	neitherDecision: "none of them is held any longer; their history stays",
}

func decisionWord(decision string) string {
	if decision == bothDecision || decision == neitherDecision {
		return decision
	}
	return ""
}
