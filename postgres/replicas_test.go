package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/postgres/postgrestest"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func object(id, content string) ctxmcp.ContextObject {
	return ctxmcp.ContextObject{
		ObjectID: id, FactID: id, Version: 1, Content: content, ObjectType: ctxmcp.IdentityFact, CanonicalEntityIDs: []string{},
		SourceOrigin: "user://ann", SourceAuthority: 0.9, ConfidenceScore: 0.95, Classification: ctxmcp.Restricted, TenantID: "acme", UserID: "ann",
		ProjectID: "web", Layer: ctxmcp.ProjectLayer, ValidFrom: noon, TxStart: noon, LastConfirmed: noon, ApplicableTaskTypes: []ctxmcp.TaskType{},
		ContradictionStatus: ctxmcp.Clean, SourceKind: ctxmcp.UserStatement, Authority: ctxmcp.AuthorityUser,
	}
}

func everything() memory.Query {
	return memory.Query{Tenant: "acme", Everywhere: true, Clearance: ctxmcp.HighlyRestricted}
}

func found(t *testing.T, s *sqlite.Store, question string) (ids []string) {
	t.Helper()
	f, err := s.Search(t.Context(), everything(), language.Query(question), 10)
	if err != nil {
		t.Fatalf("Search: %v", err)
	}
	for _, c := range f.Candidates {
		ids = append(ids, c.Object.ObjectID)
	}
	return ids
}

// Two servers see each other's writes and erasures, and of two that count on the same one wins.
func TestServersShareADatabase(t *testing.T) {
	needServer(t)
	address := server.Empty(t)
	a, b := openStore(t, address), openStore(t, address)
	if err := a.Apply(t.Context(), memory.Change{Insert: []ctxmcp.ContextObject{object("one", "the door is red"), object("two", "the roof is red")}}); err != nil {
		t.Fatal(err)
	}
	if got := found(t, b, "red door"); len(got) != 2 {
		t.Errorf("the other server finds %v, want both", got)
	}
	if err := a.Apply(t.Context(), memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "one"}}}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"two"}, found(t, b, "red door")); diff != "" {
		t.Errorf("after the erasure the other server finds (-want +got):\n%s", diff)
	}
	var wins sync.Map
	var wg sync.WaitGroup
	for i, s := range []*sqlite.Store{a, b, a, b} {
		wg.Go(func() {
			err := s.Apply(t.Context(), memory.Change{Insert: []ctxmcp.ContextObject{object("same", fmt.Sprintf("number %d", i))}})
			switch {
			case err == nil:
				wins.Store(i, true)
			case ctxmcp.CodeOf(err) != ctxmcp.CodeConflict:
				t.Errorf("Apply = %v, want success or a conflict", err)
			}
		})
	}
	wg.Wait()
	won := 0
	wins.Range(func(any, any) bool { won++; return true })
	if won != 1 {
		t.Errorf("%d of 4 writes of one version succeeded, want 1", won)
	}
}

// A text with the byte 0, or with bytes that are no UTF-8, is kept as it is; neither it nor a quote in a name ends a statement.
func TestHostileText(t *testing.T) {
	needServer(t)
	s := openStore(t, server.Empty(t))
	for i, content := range []string{"nul \x00 byte", `escaped \u0000 and \\u0000`, "'; DROP TABLE versions; --", "\x01 mark \ufffe"} {
		o := object(fmt.Sprintf("o%d'\"\\ $1", i), content)
		o.Author = content
		if err := s.Apply(t.Context(), memory.Change{Insert: []ctxmcp.ContextObject{o}}); err != nil {
			t.Fatalf("Apply(%q): %v", content, err)
		}
		if err := s.Apply(t.Context(), memory.Change{Mark: []memory.Marking{{Tenant: "acme", ObjectID: o.ObjectID, By: "later"}}}); err != nil {
			t.Fatalf("mark %q: %v", content, err)
		}
		q := everything()
		q.ObjectIDs = []string{o.ObjectID}
		got, err := s.Find(t.Context(), q)
		if err != nil || len(got) != 1 || got[0].Content != content || got[0].MaybeOutdatedBy != "later" {
			t.Errorf("Find of %q = %v, %v", content, got, err)
		}
		if err := s.Apply(t.Context(), memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: o.ObjectID}}}); err != nil {
			t.Errorf("erase %q: %v", content, err)
		}
	}
	q := everything()
	q.ObjectIDs = []string{"a\x00b"}
	if got, err := s.Find(t.Context(), q); err != nil || len(got) != 0 {
		t.Errorf("Find of an id with the byte 0 = %v, %v, want none", got, err)
	}
}

