package inmem

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// checkReviews returns a CodeConflict Error if c asks a question that is open already, or settles one that is not open.
func (s *Store) checkReviews(c memory.Change) error {
	for _, n := range c.Ask {
		if slices.ContainsFunc(s.reviews, func(r memory.Review) bool {
			open := r.Settled.IsZero() && r.Namespace == n.Namespace && r.Kind == n.Kind && slices.Equal(r.Subjects, n.Subjects)
			return r.Tenant == n.Tenant && (r.ID == n.ID || open)
		}) {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "the same is under review already")
		}
	}
	for _, e := range c.Settle {
		if s.openReview(e) == nil {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "review %s is not open", e.ID)
		}
	}
	return nil
}

func (s *Store) openReview(e memory.Settlement) *memory.Review {
	for i, r := range s.reviews {
		if r.Tenant == e.Tenant && r.ID == e.ID && r.Settled.IsZero() {
			return &s.reviews[i]
		}
	}
	return nil
}

func (s *Store) review(c memory.Change) {
	for _, e := range c.Settle {
		r := s.openReview(e)
		r.Settled, r.Decision = e.At, e.Decision
	}
	for _, r := range c.Ask {
		r.Subjects = slices.Clone(r.Subjects)
		s.reviews = append(s.reviews, r)
	}
}

// touch writes the fields of a version that change after its insertion, but for its end.
func (s *Store) touch(c memory.Change) {
	for _, f := range c.Confirm {
		s.confirm(f)
	}
	for _, m := range c.Mark {
		for i, o := range s.rows {
			if o.TenantID == m.Tenant && o.ObjectID == m.ObjectID && o.TxEnd.IsZero() {
				s.rows[i].MaybeOutdatedBy = m.By
			}
		}
	}
	for _, u := range c.Use {
		s.use(u)
	}
	for _, p := range c.Postpone {
		if k := (rowKey{p.Tenant, p.Key}); s.row(k) != nil && s.row(k).TxEnd.IsZero() {
			s.due[k] = p.At
		}
	}
}

// Reviews implements memory.Reviewer.
func (s *Store) Reviews(_ context.Context, q memory.ReviewQuery) ([]memory.Review, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	copied := func(r memory.Review) memory.Review {
		r.Subjects = slices.Clone(r.Subjects)
		return r
	}
	order := func(a, b memory.Review) int { return cmp.Or(a.Asked.Compare(b.Asked), cmp.Compare(a.ID, b.ID)) }
	sorted := func(found []memory.Review) []memory.Review { return ctxmcp.Listing(found, order, false, q.Limit) }
	return selected(s.reviews, q.Match, copied, sorted), nil
}

// Due implements memory.Keeper.
func (s *Store) Due(_ context.Context, at time.Time, limit int) ([]ctxmcp.ContextObject, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	type row struct {
		due time.Time
		o   ctxmcp.ContextObject
	}
	var found []row
	for _, o := range s.rows {
		due := s.due[keyOf(o)]
		if o.TxEnd.IsZero() && !due.IsZero() && !due.After(at) {
			found = append(found, row{due, o.Clone()})
		}
	}
	slices.SortStableFunc(found, func(a, b row) int { return a.due.Compare(b.due) })
	var objects []ctxmcp.ContextObject
	for _, r := range found[:min(limit, len(found))] {
		objects = append(objects, r.o)
	}
	return objects, nil
}

// LastWrite implements memory.Keeper.
func (s *Store) LastWrite(_ context.Context, tenant, namespace string) (time.Time, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, o := range slices.Backward(s.rows) {
		if o.TenantID == tenant && o.Home().Namespace() == namespace {
			return o.TxStart, nil
		}
	}
	return time.Time{}, nil
}
