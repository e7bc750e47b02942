package memory

import (
	"context"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// Contradict sets claims aside that contradict each other where they are read together, such as one of the user's and one of a
// project's, and puts them before a person. It does nothing where they are no longer what they were, are under review
// already, or are not all for the caller's user to decide.
func (s *reviewer) Contradict(ctx context.Context, by ctxmcp.Caller, ids []string) error {
	return s.commit(ctx, func() (*Change, error) {
		q := ownedBy(by)
		q.ObjectIDs, q.Statuses, q.AsOf = ids, []ctxmcp.ContradictionStatus{ctxmcp.Clean}, s.now()
		open, err := s.Store.Find(ctx, q)
		if err != nil || len(candidatesOf(open)) < 2 || slices.ContainsFunc(open, func(o ctxmcp.ContextObject) bool { return !settles(by, o) }) {
			return nil, err
		}
		innermost := slices.MaxFunc(open, func(a, b ctxmcp.ContextObject) int {
			return len(a.Home().Ancestors()) - len(b.Home().Ancestors())
		})
		lineage, err := s.lineage(ctx, by, open)
		if err != nil {
			return nil, err
		}
		at := later(s.now(), lineage)
		c := Change{Expect: []Expectation{{q, keys(open)}}}
		r := Review{Tenant: by.Tenant, Namespace: innermost.Home().Namespace(), Kind: ConflictReview, Asked: at}
		for _, o := range candidatesOf(open) {
			r.Subjects = append(r.Subjects, o.ID)
		}
		if err := s.docket.askOnce(ctx, &c, r); err != nil || len(c.Ask) == 0 {
			return nil, err
		}
		for _, o := range open {
			closing := ctxmcp.Closing{Status: ctxmcp.Quarantined, Reason: "it contradicts another claim of equal standing"}
			aside := reissue(&c, o, at, closing)
			aside.ContradictionStatus = ctxmcp.Quarantined
			c.Insert = append(c.Insert, aside)
		}
		renumber(c.Insert, lineage)
		c.Audit = append(c.Audit, Event{At: at, Tenant: by.Tenant, User: by.User, Action: "contradict", ObjectID: r.Subjects[0]})
		return &c, nil
	})
}
