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
