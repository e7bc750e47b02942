package postgres

import (
	"database/sql"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/stdlib"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/postgres/postgrestest"
)

// connections returns connections that write to the store at an address.
func connections(t *testing.T, address string) *sql.DB {
	t.Helper()
	c, err := config(address)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(newConnector(stdlib.GetConnector(*c), false))
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// A database that was killed hands the numbers of the transactions that it lost to later ones. A change that was lost with it is not taken for one of
// those.
func TestLostTransactionIsNotALaterOne(t *testing.T) {
	needServer(t)
	own, err := postgrestest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := own.Stop(); err != nil {
			t.Error(err)
		}
	})
	address := own.Empty(t)
	openStore(t, address)
	db := connections(t, address)
	var number, later int64
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	name, err := begin(t.Context(), tx, []string{"acme"})
	if err == nil {
		err = tx.QueryRowContext(t.Context(), `SELECT pg_current_xact_id()::text::bigint`).Scan(&number)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := own.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := own.Restart(); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err == nil {
		t.Fatal("the commit succeeds, so the test shows nothing")
	}
	s := openStore(t, address)
	for i := 0; later <= number; i++ {
		if err := s.Apply(t.Context(), memory.Change{Insert: []ctxmcp.ContextObject{object(fmt.Sprint("o", i), fmt.Sprint("a memory ", i))}}); err != nil {
			t.Fatal(err)
		}
		if err := connections(t, address).QueryRowContext(t.Context(), `SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint`).Scan(&later); err != nil {
			t.Fatal(err)
		}
	}
	if there, err := committed(t.Context(), connections(t, address), name); there || err != nil {
		t.Errorf("the fate of a transaction that was lost, after a later one got its number %d: committed %v, %v", number, there, err)
	}
}

// The fate of a change is known whether it was committed or taken back, and asked for while its transaction is under way, it is the one that follows.
func TestFate(t *testing.T) {
	needServer(t)
	address := server.Empty(t)
	openStore(t, address)
	db := connections(t, address)
	for _, commit := range []bool{true, false} {
		for _, early := range []bool{true, false} {
			tx, err := db.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			name, err := begin(t.Context(), tx, []string{"acme"})
			if err != nil {
				t.Fatal(err)
			}
			var there bool
			asked := make(chan error, 1)
			ask := func() {
				var err error
				there, err = committed(t.Context(), db, name)
				asked <- err
			}
			if early {
				go ask()
				waitForLocks(t, db)
			}
			end := tx.Rollback
			if commit {
				end = tx.Commit
			}
			if err := end(); err != nil {
				t.Fatal(err)
			}
			if !early {
				ask()
			}
			if err := <-asked; err != nil || there != commit {
				t.Errorf("committed = %v, %v of a change that was committed: %v; asked for before its end: %v", there, err, commit, early)
			}
			if again, err := committed(t.Context(), db, name); err != nil || again != commit {
				t.Errorf("asked again, committed = %v, %v of a change that was committed: %v", again, err, commit)
			}
		}
	}
}

// waitForLocks waits until some statement waits for the end of another transaction.
func waitForLocks(t *testing.T, db *sql.DB) {
	t.Helper()
	for waiting := 0; waiting == 0; {
		if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted`).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
}

// The names of changes are dropped in time, but not those of the last hour.
func TestNamesOfChangesAreDropped(t *testing.T) {
	needServer(t)
	address := server.Empty(t)
	openStore(t, address)
	db := connections(t, address)
	if _, err := db.ExecContext(t.Context(), `INSERT INTO commits (made) VALUES (now() - interval '2 hours'), (now() - interval '30 minutes')`); err != nil {
		t.Fatal(err)
	}
	for i := range 2048 { // other tests use numbers meanwhile
		if _, err := db.ExecContext(t.Context(), `SELECT name_change()`); err != nil {
			t.Fatal(err)
		}
		var old, young int
		err := db.QueryRowContext(t.Context(), `
SELECT count(*) FILTER (WHERE made < now() - interval '1 hour'), count(*) FILTER (WHERE made < now() - interval '20 minutes') FROM commits`).Scan(&old, &young)
		if err != nil {
			t.Fatal(err)
		}
		if old == 0 {
			if young != 1 {
				t.Errorf("after %d changes there are %d names of the hour before, want 1", i+1, young)
			}
			return
		}
	}
	t.Error("2048 changes drop no name of two hours ago")
}
