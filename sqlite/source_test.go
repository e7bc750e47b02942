package sqlite

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// TestSourceColumn: the source of each version stands in a column of its own, and a version that an older server wrote is found by its source
// too, before and after the column is filled.
func TestSourceColumn(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	said, read := note("said"), note("read")
	said.SourceKind, read.SourceKind = ctxmcp.UserStatement, ctxmcp.Document
	if err := s.Apply(t.Context(), memory.Change{Insert: []ctxmcp.ContextObject{said, read}}); err != nil {
		t.Fatal(err)
	}
	check := func(s *Store, when string, filled int) {
		t.Helper()
		q := memory.Query{Tenant: said.TenantID, Everywhere: true, Unrestricted: true, Sources: []ctxmcp.SourceKind{ctxmcp.Document}}
		found, err := s.Find(t.Context(), q)
		if err != nil || len(found) != 1 || found[0].ObjectID != "read" {
			t.Errorf("%s, Find = %v, %v, want read", when, found, err)
		}
		if n, err := s.Count(t.Context(), q); err != nil || n != 1 {
			t.Errorf("%s, Count = %d, %v, want 1", when, n, err)
		}
		var n int
		if err := s.reads.QueryRow(`SELECT count(source_kind) FROM versions WHERE source_kind = object ->> 'source_kind'`).Scan(&n); err != nil || n != filled {
			t.Errorf("%s, %d columns are filled, %v, want %d", when, n, err, filled)
		}
	}
	check(s, "written", 2)
	if _, err := s.writes.Exec(`UPDATE versions SET source_kind = NULL`); err != nil {
		t.Fatal(err)
	}
	check(s, "written by an older server", 0)
	if _, err := s.writes.Exec(`DROP INDEX versions_held; DROP TABLE touched; DROP TABLE key_store; DROP TABLE owed_keys; DROP TRIGGER versions_touched; DROP TRIGGER versions_gone; DROP INDEX versions_derived; DROP INDEX versions_by_link; ALTER TABLE versions DROP COLUMN source_kind; PRAGMA user_version = 17`); err != nil {
		t.Fatal(err)
	}
	check(openStore(t, dir), "migrated", 2)
}
