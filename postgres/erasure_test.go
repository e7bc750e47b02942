package postgres

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/postgres/postgrestest"
)

// TestErasureInFiles looks for the words of an erased memory, and of an artifact that was made of it, in the files of the server, step by step as docs/erasure.md tells an operator to finish an
// erasure: each of its steps is needed for what it says, and after the last one the words are in no file but those of the backup from before.
func TestErasureInFiles(t *testing.T) {
	needServer(t)
	own, err := postgrestest.Start("fsync=off", "wal_recycle=off", "autovacuum=off", "checkpoint_timeout=1d")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := own.Stop(); err != nil {
			t.Error(err)
		}
	})
	address := own.Empty(t)
	s := openStore(t, address)
	service, by := serviceOver(s), ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Restricted, Authority: ctxmcp.AuthorityUser}.With(ctxmcp.Operator)
	const secret = "quincunxial"
	got, err := service.Remember(t.Context(), by, memory.Draft{Content: "The orchard of Ann is planted in a quincunxial pattern."})
	if err != nil {
		t.Fatal(err)
	}
	files, err := blobs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	deriveArtifact(t, s, files, got.ObjectID, "The quincunxial orchard")
	for range 40 {
		if _, err := service.Remember(t.Context(), by, memory.Draft{Content: "The orchard has a gate, and the gate number is " + got.ObjectID + "."}); err != nil {
			t.Fatal(err)
		}
	}
	db := connect(t, address)
	run := func(statement string) {
		t.Helper()
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	want := func(when, folder string, places ...string) {
		t.Helper()
		if got := inFiles(t, folder, secret); !slices.Equal(got, places) {
			t.Errorf("%s the words are in %v, want %v", when, got, places)
		}
	}
	want("before the erasure", own.Folder(), "pg_wal")
	run("CHECKPOINT")
	before := own.Backup(t)
	want("in a backup from before", before, "base")
	if _, err := service.ForgetAll(t.Context(), by, []string{got.ObjectID}, memory.Erase, "asked to"); err != nil {
		t.Fatal(err)
	}
	run("CHECKPOINT")
	want("after the erasure", own.Folder(), "base", "pg_wal")
	steps := runbook(t, "versions")
	run(steps[0])
	want("after the tables were written anew", own.Folder(), "pg_wal")
	for _, step := range steps[1:] {
		run(step)
	}
	want("after the runbook", own.Folder())
	want("in a backup from after", own.Backup(t))
	want("in the backup from before", before, "base")
}

// runbook returns the statements by which docs/erasure.md finishes an erasure, of those that begin with writing a table anew.
func runbook(t *testing.T, table string) []string {
	t.Helper()
	text, err := os.ReadFile("../docs/erasure.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(text), "```sql\nVACUUM FULL "+table)
	block, _, found := strings.Cut("VACUUM FULL "+table+block, "```")
	if steps := strings.Split(strings.TrimSpace(block), ";\n"); found && len(steps) > 1 {
		return steps
	}
	t.Fatal("docs/erasure.md has no runbook")
	return nil
}

// inFiles returns the folders at the top of a folder in whose files a text stands.
func inFiles(t *testing.T, folder, text string) []string {
	t.Helper()
	found := []string{}
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		body, err := os.ReadFile(path)
		if err == nil && bytes.Contains(body, []byte(text)) {
			place, err := filepath.Rel(folder, path)
			if err != nil {
				return err
			}
			found = append(found, strings.Split(place, string(filepath.Separator))[0])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return slices.Compact(found)
}
