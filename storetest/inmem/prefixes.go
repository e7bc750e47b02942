package inmem

import (
	"context"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// FindPrefix implements compiler.Prefixes.
func (s *Store) FindPrefix(_ context.Context, key ctxmcp.PrefixKey) (*ctxmcp.Prefix, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p, ok := s.prefixes[key]
	if !ok {
		return nil, nil
	}
	return &ctxmcp.Prefix{Pins: slices.Clone(p.Pins)}, nil
}

// SavePrefix implements compiler.Prefixes.
func (s *Store) SavePrefix(_ context.Context, key ctxmcp.PrefixKey, p ctxmcp.Prefix, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.prefixes == nil {
		s.prefixes = map[ctxmcp.PrefixKey]ctxmcp.Prefix{}
	}
	s.prefixes[key] = ctxmcp.Prefix{Pins: slices.Clone(p.Pins)}
	return nil
}
