package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

const (
	confirmObject = `
UPDATE versions SET last_confirmed = max(last_confirmed, ?) WHERE tenant = ? AND object_id = ?`
	useObject = `
UPDATE versions SET last_used = max(coalesce(last_used, 0), ?) WHERE tenant = ? AND object_id = ? AND tx_end IS NULL`
	// The mark is part of the object, as it is told and exported.
	markObject = `
UPDATE versions SET object = json_set(object, '$.maybe_outdated_by', ?) WHERE tenant = ? AND object_id = ? AND tx_end IS NULL`
	postpone = `
UPDATE versions SET due = ? WHERE tenant = ? AND object_id = ? AND version = ? AND tx_end IS NULL`
)

// touch writes the fields of a version that change after its insertion, but for its end.
func (b *batch) touch(c memory.Change) error {
	for _, f := range c.Confirm {
		if err := b.exec(confirmObject, micros(f.At), f.Tenant, f.ObjectID); err != nil {
			return fmt.Errorf("confirm: %w", err)
		}
	}
	for _, m := range c.Mark {
		if err := b.exec(markObject, m.By, m.Tenant, m.ObjectID); err != nil {
			return fmt.Errorf("mark: %w", err)
		}
	}
	for _, u := range c.Use {
		if err := b.use(u); err != nil {
			return fmt.Errorf("use: %w", err)
		}
	}
	for _, p := range c.Postpone {
		if err := b.exec(postpone, open(p.At), p.Tenant, p.Key.ObjectID, p.Key.Version); err != nil {
			return fmt.Errorf("postpone: %w", err)
		}
	}
	return nil
}

const (
	findDue = `
SELECT ` + columns + `
FROM versions AS v INDEXED BY versions_by_due
WHERE v.due <= ? AND v.tx_end IS NULL
ORDER BY v.due, v.id
LIMIT CAST(? AS BIGINT)`
	lastWrite = `
SELECT v.tx_start
FROM scopes AS s
CROSS JOIN versions AS v NOT INDEXED
WHERE s.tenant = ? AND s.namespace = ? AND v.id BETWEEN s.scope << 32 AND (s.scope + 1 << 32) - 1
ORDER BY v.id DESC
LIMIT 1`
)

// Due implements memory.Keeper.
func (s *Store) Due(ctx context.Context, at time.Time, limit int) ([]ctxmcp.ContextObject, error) {
	ctx = seeingAll(ctx)
	rows, err := s.reads.QueryContext(ctx, findDue, micros(at), limit)
	if err != nil {
		return nil, wrap("find what is due", err)
	}
	found, err := s.sealing.Load().collect(ctx, rows)
	return found, wrap("find what is due", err)
}

// LastWrite implements memory.Keeper.
func (s *Store) LastWrite(ctx context.Context, tenant, namespace string) (time.Time, error) {
	ctx = seeing(ctx, tenant)
	var at int64
	err := s.reads.QueryRowContext(ctx, lastWrite, tenant, namespace).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	return instant(at), wrap("find the last write", err)
}
