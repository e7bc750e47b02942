package sqlite

import (
	"context"
	"errors"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/quota"
)

var (
	_ quota.Ledger = (*Store)(nil)
	_ quota.Room   = (*Store)(nil)
)

// Triggers keep the counts, in the transaction of the statement that changes the counted rows.
const (
	usedOf = `
SELECT coalesce((SELECT used FROM quota_use WHERE tenant = ? AND quota = ?), 0)`
	allUsed = `
SELECT tenant, quota, used
FROM quota_use
WHERE used > 0`
)

// Bound sets how much a tenant may hold. It is called before the store is used.
func (s *Store) Bound(l quota.Limits) { s.limits = l }

// Usage implements quota.Ledger.
func (s *Store) Usage(ctx context.Context) ([]quota.Use, error) {
	ctx = seeingAll(ctx)
	rows, err := s.reads.QueryContext(ctx, allUsed)
	if err != nil {
		return nil, wrap("count what is held", err)
	}
	defer rows.Close()
	var held []quota.Use
	for rows.Next() {
		var u quota.Use
		if err := rows.Scan(&u.Tenant, &u.Name, &u.Used); err != nil {
			return nil, wrap("count what is held", err)
		}
		held = append(held, u)
	}
	slices.SortFunc(held, quota.Compare)
	return held, wrap("count what is held", rows.Err())
}

// Room implements quota.Room.
func (s *Store) Room(ctx context.Context, claims ...quota.Claim) error {
	err := room(ctx, s.reads, s.limits, claims)
	if errors.Is(err, errStore) {
		return wrap("count what is held", err)
	}
	return err
}

// room returns the error of the first claim that does not fit, or a failure of the database, joined to errStore.
func (b *batch) room(claims []quota.Claim) error { return room(b.ctx, b.tx, b.limits, claims) }

func room(ctx context.Context, q querier, limits quota.Limits, claims []quota.Claim) error {
	for _, c := range claims {
		if limits[c.Name] <= 0 || c.Add <= 0 {
			continue
		}
		used, err := scanUsed(ctx, q, c)
		if err != nil {
			return errors.Join(errStore, err)
		}
		if err := limits.Check(c, used); err != nil {
			return err
		}
	}
	return nil
}

func scanUsed(ctx context.Context, q querier, c quota.Claim) (used int64, err error) {
	ctx = seeing(ctx, c.Tenant)
	rows, err := q.QueryContext(ctx, usedOf, c.Tenant, string(c.Name))
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&used); err != nil {
			return 0, err
		}
	}
	return used, rows.Err()
}
