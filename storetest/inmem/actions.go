package inmem

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/receipts"
)

var _ actions.Store = (*Store)(nil)

// actionLog is the log of one session.
type actionLog struct {
	records []actions.Record
	until   time.Time
	waiting int
}

// AppendAction implements actions.Store.
func (s *Store) AppendAction(_ context.Context, k actions.Key, r actions.Record, until time.Time, audit ctxmcp.Event, proof *receipts.Proof) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.actions[k]
	if r.Seq != len(log.records)+1 {
		return actions.Moved(k.Session)
	}
	if err := s.room(r.Claims(k, len(r.Body))); err != nil {
		return err
	}
	if proof != nil {
		if err := s.appendReceipt(proof.Key, proof.Make); err != nil {
			return err
		}
	}
	waiting := r.Waiting
	r.Body, r.Waiting = slices.Clone(r.Body), 0
	if s.actions == nil {
		s.actions = map[actions.Key]actionLog{}
	}
	s.actions[k] = actionLog{append(log.records, r), until, waiting}
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

// WaitingSessions implements actions.Store.
func (s *Store) WaitingSessions(_ context.Context, tenant, user string) ([]actions.Key, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found []actions.Key
	for k, log := range s.actions {
		if log.waiting > 0 && k.Tenant == tenant && (user == "" || k.User == user) {
			found = append(found, k)
		}
	}
	slices.SortFunc(found, func(a, b actions.Key) int {
		return cmp.Or(cmp.Compare(a.User, b.User), cmp.Compare(a.Session, b.Session))
	})
	return found, nil
}

// ActionSessions implements actions.Store.
func (s *Store) ActionSessions(_ context.Context, tenant, user string, behind *actions.Listed, limit int) ([]actions.Listed, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found []actions.Listed
	for k, log := range s.actions {
		one := actions.Listed{Session: k.Session, Records: len(log.records), Waiting: log.waiting, Until: log.until}
		if k.Tenant == tenant && k.User == user && (behind == nil || one.Compare(*behind) < 0) {
			found = append(found, one)
		}
	}
	slices.SortFunc(found, func(a, b actions.Listed) int { return b.Compare(a) })
	return found[:min(limit, len(found))], nil
}

// SweepActions implements actions.Store.
func (s *Store) SweepActions(_ context.Context, at time.Time) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for k, log := range s.actions {
		if !log.until.After(at) {
			delete(s.actions, k)
			s.forgetPrivate(k)
			n++
		}
	}
	return n, nil
}

// forgetPrivate removes the private parts of a session's receipts.
func (s *Store) forgetPrivate(k actions.Key) {
	for i, e := range s.receipts {
		if e.Tenant == k.Tenant && e.User == k.User && e.Session == k.Session {
			s.receipts[i].Private = nil
		}
	}
}
