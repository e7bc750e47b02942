package sqlite

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// insertNew stores n objects of ann's, which begin one second after the other.
func insertNew(t *testing.T, s *Store, from, n int) {
	t.Helper()
	var c memory.Change
	for i := range n {
		id := fmt.Sprintf("object-%04d", from+i)
		at := time.Date(2026, 1, 1, 0, 0, from+i, 0, time.UTC)
		c.Insert = append(c.Insert, ctxmcp.ContextObject{
			ObjectID: id, FactID: id, Version: 1, Content: id + " is here", TenantID: "acme", UserID: "ann", Layer: ctxmcp.UserLayer,
			Classification: ctxmcp.Restricted, ContradictionStatus: ctxmcp.Clean, ValidFrom: at, TxStart: at,
		})
	}
	if err := s.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

func allOf(tenant string) memory.Query {
	return memory.Query{Tenant: tenant, Everywhere: true, Unrestricted: true, EveryVersion: true, Archived: true}
}

func readAll(t *testing.T, dir string, q memory.Query, each func(int)) []ctxmcp.ContextObject {
	t.Helper()
	r, err := OpenReading(t.Context(), dir)
	if err != nil {
		t.Fatalf("OpenReading: %v", err)
	}
	var all []ctxmcp.ContextObject
	err = r.Each(t.Context(), q, func(o ctxmcp.ContextObject) error {
		all = append(all, o)
		each(len(all))
		return nil
	})
	if err := errors.Join(err, r.Close()); err != nil {
		t.Fatalf("Each: %v", err)
	}
	slices.SortFunc(all, memory.Compare)
	return all
}

// digests returns the digest of each file that holds data.
func digests(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range []string{FileName, FileName + "-wal"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil && len(text) > 0 {
			all[name] = fmt.Sprintf("%x", sha256.Sum256(text))
		}
	}
	return all
}

// TestReadingBesideAServer: a reader sees the same as Find when the reader began, and changes no byte of the store,
// whether a server has it open or not.
func TestReadingBesideAServer(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	insertNew(t, s, 0, 100)
	want, err := s.Find(t.Context(), allOf("acme"))
	if err != nil {
		t.Fatal(err)
	}
	got := readAll(t, dir, allOf("acme"), func(n int) {
		if n == 1 {
			insertNew(t, s, 100, 10)
		}
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("beside a server that writes, Each differs from Find before (-want +got):\n%s", diff)
	}
	before := digests(t, dir)
	if n := len(readAll(t, dir, allOf("acme"), func(int) {})); n != 110 {
		t.Errorf("Each gives %d versions, want 110", n)
	}
	if n := len(readAll(t, dir, allOf("other"), func(int) {})); n != 0 {
		t.Errorf("Each gives %d versions of another tenant", n)
	}
	if diff := cmp.Diff(before, digests(t, dir)); diff != "" {
		t.Errorf("reading beside a server changed the files:\n%s", diff)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	before = digests(t, dir)
	if n := len(readAll(t, dir, allOf("acme"), func(int) {})); n != 110 {
		t.Errorf("Each gives %d versions of a closed store, want 110", n)
	}
	if diff := cmp.Diff(before, digests(t, dir)); diff != "" {
		t.Errorf("reading a closed store changed the files:\n%s", diff)
	}
}

// TestReadingABackup: a folder that cannot be written to is read all the same. Root can write everywhere, so that nothing
// is to be seen then.
func TestReadingABackup(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("runs as root")
	}
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	insertNew(t, s, 0, 3)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(filepath.Join(dir, FileName), 0o400), os.Chmod(dir, 0o500)); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700) // to be removed
	if n := len(readAll(t, dir, allOf("acme"), func(int) {})); n != 3 {
		t.Errorf("Each gives %d versions of a backup, want 3", n)
	}
}

func TestReadingRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenReading(t.Context(), dir); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
		t.Errorf("OpenReading without a store: %v", err)
	}
	if entries, err := os.ReadDir(dir); len(entries) != 0 || err != nil {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	s := openStore(t, dir)
	r, err := OpenReading(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.db.ExecContext(t.Context(), `DELETE FROM scopes`); err == nil {
		t.Error("a reader could write")
	}
	if _, err := s.writes.ExecContext(t.Context(), `PRAGMA user_version = 999`); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReading(t.Context(), dir); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("OpenReading of a newer schema: %v", err)
	}
	text := t.TempDir()
	if err := os.WriteFile(filepath.Join(text, FileName), []byte("no database, but a text that is long enough to be one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReading(t.Context(), text); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("OpenReading of a text: %v", err)
	}
}
