package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/ctx-mcp/ctx-mcp"
)

const (
	findDataKeys = `
SELECT wrapped
FROM data_keys
WHERE one = 1`
	insertDataKeys = `
INSERT INTO data_keys (one, wrapped)
VALUES (1, ?)`
	replaceDataKeys = `
UPDATE data_keys
SET wrapped = ?
WHERE one = 1 AND wrapped = ?`
)

// DataKeys returns the sealed data keys, or nothing if fields have never been sealed.
func (s *Store) DataKeys(ctx context.Context) ([]byte, error) {
	var wrapped []byte
	err := s.reads.QueryRowContext(ctx, findDataKeys).Scan(&wrapped)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return wrapped, wrap("read the data keys", err)
}

// ReplaceDataKeys keeps sealed data keys in place of the given ones, which may be none. It returns CodeConflict if others are
// there in between.
func (s *Store) ReplaceDataKeys(ctx context.Context, old, wrapped []byte) error {
	changed := ctxmcp.Errorf(ctxmcp.CodeConflict, "the data keys changed in between").WithHint("try again")
	return s.do(ctx, operation{
		tenants: only(""),
		check: func(b *batch) error {
			var held []byte
			err := b.tx.QueryRowContext(b.ctx, findDataKeys).Scan(&held)
			switch {
			case err != nil && !errors.Is(err, sql.ErrNoRows):
				return errors.Join(errStore, err)
			case string(held) != string(old):
				return changed
			}
			return nil
		},
		write: func(b *batch) error {
			if old == nil {
				return b.exec(insertDataKeys, wrapped)
			}
			return b.exec(replaceDataKeys, wrapped, old)
		},
		erases: old != nil, // the old ones open under a key that may have been given up
	})
}
