package postgres

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/stdlib"
)

// TestNothingRunsAfterClose: a statement whose caller has gone has ended in the database, with its connection, before Close returns.
func TestNothingRunsAfterClose(t *testing.T) {
	needServer(t)
	address := server.Empty(t)
	c, err := config(address)
	if err != nil {
		t.Fatal(err)
	}
	c.RuntimeParams["application_name"] = "cut off"
	watching := connect(t, address)
	const running = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'cut off'`
	for range 5 {
		db := sql.OpenDB(newConnector(stdlib.GetConnector(*c), false))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			_, err := db.ExecContext(ctx, `SELECT pg_sleep(600)`)
			ended <- err
		}()
		for bare(t, watching, running+` AND wait_event = 'PgSleep'`) != "SELECT 1 [[1]]" {
			continue // the statement is on its way
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Fatalf("the statement ended with %v, want that it was cut off", err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if got := bare(t, watching, running); got != "SELECT 1 [[0]]" {
			t.Fatalf("after Close, connections of the pool: %s", got)
		}
	}
}

// A server of a large machine leaves connections to the others.
func TestReaders(t *testing.T) {
	for processors, want := range map[int]int{1: 4, 2: 4, 4: 8, 8: 16, 128: 16} {
		if got := readers(processors); got != want {
			t.Errorf("readers of %d processors = %d, want %d", processors, got, want)
		}
	}
}