// The check of the index notices a posting that is missing.
func TestDamagedIndex(t *testing.T) {
	needServer(t)
	address := server.Empty(t)
	s := openStore(t, address)
	if err := s.Apply(t.Context(), memory.Change{Insert: []ctxmcp.ContextObject{object("one", "the door is red")}}); err != nil {
		t.Fatal(err)
	}
	if err := s.CheckIndex(t.Context()); err != nil {
		t.Errorf("CheckIndex of a sound one: %v", err)
	}
	_, schema, _ := strings.Cut(address, "search_path=")
	schema, _, _ = strings.Cut(schema, "&")
	if text, err := server.SQL("DELETE FROM " + schema + ".postings"); err != nil {
		t.Fatal(err, text)
	}
	if err := s.CheckIndex(t.Context()); ctxmcp.CodeOf(err) != ctxmcp.CodeInternal {
		t.Errorf("CheckIndex = %v, want internal", err)
	}
}

// Whatever was acknowledged before the server of the database was killed is there afterwards, once, and the store goes on by itself.
func TestKilledDatabase(t *testing.T) {
	needServer(t)
	own, err := postgrestest.Start() // durable, unlike the others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := own.Stop(); err != nil {
			t.Error(err)
		}
	})
	address := own.Empty(t)
	stores := []*sqlite.Store{openStore(t, address), openStore(t, address)}
	acknowledged := make([][]string, 4)
	begun := make(chan struct{}, 4)
	var wg sync.WaitGroup
	for w := range acknowledged {
		wg.Go(func() {
			for i := range 400 {
				id := fmt.Sprintf("w%d-%d", w, i)
				err := stores[w%2].Apply(context.Background(), memory.Change{Insert: []ctxmcp.ContextObject{object(id, "a memory "+id)}})
				if err != nil {
					return // the server has gone
				}
				acknowledged[w] = append(acknowledged[w], id)
				if i == 5 {
					begun <- struct{}{}
				}
			}
		})
	}
	for range acknowledged {
		<-begun
	}
	if err := own.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := own.Restart(); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	s := openStore(t, address)
	for _, ids := range acknowledged {
		q := everything()
		q.ObjectIDs = ids
		got, err := s.Find(t.Context(), q)
		if err != nil || len(got) != len(ids) {
			t.Errorf("Find: %d of %d acknowledged memories, %v", len(got), len(ids), err)
		}
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.CheckIndex(t.Context()); err != nil {
		t.Error(err)
	}
	if err := stores[0].Apply(t.Context(), memory.Change{Insert: []ctxmcp.ContextObject{object("after", "it goes on")}}); err != nil {
		t.Errorf("Apply after the restart: %v", err)
	}
}

// A database of a newer version, and one that is not there, are refused in words.
func TestOpenRefuses(t *testing.T) {
	needServer(t)
	logger := slog.New(slog.DiscardHandler)
	if _, err := Open(t.Context(), "postgres://ann:secret@/nowhere?host="+t.TempDir(), logger); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable ||
		strings.Contains(fmt.Sprintf("%+v", err), "secret") {
		t.Errorf("Open of no server = %v, want unavailable, without the password", err)
	}
	if _, err := Open(t.Context(), "postgres://host:port:port", logger); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
		t.Errorf("Open of no address = %v, want invalid", err)
	}
	address := server.Empty(t)
	openStore(t, address)
	_, schema, _ := strings.Cut(address, "search_path=")
	schema, _, _ = strings.Cut(schema, "&")
	if text, err := server.SQL("INSERT INTO " + schema + ".schema_steps (number) VALUES (1000)"); err != nil {
		t.Fatal(err, text)
	}
	if _, err := Open(t.Context(), address, logger); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable || !strings.Contains(err.Error(), "newer") {
		t.Errorf("Open of a newer database = %v, want unavailable", err)
	}
}
