package inmem

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp/memory"
)

type experienceKey struct{ tenant, object, user string }

// use writes when an object was shown last, and its user's experience with it.
func (s *Store) use(u memory.Use) {
	held := false
	for i, o := range s.rows {
		if o.TenantID != u.Tenant || o.ObjectID != u.ObjectID {
			continue
		}
		held = true
		if o.TxEnd.IsZero() && (u.Outcome == "" || u.Outcome == memory.WasShown) {
			s.rows[i].LastUsed = later(o.LastUsed, u.At)
		}
	}
	if !held || u.Outcome == "" || u.User == "" {
		return
	}
	if s.experiences == nil {
		s.experiences = map[experienceKey]memory.Experience{}
	}
	k := experienceKey{u.Tenant, u.ObjectID, u.User}
	s.experiences[k] = s.experiences[k].With(u.Outcome, u.At)
}

// Experiences implements memory.Learner.
func (s *Store) Experiences(_ context.Context, tenant, user string, objects []string) (map[string]memory.Experience, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	found := map[string]memory.Experience{}
	for _, id := range objects {
		if e, held := s.experiences[experienceKey{tenant, id, user}]; held {
			found[id] = e
		}
	}
	return found, nil
}
