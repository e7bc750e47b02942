package postgres

import (
	"context"
	"database/sql"
	"errors"
)

const (
	findFact = `
SELECT value
FROM installation
WHERE name = ?`
	insertFact = `
INSERT INTO installation (name, value)
VALUES (?, ?)
ON CONFLICT DO NOTHING`
	replaceFact = `
INSERT INTO installation (name, value)
VALUES (?, ?)
ON CONFLICT (name) DO UPDATE SET value = excluded.value`
)

// facts are the rows of the installation. They implement sqlite.Facts.
type facts struct{ db *sql.DB }

// Fact returns a fact, or "" if nobody has set it.
func (f facts) Fact(ctx context.Context, name string) (value string, err error) {
	err = f.db.QueryRowContext(ctx, findFact, name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return value, err
}

// Agree sets a fact that nobody has set, and returns the one that counts.
func (f facts) Agree(ctx context.Context, name, value string) (string, error) {
	if _, err := f.db.ExecContext(ctx, insertFact, name, value); err != nil {
		return "", err
	}
	return f.Fact(ctx, name)
}

// Set sets a fact in place of the one before.
func (f facts) Set(ctx context.Context, name, value string) error {
	_, err := f.db.ExecContext(ctx, replaceFact, name, value)
	return err
}
