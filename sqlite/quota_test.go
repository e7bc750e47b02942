package sqlite

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/quota"
)

// unquota takes a database back to before quotas.
const unquota = `
DROP TABLE quota_use;
DROP TRIGGER versions_counted;
DROP TRIGGER versions_discounted;
DROP TRIGGER artifacts_counted;
DROP TRIGGER artifacts_discounted;
DROP TRIGGER action_sessions_counted;
DROP TRIGGER action_sessions_discounted;
DROP TRIGGER action_log_counted;
DROP TRIGGER action_log_discounted;
DROP TRIGGER packets_counted;
DROP TRIGGER packets_discounted;
DROP TRIGGER reviews_counted;
DROP TRIGGER reviews_discounted;
DROP INDEX versions_held;
DROP TABLE touched; DROP TABLE key_store; DROP TABLE owed_keys;
DROP TRIGGER versions_touched;
DROP TRIGGER versions_gone;
DROP INDEX versions_by_link;
DROP INDEX versions_derived;
ALTER TABLE versions DROP COLUMN source_kind;
DROP INDEX audit_by_person;
DROP TABLE experiences;
PRAGMA user_version = 12;
`

// TestQuotasOfOldDatabase: a database that was written before there were quotas is counted when it is opened.
func TestQuotasOfOldDatabase(t *testing.T) {
	ctx, dir, at := t.Context(), t.TempDir(), time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	s := openStore(t, dir)
	o := ctxmcp.ContextObject{ObjectID: "o", FactID: "o", Version: 1, Content: "text", TenantID: "acme", UserID: "ann",
		Classification: ctxmcp.Restricted, Layer: ctxmcp.ProjectLayer, ValidFrom: at, TxStart: at, LastConfirmed: at}
	key := actions.Key{Tenant: "acme", User: "ann", Session: "s"}
	for _, err := range []error{
		s.Apply(ctx, memory.Change{Insert: []ctxmcp.ContextObject{o}, Ask: []memory.Review{
			{ID: "r", Tenant: "acme", Kind: memory.ConflictReview, Asked: at}, {ID: "q", Tenant: "acme", Namespace: "n", Kind: memory.ConflictReview, Asked: at}}}),
		s.Apply(ctx, memory.Change{Settle: []memory.Settlement{{Tenant: "acme", ID: "q", At: at, Decision: "so"}}}),
		s.ApplyArtifacts(ctx, artifacts.Change{Insert: []ctxmcp.Artifact{{ID: "a", TenantID: "acme", Size: 5, RawSize: 7, Created: at}, {ID: "b", TenantID: "globex", Size: 1, Created: at}}}),
		s.ApplyPackets(ctx, packets.Change{Insert: []packets.Record{{Tenant: "acme", Ref: "sha256:aa", Created: at}}}),
		s.AppendAction(ctx, key, actions.Record{Seq: 1, Kind: actions.StartRecord, At: at, Body: []byte(`{"é":1}`)}, at, ctxmcp.Event{At: at}, nil),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := []quota.Use{
		{Tenant: "acme", Name: quota.ActionBytes, Used: 8}, {Tenant: "acme", Name: quota.ActionSessions, Used: 1},
		{Tenant: "acme", Name: quota.ArtifactBytes, Used: 5 + 7 + 1024}, {Tenant: "acme", Name: quota.Memories, Used: 1},
		{Tenant: "acme", Name: quota.Packets, Used: 1}, {Tenant: "acme", Name: quota.Reviews, Used: 1},
		{Tenant: "globex", Name: quota.ArtifactBytes, Used: 1 + 1024},
	}
	check := func(when string, s *Store) {
		t.Helper()
		if got, err := s.Usage(ctx); err != nil || !cmp.Equal(want, got) {
			t.Errorf("%s: Usage = %v, %v\n%s", when, got, err, cmp.Diff(want, got))
		}
	}
	check("as it was written", s)
	if _, err := s.writes.ExecContext(ctx, unquota); err != nil {
		t.Fatal(err)
	}
	check("after the migration", openStore(t, dir))
}

// TestAuditLosesItsQuestions: the migration removes from every file the questions that an older version wrote to the audit trail as origins of
// artifacts.
func TestAuditLosesItsQuestions(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	s := openStore(t, dir)
	if _, err := s.writes.ExecContext(ctx, `
INSERT INTO audit (at, tenant, user, action, object_id, detail) VALUES
  (1, 'acme', 'ann', 'put_artifact', 'a', 'memory:is the code word marmalade'), (1, 'acme', 'ann', 'forget.retire', 'o', 'asked: twice');
DROP INDEX versions_held;
DROP TABLE touched; DROP TABLE key_store; DROP TABLE owed_keys;
DROP TRIGGER versions_touched;
DROP TRIGGER versions_gone;
DROP INDEX versions_by_link;
DROP INDEX versions_derived;
ALTER TABLE versions DROP COLUMN source_kind;
DROP INDEX audit_by_person;
DROP TABLE experiences;
PRAGMA user_version = 13`); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	var details string
	if err := s.reads.QueryRow(`SELECT group_concat(detail, ' | ') FROM audit`).Scan(&details); err != nil || details != "memory | asked: twice" {
		t.Errorf("the audit trail says %q, %v", details, err)
	}
	for _, name := range []string{FileName, FileName + "-wal"} {
		if raw, err := os.ReadFile(filepath.Join(dir, name)); err == nil && bytes.Contains(raw, []byte("marmalade")) {
			t.Errorf("%s still holds the question", name)
		}
	}
}

// TestErasedReasonsOfOldDatabase: the reasons for which an older version forgot erased memories are in no file after the migration,
// and nothing else is lost.
func TestErasedReasonsOfOldDatabase(t *testing.T) {
	ctx, dir, at := t.Context(), t.TempDir(), time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	s := openStore(t, dir)
	o := ctxmcp.ContextObject{ObjectID: "kept", FactID: "kept", Version: 1, Content: "the house is blue", TenantID: "acme", UserID: "ann",
		Classification: ctxmcp.Restricted, Layer: ctxmcp.ProjectLayer, ValidFrom: at, TxStart: at, LastConfirmed: at}
	if err := s.Apply(ctx, memory.Change{Insert: []ctxmcp.ContextObject{o}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.writes.ExecContext(ctx, `
INSERT INTO audit (at, tenant, user, action, object_id, detail) VALUES
  (1, 'acme', 'ann', 'forget.retire', 'gone', 'the marmalade was wrong'),
  (2, 'acme', 'ann', 'forget.hard_delete', 'gone', 'no marmalade any more'),
  (3, 'acme', 'ann', 'remember', 'gone', 'by ann'),
  (4, 'acme', 'ann', 'forget.retire', 'kept', 'asked: twice'),
  (5, 'globex', 'bob', 'forget.retire', 'gone', 'it was theirs');
DROP INDEX versions_held;
DROP TABLE touched; DROP TABLE key_store; DROP TABLE owed_keys;
DROP TRIGGER versions_touched;
DROP TRIGGER versions_gone;
DROP INDEX versions_by_link;
DROP INDEX versions_derived;
ALTER TABLE versions DROP COLUMN source_kind;
DROP INDEX audit_by_person;
DROP TABLE experiences;
PRAGMA user_version = 14`); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openStore(t, dir)
	var version int
	var details string
	if err := s.reads.QueryRow(`SELECT group_concat(detail, ' | ' ORDER BY at) FROM audit WHERE at < 10`).Scan(&details); err != nil ||
		details != " |  | by ann | asked: twice | it was theirs" {
		t.Errorf("the audit trail says %q, %v", details, err)
	}
	if err := s.reads.QueryRow(`PRAGMA user_version`).Scan(&version); err != nil || version < 15 {
		t.Errorf("the schema is %d, %v", version, err)
	}
	found, err := s.Find(ctx, memory.Query{Tenant: "acme", Everywhere: true, Unrestricted: true, EveryVersion: true})
	if err != nil || len(found) != 1 || found[0].Content != o.Content {
		t.Errorf("Find = %+v, %v, want what was kept", found, err)
	}
	for _, name := range []string{FileName, FileName + "-wal"} {
		if raw, err := os.ReadFile(filepath.Join(dir, name)); err == nil && bytes.Contains(raw, []byte("marmalade")) {
			t.Errorf("%s still holds a reason", name)
		}
	}
}
