package inmem

import (
	"context"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp/compiler"
)

var _ compiler.Prefixes = (*Store)(nil)

// FindPrefix implements compiler.Prefixes.
func (s *Store) FindPrefix(_ context.Context, key compiler.PrefixKey) (*compiler.Prefix, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p, ok := s.prefixes[key]
	if !ok {
		return nil, nil
	}
	return &compiler.Prefix{Pins: slices.Clone(p.Pins)}, nil
}

// SavePrefix implements compiler.Prefixes.
func (s *Store) SavePrefix(_ context.Context, key compiler.PrefixKey, p compiler.Prefix, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.prefixes == nil {
		s.prefixes = map[compiler.PrefixKey]compiler.Prefix{}
	}
	s.prefixes[key] = compiler.Prefix{Pins: slices.Clone(p.Pins)}
	return nil
}
