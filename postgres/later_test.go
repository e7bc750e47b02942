package postgres

import (
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/storetest"
)

// TestSteps: the steps of the schema are numbered from 1 without gaps, and none takes anything away under which a server of the version before runs.
func TestSteps(t *testing.T) {
	steps, err := fs.Glob(migrations, "migration/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	taken := regexp.MustCompile(`(?i)\b(DROP (TABLE|COLUMN)|RENAME (TO|COLUMN)|SET NOT NULL|ALTER COLUMN \w+ (SET DATA )?TYPE)`)
	added := regexp.MustCompile(`(?i)\bADD COLUMN[^,;]*NOT NULL[^,;]*`)
	for i, name := range steps {
		if !strings.HasPrefix(name, fmt.Sprintf("migration/%04d_", i+1)) {
			t.Errorf("step %d is %s", i+1, name)
		}
		text, err := migrations.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if found := taken.FindString(string(text)); found != "" {
			t.Errorf("%s has %q: a server of the version before could not go on", name, found)
		}
		for _, column := range added.FindAllString(string(text), -1) {
			if !strings.Contains(strings.ToUpper(column), "DEFAULT") {
				t.Errorf("%s has %q without a default: a server of the version before could write no row", name, column)
			}
		}
	}
}

// TestIndexesNeedNoSearchPath: after every step each function that an index uses is bound to its schema. PostgreSQL makes indexes without the search path
// from 17 on, and pg_restore with every version.
func TestIndexesNeedNoSearchPath(t *testing.T) {
	needServer(t)
	db := connect(t, server.Empty(t))
	steps, err := fs.Glob(migrations, "migration/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	err = pgx.BeginFunc(t.Context(), db, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), tableOfSteps); err != nil {
			return err
		}
		for i, name := range steps {
			if err := step(t.Context(), tx, name, i+1); err != nil {
				return err
			}
			rows, err := tx.Query(t.Context(), `
SELECT DISTINCT i.relname || ' uses ' || p.proname, p.prosqlbody IS NOT NULL
FROM pg_depend AS d
JOIN pg_class AS i ON i.oid = d.objid AND i.relkind = 'i' AND i.relnamespace = current_schema()::regnamespace
JOIN pg_proc AS p ON p.oid = d.refobjid AND p.pronamespace = i.relnamespace
WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_proc'::regclass`)
			if err != nil {
				return err
			}
			var use string
			var isBound bool
			if _, err := pgx.ForEachRow(rows, []any{&use, &isBound}, func() error {
				if found++; !isBound {
					t.Errorf("after %s %s, whose body is a text", name, use)
				}
				return nil
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Fatalf("%d indexes of functions, %v", found, err)
	}
}

// later makes the step that a version after this one may make: columns, tables and indexes that this one does not know.
func later(t *testing.T, address string) {
	t.Helper()
	db := connect(t, address)
	for _, name := range words(t, db, `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY 1`) {
		text := pgx.Identifier{name}.Sanitize()
		if _, err := db.Exec(t.Context(), "ALTER TABLE "+text+" ADD COLUMN a_later_note TEXT, ADD COLUMN a_later_number BIGINT NOT NULL DEFAULT 7"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Exec(t.Context(), "CREATE TABLE a_later_table (id TEXT PRIMARY KEY); INSERT INTO schema_steps (number) SELECT max(number) + 1 FROM schema_steps"); err != nil {
		t.Fatal(err)
	}
}

// TestStoreUnderALaterSchema: a server that runs goes on, whatever it does, after one of the next version has brought the schema up to its own; a server
// of this version that starts then is told to be replaced.
func TestStoreUnderALaterSchema(t *testing.T) {
	needServer(t)
	if os.Getenv("TEST_POSTGRES") != "all" {
		t.Skip("SKIPPED: make test-postgres-all runs the stores' suite under a later schema")
	}
	storetest.Run(t, func(t *testing.T) storetest.Store {
		owner, app := fenced(t)
		s := openStore(t, app)
		later(t, owner)
		if _, err := Open(t.Context(), owner, slog.New(slog.DiscardHandler)); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
			t.Errorf("Open under a later schema = %v, want that it is refused", err)
		}
		return audited{s, owner}
	})
}

// TestSchemasOfOtherVersions: a server whose role does not own the tables is told why it cannot start, by an older schema and by a newer one.
func TestSchemasOfOtherVersions(t *testing.T) {
	needServer(t)
	owner, app := fenced(t)
	db := connect(t, owner)
	for _, tt := range []struct{ change, says string }{
		{"DELETE FROM schema_steps WHERE number = (SELECT max(number) FROM schema_steps)", "older than this version, and the role app may not"},
		{"INSERT INTO schema_steps (number) SELECT generate_series(max(number) + 1, max(number) + 2) FROM schema_steps", "written by a newer ctx-mcp"},
	} {
		if _, err := db.Exec(t.Context(), tt.change); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), app, slog.New(slog.DiscardHandler)); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable || !strings.Contains(fmt.Sprint(err), tt.says) {
			t.Errorf("Open = %v, want unavailable: %q", err, tt.says)
		}
	}
}
