package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/postgres/postgrestest"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/storetest"
)

// server is the server of the tests, nil where no PostgreSQL is installed.
var server *postgrestest.Server

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if postgrestest.Bin() == "" {
		fmt.Println("SKIPPED: no PostgreSQL is installed; the tests that need a server do not run (install the package postgresql)")
		return m.Run()
	}
	var err error
	if server, err = postgrestest.Start("fsync=off", "synchronous_commit=off"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if err := server.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func needServer(t *testing.T) {
	t.Helper()
	if server == nil {
		t.Skip("SKIPPED: no PostgreSQL is installed")
	}
}

// TestStore takes minutes, so make test-postgres asks for it. The store is used by a role that does not own the tables, whom row-level security binds;
// the scripts and the replicas use one as its owner.
func TestStore(t *testing.T) {
	needServer(t)
	if os.Getenv("TEST_POSTGRES") == "" {
		t.Skip("SKIPPED: make test-postgres runs the stores' suite on PostgreSQL")
	}
	storetest.Run(t, func(t *testing.T) storetest.Store {
		owner, app := fenced(t)
		return audited{openStore(t, app), owner}
	})
}

// audited is a store that tells its audit trail.
type audited struct {
	*sqlite.Store
	address string
}

func (a audited) Trail(ctx context.Context) (events []ctxmcp.Event, err error) {
	c, err := pgx.Connect(ctx, a.address)
	if err != nil {
		return nil, err
	}
	defer c.Close(ctx)
	rows, err := c.Query(ctx, `SELECT tenant, action, object_id, detail FROM audit ORDER BY seq`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (e ctxmcp.Event, err error) {
		err = row.Scan(&e.Tenant, &e.Action, &e.ObjectID, &e.Detail)
		return e, err
	})
}

// openStore opens the store at an address until the test ends.
func openStore(t testing.TB, address string) *sqlite.Store {
	t.Helper()
	s, err := Open(t.Context(), address, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}
