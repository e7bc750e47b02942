package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSettings: every connection of both pools has the settings that durability and forgetting rest on, one that takes the
// place of a broken one included.
func TestSettings(t *testing.T) {
	s := openStore(t, t.TempDir())
	if got := s.writes.Stats().MaxOpenConnections; got != 1 {
		t.Errorf("%d connections may write, want 1", got)
	}
	for _, pool := range []struct {
		name     string
		db       *sql.DB
		readOnly string
	}{{"writes", s.writes, "0"}, {"reads", s.reads, "1"}} {
		want := map[string]string{
			"synchronous": "2", "journal_mode": "wal", "secure_delete": "1", "query_only": pool.readOnly, "busy_timeout": "10000",
		}
		for round := range 2 {
			for n, got := range settings(t, pool.db, want) {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("connection %d of %s, round %d, differs (-want +got):\n%s", n, pool.name, round, diff)
				}
			}
		}
	}
	var config int
	if err := s.reads.QueryRow(`SELECT v FROM search_config WHERE k = 'secure-delete'`).Scan(&config); err != nil || config != 1 {
		t.Errorf("secure-delete of the full-text index = %d, %v, want 1", config, err)
	}
}

// settings returns the pragmas of every connection that the pool can open, and breaks the connections.
func settings(t *testing.T, db *sql.DB, names map[string]string) []map[string]string {
	t.Helper()
	var all []map[string]string
	for range db.Stats().MaxOpenConnections {
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Raw(func(any) error { return driver.ErrBadConn }) // after all are open
		got := map[string]string{}
		for name := range names {
			var value string
			if err := conn.QueryRowContext(context.Background(), fmt.Sprintf(`PRAGMA %s`, name)).Scan(&value); err != nil {
				t.Fatal(err)
			}
			got[name] = value
		}
		all = append(all, got)
	}
	return all
}
