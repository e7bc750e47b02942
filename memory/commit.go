package memory

import (
	"context"
	"fmt"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// planAttempts bounds how often a write is planned again because another one came in between, and planPause how long it
// leaves the way to another process between two attempts: the number of the attempt in milliseconds, at most this.
const (
	planAttempts = 200
	planPause    = 25 * time.Millisecond
)

// commit plans a change and applies it, and plans again if another write came in between. A nil plan is nothing to do.
// The first attempt is made beside others; whoever loses it waits for its turn, so that many writers of one slot take
// one attempt each after that. Only another process can then make an attempt fail.
func (s *Core) commit(ctx context.Context, plan func() (*Change, error)) error {
	lost, err := s.attempt(ctx, plan)
	if !lost {
		return err
	}
	return s.turn.Do(ctx, func() error {
		for n := 2; lost && n <= planAttempts; n++ {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(min(time.Duration(n)*time.Millisecond, planPause)):
			}
			lost, err = s.attempt(ctx, plan)
		}
		return err
	})
}

func (s *Core) attempt(ctx context.Context, plan func() (*Change, error)) (lost bool, err error) {
	c, err := plan()
	if err != nil || c == nil {
		return false, err
	}
	if err := s.Store.Apply(ctx, *c); err != nil {
		return ctxmcp.CodeOf(err) == ctxmcp.CodeConflict, fmt.Errorf("write: %w", err)
	}
	if len(c.Erase) > 0 && s.Erased != nil {
		if err := s.Erased(ctx); err != nil {
			return false, fmt.Errorf("erase what was made of it: %w", err)
		}
	}
	return false, nil
}
