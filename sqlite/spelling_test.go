package sqlite_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// TestOlderSpellings: a store that was written when each spelling of a word had a term of its own is asked in either spelling, however much it holds.
func TestOlderSpellings(t *testing.T) {
	dir := t.TempDir()
	s, store := benchServiceIn(t, dir)
	scope := ctxmcp.Scope{User: "ann", Project: "busy"}
	remember := func(text string) string {
		r, err := s.Remember(t.Context(), ann, memory.Draft{Content: text, Scope: scope, Source: memory.Source{Kind: ctxmcp.UserStatement}})
		if err != nil {
			t.Fatal(err)
		}
		return r.ObjectID
	}
	harbour := remember("The harbour is closed on Sundays.")
	fill(t, store, 450, "busy") // more than are candidates whatever they say
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.db"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the store is in %v, %v", files, err)
	}
	db, err := sql.Open(sql.Drivers()[0], files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{`UPDATE texts SET terms = replace(terms, 'harbor', 'harbour')`, `INSERT INTO search (search) VALUES ('rebuild')`} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	var older int
	if err := db.QueryRow(`SELECT count(*) FROM texts WHERE terms LIKE '%harbour%'`).Scan(&older); err != nil || older != 1 {
		t.Fatalf("%d texts have the older term, %v", older, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s, _ = benchServiceIn(t, dir)
	for _, word := range []string{"harbour", "harbor"} {
		r, err := s.Recall(t.Context(), ann, memory.Ask{Query: fmt.Sprintf("the %s", word), Scope: scope})
		if err != nil || len(r.Memories) == 0 || r.Memories[0].Object.ObjectID != harbour {
			t.Errorf("%s: %d memories, %v, which do not begin with the one", word, len(r.Memories), err)
		}
	}
}
