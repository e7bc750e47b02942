package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// askOnce adds a review of one object, or of several that contradict each other, unless one of them is under review.
func (s *docket) askOnce(ctx context.Context, c *Change, r Review) error {
	if len(r.Subjects) == 0 {
		return nil
	}
	if len(r.Subjects) > 1 {
		r.Kind = ConflictReview
	}
	slices.Sort(r.Subjects)
	home, err := ctxmcp.ParseNamespace(r.Namespace)
	if err != nil {
		return fmt.Errorf("home of a review: %w", err)
	}
	for _, id := range r.Subjects {
		asked, err := s.Store.Reviews(ctx, ReviewQuery{Tenant: r.Tenant, Under: home, Subject: id})
		if err != nil {
			return fmt.Errorf("find reviews: %w", err)
		}
		same := func(o Review) bool { return o.Kind == r.Kind && slices.Contains(o.Subjects, id) }
		if slices.ContainsFunc(asked, same) || slices.ContainsFunc(c.Ask, same) {
			return nil
		}
	}
	r.ID = s.NewID()
	c.Ask = append(c.Ask, r)
	return nil
}

// askAboutConflicting puts the claims that were quarantined because of an object before a person, once that object is
// forgotten: nothing contradicts them any longer, but a claim that was outranked may have been planted. The versions are the
// object's open ones.
func (s *docket) askAboutConflicting(ctx context.Context, c *Change, versions []ctxmcp.ContextObject, at time.Time) error {
	for _, v := range versions {
		if v.Claim.IsZero() || s.coexists(v.Claim) {
			continue
		}
		conflicting, err := s.Store.Find(ctx, slotQuery(v, contradictedStatuses...))
		if err != nil {
			return fmt.Errorf("find what it displaced: %w", err)
		}
		r := Review{Tenant: v.TenantID, Namespace: v.Home().Namespace(), Kind: ConfirmationReview, Asked: at}
		for _, o := range conflicting {
			if o.ObjectID == v.ObjectID || slices.Contains(r.Subjects, o.ObjectID) || !o.Valid().Overlaps(v.Valid()) {
				continue
			}
			free, _, err := s.unclaimed(ctx, c, o, versions)
			if err != nil {
				return err
			}
			if len(free) > 0 {
				r.Subjects = append(r.Subjects, o.ObjectID)
			}
		}
		if err := s.askOnce(ctx, c, r); err != nil {
			return err
		}
	}
	return nil
}

// askAbout puts an object and others before a person, in a review of a kind of which one holds, and returns the id of the review, "" if
// there are no others. An open review of the same objects goes on, and one that another object joins ends in favour of the
// wider one.
func (s *docket) askAbout(ctx context.Context, c *Change, kind ReviewKind, o ctxmcp.ContextObject, others []string) (string, error) {
	if len(others) == 0 {
		return "", nil
	}
	r := Review{ID: s.NewID(), Tenant: o.TenantID, Namespace: o.Home().Namespace(), Kind: kind, Asked: o.TxStart}
	var joined []Settlement
	for _, id := range others {
		narrower, err := s.Store.Reviews(ctx, ReviewQuery{Tenant: o.TenantID, Under: o.Home(), Subject: id})
		if err != nil {
			return "", fmt.Errorf("find reviews: %w", err)
		}
		for _, n := range narrower {
			settled := slices.ContainsFunc(joined, func(e Settlement) bool { return e.ID == n.ID })
			if n.Kind == kind && !settled {
				joined = append(joined, Settlement{n.Tenant, n.ID, o.TxStart, "joined by another one"})
				r.Subjects = append(r.Subjects, n.Subjects...)
			}
		}
		r.Subjects = append(r.Subjects, id)
	}
	r.Subjects = append(r.Subjects, o.ObjectID)
	slices.Sort(r.Subjects)
	r.Subjects = slices.Compact(r.Subjects)
	if kind == ChangeReview && len(r.Subjects) > mostRivals {
		return "", nil
	}
	c.Settle = append(c.Settle, joined...)
	c.Ask = append(c.Ask, r)
	return r.ID, nil
}

// askWho returns the review of whether a pending entity is one that is known. Its subjects are the pending one and its
// candidates, in this order.
func (s *docket) askWho(e entities.Entity) Review {
	r := Review{ID: s.NewID(), Tenant: e.Tenant, Namespace: e.Home, Kind: EntityReview, Asked: e.TxStart, Subjects: []string{e.ID}}
	for _, c := range e.Candidates {
		r.Subjects = append(r.Subjects, c.ID)
	}
	return r
}

// answered ends the reviews of an entity about which no question is left.
func (s *docket) answered(ctx context.Context, e entities.Entity) (ends []Settlement, err error) {
	home, err := ctxmcp.ParseNamespace(e.Home)
	if err != nil {
		return nil, fmt.Errorf("home of entity %s: %w", e.ID, err)
	}
	open, err := s.Store.Reviews(ctx, ReviewQuery{Tenant: e.Tenant, Under: home, Subject: e.ID})
	if err != nil {
		return nil, fmt.Errorf("find reviews: %w", err)
	}
	for _, r := range open {
		if r.Kind == EntityReview && r.Subjects[0] == e.ID {
			ends = append(ends, Settlement{r.Tenant, r.ID, e.TxStart, e.Into})
		}
	}
	return ends, nil
}

// unclaimed returns the time of o in which no clean claim of its slot says otherwise, but for those of the versions
// themselves, and the object that claims the rest. It makes the change depend on that.
func (s *docket) unclaimed(
	ctx context.Context, c *Change, o ctxmcp.ContextObject, versions []ctxmcp.ContextObject,
) (free []ctxmcp.Interval, cutBy string, err error) {
	free = []ctxmcp.Interval{o.Valid()}
	if o.Claim.IsZero() || s.coexists(o.Claim) {
		return free, "", nil
	}
	q := slotQuery(o, ctxmcp.Clean)
	clean, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, "", fmt.Errorf("find what holds in the slot: %w", err)
	}
	c.Expect = append(c.Expect, Expectation{q, keys(clean)})
	for _, held := range clean {
		own := slices.ContainsFunc(versions, func(v ctxmcp.ContextObject) bool { return v.ObjectID == held.ObjectID })
		if !own && !alike(held.Claim, o.Claim) {
			free, cutBy = subtract(free, held.Valid()), held.ObjectID
		}
	}
	return free, cutBy, nil
}
