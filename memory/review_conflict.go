package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// Decisions on a conflict, beside the id of the object that holds.
const (
	bothDecision    = "both"
	neitherDecision = "neither"
)

func quarantined(o ctxmcp.ContextObject) bool { return o.ContradictionStatus == ctxmcp.Quarantined }

func (s *Service) conflictItem(ctx context.Context, by ctxmcp.Caller, r Review) (*ReviewItem, error) {
	versions, err := s.subjects(ctx, by, r, quarantined)
	if err != nil {
		return nil, err
	}
	item := &ReviewItem{ID: r.ID, Kind: r.Kind, Candidates: candidatesOf(versions)}
	if len(item.Candidates) < 2 {
		return nil, nil // decided meanwhile by what was said
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

// settleConflict reinstates what holds, and what says the same, and ends the others where they were quarantined.
func (s *Service) settleConflict(ctx context.Context, by ctxmcp.Caller, r Review, item *ReviewItem, decision string) (Change, string, error) {
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

// sides reports whether v says what the candidate with the id does.
func (i *ReviewItem) sides(id string, v ctxmcp.ContextObject) bool {
	return slices.ContainsFunc(i.Candidates, func(c ReviewCandidate) bool {
		return c.ID == id && (c.ID == v.ObjectID || alike(c.Object.Claim, v.Claim))
	})
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

// renumber gives inserted versions the numbers after the last of their facts. line holds every version of these.
func renumber(insert, line []ctxmcp.ContextObject) {
	last := map[string]int{}
	for _, v := range line {
		last[v.FactID] = max(last[v.FactID], v.Version)
	}
	for i := range insert {
		last[insert[i].FactID]++
		insert[i].Version = last[insert[i].FactID]
	}
}

// askAbout puts a true contradiction of the plan's object before a person. An open review of the same objects goes on,
// and one that a third claim joins ends in favour of the wider one.
func (s *Service) askAbout(ctx context.Context, p *plan) error {
	if len(p.contradicts) == 0 {
		return nil
	}
	o := p.object
	r := Review{ID: s.NewID(), Tenant: o.TenantID, Namespace: o.Home().Namespace(), Kind: ConflictReview, Asked: o.TxStart}
	for _, id := range p.contradicts {
		narrower, err := s.Store.Reviews(ctx, ReviewQuery{Tenant: o.TenantID, Under: o.Home(), Subject: id})
		if err != nil {
			return fmt.Errorf("find reviews: %w", err)
		}
		for _, n := range narrower {
			settled := slices.ContainsFunc(p.change.Settle, func(e Settlement) bool { return e.ID == n.ID })
			if n.Kind == ConflictReview && !settled {
				p.change.Settle = append(p.change.Settle, Settlement{n.Tenant, n.ID, o.TxStart, "joined by another claim"})
				r.Subjects = append(r.Subjects, n.Subjects...)
			}
		}
		r.Subjects = append(r.Subjects, id)
	}
	r.Subjects = append(r.Subjects, o.ObjectID)
	slices.Sort(r.Subjects)
	r.Subjects = slices.Compact(r.Subjects)
	p.change.Ask = append(p.change.Ask, r)
	p.review = r.ID
	return nil
}
