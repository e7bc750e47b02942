package inmem

import (
	"context"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
)

var _ actions.Store = (*Store)(nil)

// actionLog is the log of one session.
type actionLog struct {
	records []actions.Record
	until   time.Time
}

// AppendAction implements actions.Store.
func (s *Store) AppendAction(_ context.Context, k actions.Key, r actions.Record, until time.Time, audit ctxmcp.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.actions[k]
	if r.Seq != len(log.records)+1 {
		return actions.Moved(k.Session)
	}
	r.Body = slices.Clone(r.Body)
	if s.actions == nil {
		s.actions = map[actions.Key]actionLog{}
	}
	s.actions[k] = actionLog{append(log.records, r), until}
	s.audit = append(s.audit, audit)
	return nil
}

// ActionLog implements actions.Store.
func (s *Store) ActionLog(_ context.Context, k actions.Key, after, limit int) ([]actions.Record, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var all []actions.Record
	for _, r := range s.actions[k].records {
		if r.Seq > after && (limit == 0 || len(all) < limit) {
			r.Body = slices.Clone(r.Body)
			all = append(all, r)
		}
	}
	return all, nil
}

// SweepActions implements actions.Store.
func (s *Store) SweepActions(_ context.Context, at time.Time) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for k, log := range s.actions {
		if !log.until.After(at) {
			delete(s.actions, k)
			n++
		}
	}
	return n, nil
}
