package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// KeepUses writes down which objects were used since the last time, one tenant after the other: a change of several would wait for the writers of
// each. A crash loses the uses that are not written down.
func (s *keeper) KeepUses(ctx context.Context) error {
	at := s.uses.take()
	byTenant := map[string]*Change{}
	for _, k := range slices.SortedFunc(maps.Keys(at), compareUsed) {
		c := byTenant[k.tenant]
		if c == nil {
			c = &Change{}
			byTenant[k.tenant] = c
		}
		use := Use{Tenant: k.tenant, ObjectID: k.object, At: at[k]}
		if s.Options.LearnFromUse {
			use.User, use.Outcome = k.user, WasShown
		}
		c.Use = append(c.Use, use)
		if s.Options.RefreshOnUse {
			c.Confirm = append(c.Confirm, Confirmation{k.tenant, k.object, at[k]})
		}
	}
	var errs []error
	for _, tenant := range slices.Sorted(maps.Keys(byTenant)) {
		if err := s.Store.Apply(ctx, *byTenant[tenant]); err != nil {
			errs = append(errs, fmt.Errorf("keep uses: %w", err))
		}
	}
	return errors.Join(errs...)
}

// Upkeep ends objects that have had their time, apart from the calls and a little at a time.
type Upkeep struct {
	Service *Service
	Logger  *slog.Logger
	Pause   time.Duration // between two looks; default 1 minute
	Batch   int           // objects a look; default 100
	Done    func(Swept)   // it is told of each look that succeeded; nil: nobody is
	Turn    func() bool   // reports whether this server looks, of several; nil: it does
}

// Run keeps house until ctx is done, and then writes down the last uses.
func (u *Upkeep) Run(ctx context.Context) {
	for ctx.Err() == nil {
		more := u.step(ctx)
		pause := cmp.Or(u.Pause, time.Minute)
		if more {
			pause = min(pause, time.Second) // room for the calls
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := u.Service.KeepUses(last); err != nil {
		u.Logger.Warn("uses are not kept", "error", err)
	}
}

func (u *Upkeep) step(ctx context.Context) (more bool) {
	if err := u.Service.KeepUses(ctx); err != nil && ctx.Err() == nil {
		u.Logger.Warn("uses are not kept", "error", err)
	}
	if u.Turn != nil && !u.Turn() {
		return false
	}
	swept, err := u.Service.Sweep(ctx, cmp.Or(u.Batch, 100))
	if err != nil && ctx.Err() == nil {
		u.Logger.Warn("retirement is behind", "error", err)
	}
	if err == nil && u.Done != nil {
		u.Done(swept)
	}
	if n := swept.Total(); n > 0 {
		u.Logger.Info("retired by rule", "objects", n)
	}
	return err == nil && swept.More
}

// Swept counts the objects that a sweep retired, by retirement rule.
type Swept struct {
	ByRule map[ctxmcp.RetirementRule]int
	More   bool // there may be more to do
}

// Total returns how many objects it was.
func (s Swept) Total() int {
	n := 0
	for _, of := range s.ByRule {
		n += of
	}
	return n
}
