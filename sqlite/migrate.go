package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/ctx-mcp/ctx-mcp"
)

// migrations holds the forward-only steps of the schema, numbered from 1 without gaps. A released one is never edited.
//
//go:embed migration/*.sql
var migrations embed.FS

// migrate runs the steps that the file has not seen, in one transaction: a new file waits for the disk once. The caller holds the lock.
func (s *Store) migrate(ctx context.Context) error {
	steps, err := fs.Glob(migrations, "migration/*.sql")
	if err != nil {
		return fmt.Errorf("list migrations: %w", err)
	}
	var done int
	if err := s.writes.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&done); err != nil {
		return unusable(s.path, err)
	}
	if done > len(steps) {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s was written by a newer ctx-mcp", s.path).
			WithHint("it has schema %d and this version knows %d: install the newer version", done, len(steps))
	}
	if done == len(steps) {
		return nil
	}
	return inTx(ctx, s.writes, func(tx *sql.Tx) error {
		for i, name := range steps[done:] {
			if err := step(ctx, tx, name); err != nil {
				return fmt.Errorf("migrate to schema %d: %w", done+i+1, err)
			}
		}
		if done == 0 { // a new file holds nothing that the steps could owe the erasure of
			if _, err := tx.ExecContext(ctx, `DELETE FROM erasures`); err != nil {
				return fmt.Errorf("begin without erasures: %w", err)
			}
		}
		_, err := tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA user_version = %d`, len(steps))) // a pragma takes no parameter
		return err
	})
}

func step(ctx context.Context, tx *sql.Tx, name string) error {
	text, err := migrations.ReadFile(name)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, string(text))
	return err
}

// inTx runs do in a transaction, which is rolled back if do fails or panics.
func inTx(ctx context.Context, db *sql.DB, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing after a commit; the failure of do is the one to report
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}
