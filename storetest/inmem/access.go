package inmem

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
)

var _ access.Store = (*Store)(nil)

// SaveToken implements access.Store.
func (s *Store) SaveToken(_ context.Context, t access.Token) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.tokens[t.ID]; taken {
		return ctxmcp.Errorf(ctxmcp.CodeConflict, "there is a token %s already", t.ID)
	}
	if s.tokens == nil {
		s.tokens = map[string]access.Token{}
	}
	s.tokens[t.ID] = cloneToken(t)
	return nil
}

// FindToken implements access.Store.
func (s *Store) FindToken(_ context.Context, id string) (*access.Token, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	t, ok := s.tokens[id]
	if !ok {
		return nil, noToken(id)
	}
	t = cloneToken(t)
	return &t, nil
}

// ListTokens implements access.Store.
func (s *Store) ListTokens(context.Context) ([]access.Token, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var all []access.Token
	for t := range maps.Values(s.tokens) {
		all = append(all, cloneToken(t))
	}
	slices.SortFunc(all, func(a, b access.Token) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return all, nil
}

// RevokeToken implements access.Store.
func (s *Store) RevokeToken(_ context.Context, id string, at time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.tokens[id]
	if !ok {
		return noToken(id)
	}
	if t.Revoked.IsZero() {
		t.Revoked = at
		s.tokens[id] = t
	}
	return nil
}

func noToken(id string) error { return ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no token %q", id) }

func cloneToken(t access.Token) access.Token {
	t.Caller.Roles, t.Caller.Projects = slices.Clone(t.Caller.Roles), slices.Clone(t.Caller.Projects)
	return t
}
