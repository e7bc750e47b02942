package inmem

import (
	"context"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/quota"
)

var (
	_ quota.Ledger = (*Store)(nil)
	_ quota.Room   = (*Store)(nil)
)

// Bound sets how much a tenant may hold. It is called before the store is used.
func (s *Store) Bound(l quota.Limits) { s.limits = l }

// Usage implements quota.Ledger.
func (s *Store) Usage(context.Context) ([]quota.Use, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.usage(), nil
}

// Room implements quota.Room.
func (s *Store) Room(_ context.Context, claims ...quota.Claim) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.room(claims)
}

// room returns the error of the first claim that does not fit.
func (s *Store) room(claims []quota.Claim) error {
	if len(s.limits) == 0 {
		return nil
	}
	held := s.usage()
	for _, c := range claims {
		var used int64
		if i := slices.IndexFunc(held, func(u quota.Use) bool { return u.Tenant == c.Tenant && u.Name == c.Name }); i >= 0 {
			used = held[i].Used
		}
		if err := s.limits.Check(c, used); err != nil {
			return err
		}
	}
	return nil
}

// usage counts the rows held.
func (s *Store) usage() []quota.Use {
	type key struct {
		tenant string
		name   quota.Name
	}
	counts := map[key]int64{}
	for _, o := range s.rows {
		counts[key{o.TenantID, quota.Memories}]++
	}
	for _, r := range s.reviews {
		if r.Settled.IsZero() {
			counts[key{r.Tenant, quota.Reviews}]++
		}
	}
	for _, a := range s.artifacts {
		counts[key{a.TenantID, quota.ArtifactBytes}] += artifacts.Cost(a)
	}
	for _, r := range s.packets {
		counts[key{r.Tenant, quota.Packets}]++
	}
	for k, log := range s.actions {
		counts[key{k.Tenant, quota.ActionSessions}]++
		for _, r := range log.records {
			counts[key{k.Tenant, quota.ActionBytes}] += int64(len(r.Body))
		}
	}
	var held []quota.Use
	for k, n := range counts {
		if n > 0 {
			held = append(held, quota.Use{Tenant: k.tenant, Name: k.name, Used: n})
		}
	}
	slices.SortFunc(held, quota.Compare)
	return held
}
