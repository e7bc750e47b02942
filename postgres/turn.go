package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

// look is the time between two tries to get a turn, and between two looks whether it still lasts.
const look = time.Second

// takeTurn takes a lock that ends with the transaction, unless another process has it. A transaction that only waits holds no snapshot, and so keeps
// no vacuum from its work.
const takeTurn = `SELECT pg_try_advisory_xact_lock(hashtextextended('ctx-mcp turn ' || current_schema() || ' ' || ?, 0))`

// takeTurns runs do each time that it is this process's turn, until do returns in its turn or ctx is done.
func takeTurns(ctx context.Context, db *sql.DB, name string, do func(context.Context)) {
	for ctx.Err() == nil {
		if done := turn(ctx, db, name, do); done {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(look):
		}
	}
}

// turn runs do if no other process has the turn, and reports whether do returned by itself. The turn lasts as long as its transaction: one that is
// lost with its connection ends the context of do.
func turn(ctx context.Context, db *sql.DB, name string, do func(context.Context)) (done bool) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false
	}
	defer func() { _ = tx.Rollback() }() // gives the turn back
	var mine bool
	if err := tx.QueryRowContext(ctx, takeTurn, name).Scan(&mine); err != nil || !mine {
		return false
	}
	working, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		do(working)
	}()
	for {
		select {
		case <-ended:
			return working.Err() == nil
		case <-time.After(look):
			if _, err := tx.ExecContext(ctx, `SELECT 1`); err != nil {
				stop()
				<-ended
				return false
			}
		}
	}
}

// claim takes the turn of the upkeep, which one of the servers of a database has, until release. It returns CodeConflict if a server keeps it: the
// database may notice the end of one only a moment later.
func claim(ctx context.Context, db *sql.DB, name string) (release func() error, err error) {
	patient, cancel := context.WithTimeout(ctx, 2*look)
	defer cancel()
	for {
		if release, err = tryClaim(ctx, db); err != nil || release != nil {
			return release, err
		}
		select {
		case <-patient.Done():
			return nil, errors.Join(ctx.Err(), sqlite.InUse(name))
		case <-time.After(between):
		}
	}
}

// tryClaim returns nil if another process has the turn. A claim outlives its context, so that whoever has it ends in order.
func tryClaim(ctx context.Context, db *sql.DB) (release func() error, err error) {
	tx, err := db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return nil, err
	}
	var mine bool
	if err := tx.QueryRowContext(ctx, takeTurn, sqlite.Upkeep).Scan(&mine); err != nil || !mine {
		return nil, errors.Join(err, tx.Rollback())
	}
	return tx.Rollback, nil
}
