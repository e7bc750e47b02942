package inmem

import (
	"context"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/trail"
)

var _ trail.Store = (*Store)(nil)

// Events implements trail.Store.
func (s *Store) Events(_ context.Context, q trail.Query) ([]trail.Entry, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var all []trail.Entry
	for i, e := range slices.Backward(s.audit) {
		if line := (trail.Entry{Seq: int64(i + 1), Event: e}); q.Match(line) && len(all) < q.Limit {
			all = append(all, line)
		}
	}
	return all, nil
}
