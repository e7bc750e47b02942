package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// contradicted reports whether o is held and set aside.
func contradicted(o ctxmcp.ContextObject) bool {
	return slices.Contains(setAside, o.ContradictionStatus)
}

// askAboutRivals puts what was quarantined because of an object before a person, once that object is forgotten: nothing
// contradicts it any longer, but what was outranked may have been planted. The versions are the object's open ones.
func (s *Service) askAboutRivals(ctx context.Context, c *Change, versions []ctxmcp.ContextObject, at time.Time) error {
	for _, v := range versions {
		if v.Claim.IsZero() || s.coexists(v.Claim) {
			continue
		}
		rivals, err := s.Store.Find(ctx, slotQuery(v, setAside...))
		if err != nil {
			return fmt.Errorf("find what it displaced: %w", err)
		}
		r := Review{Tenant: v.TenantID, Namespace: v.Home().Namespace(), Kind: ConfirmationReview, Asked: at}
		for _, o := range rivals {
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

// askOnce adds a review of one object, or of several that contradict each other, unless one of them is under review.
func (s *Service) askOnce(ctx context.Context, c *Change, r Review) error {
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
