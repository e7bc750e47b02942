package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/ctx-mcp/ctx-mcp"
)

// migrations holds the forward-only steps of the schema, numbered from 1 without gaps. A released one is never edited.
//
//go:embed migration/*.sql
var migrations embed.FS

const (
	// lockSchema takes a lock that ends with the transaction. A schema has its own, because one database may have several.
	lockSchema = `SELECT pg_advisory_xact_lock(hashtextextended('ctx-mcp schema ' || current_schema(), 0))`

	tableOfSteps = `
CREATE TABLE IF NOT EXISTS schema_steps (
  number BIGINT PRIMARY KEY,  -- of the step
  done   TIMESTAMPTZ NOT NULL DEFAULT now()
)`
	stepsDone = `SELECT coalesce(max(number), 0) FROM schema_steps`
	stepDone  = `INSERT INTO schema_steps (number) VALUES ($1)`
)

// migrate runs the steps that the database has not seen, all in one transaction, while other servers wait. It returns CodeUnavailable for a
// database with steps that this version does not know.
func migrate(ctx context.Context, c *pgx.Conn) error {
	steps, err := fs.Glob(migrations, "migration/*.sql")
	if err != nil {
		return fmt.Errorf("list migrations: %w", err)
	}
	if done, known := stepsSeen(ctx, c); known && done >= len(steps) {
		return newer(done, len(steps)) // found out without the rights of an owner
	}
	err = pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
		for _, statement := range []string{lockSchema, tableOfSteps} {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return err
			}
		}
		var done int
		if err := tx.QueryRow(ctx, stepsDone).Scan(&done); err != nil {
			return err
		}
		if err := newer(done, len(steps)); err != nil {
			return err
		}
		for i := done; i < len(steps); i++ {
			if err := step(ctx, tx, steps[i], i+1); err != nil {
				return fmt.Errorf("migrate to schema %d: %w", i+1, err)
			}
		}
		return nil
	})
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == insufficientPrivilege {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the schema of the database is older than this version, and the role %s may not bring it up to date", c.Config().User).
			WithHint("run ctx-mcp doctor once with the address of the owner of the tables").WithCause(err)
	}
	return err
}

// insufficientPrivilege is PostgreSQL's code for a lack of rights.
const insufficientPrivilege = "42501"

// stepsSeen returns the number of steps that the database has seen, if that can be read.
func stepsSeen(ctx context.Context, c *pgx.Conn) (done int, known bool) {
	known = c.QueryRow(ctx, stepsDone).Scan(&done) == nil
	return done, known
}

// newer is the error for a database that has seen more steps than this version knows, else nil.
func newer(done, steps int) error {
	if done <= steps {
		return nil
	}
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the database was written by a newer ctx-mcp").
		WithHint("it has schema %d and this version knows %d: install the newer version", done, steps)
}

// firstIndex is the step that makes the first index of a function of the schema, and bound the one that binds that function to its schema. From PostgreSQL
// 17 on an index is made without the search path, so bound is run before firstIndex, too: a released step is never edited, and this one may run twice.
const (
	firstIndex = 2
	bound      = "migration/0008_restorable.sql"
)

func step(ctx context.Context, tx pgx.Tx, name string, number int) error {
	names := []string{name}
	if number == firstIndex {
		names = []string{bound, name}
	}
	for _, name := range names {
		text, err := migrations.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, string(text)); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, stepDone, number)
	return err
}

// Holds reports whether the schema at an address has a store, which it does not make. It returns CodeInvalid for a text that is no address, and
// CodeUnavailable if the database cannot be used.
func Holds(ctx context.Context, address string) (there bool, err error) {
	c, err := config(address)
	if err != nil {
		return false, err
	}
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return false, unusable(address, err)
	}
	err = conn.QueryRow(ctx, `SELECT to_regclass('schema_steps') IS NOT NULL`).Scan(&there)
	if err = errors.Join(err, conn.Close(ctx)); err != nil {
		return false, unusable(address, err)
	}
	return there, nil
}
