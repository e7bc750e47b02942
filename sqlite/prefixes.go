package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

const (
	findPrefix = `
SELECT prefix
FROM prefixes
WHERE tenant = ? AND namespace = ? AND digest = ?`
	savePrefix = `
INSERT INTO prefixes (tenant, namespace, digest, saved, prefix)
VALUES (?, ?, ?, ?, ?)
ON CONFLICT (tenant, namespace, digest) DO UPDATE SET saved = excluded.saved, prefix = excluded.prefix`
	dropPrefixes = `
DELETE FROM prefixes
WHERE saved < ?`
)

// prefixLife is how long the prefix of a session is kept: no provider caches a prompt for longer.
const prefixLife = 7 * 24 * time.Hour

// FindPrefix implements compiler.Prefixes.
func (s *Store) FindPrefix(ctx context.Context, key ctxmcp.PrefixKey) (*ctxmcp.Prefix, error) {
	ctx = seeing(ctx, key.Tenant)
	var text string
	err := s.reads.QueryRowContext(ctx, findPrefix, key.Tenant, key.Namespace, key.Digest).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, wrap("find a prefix", err)
	}
	var p ctxmcp.Prefix
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return nil, fmt.Errorf("find a prefix: %w", err)
	}
	return &p, nil
}

// SavePrefix implements compiler.Prefixes. Prefixes that are over a week old go with it.
func (s *Store) SavePrefix(ctx context.Context, key ctxmcp.PrefixKey, p ctxmcp.Prefix, at time.Time) error {
	body, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("save a prefix: %w", err)
	}
	return s.do(ctx, operation{
		tenants: only(key.Tenant),
		check:   func(*batch) error { return nil },
		write: func(b *batch) error {
			if err := b.exec(dropPrefixes, micros(at.Add(-prefixLife))); err != nil {
				return err
			}
			return b.exec(savePrefix, key.Tenant, key.Namespace, key.Digest, micros(at), string(body))
		},
	})
}
