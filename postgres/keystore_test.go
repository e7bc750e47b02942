package postgres

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs"
	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/sealed"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/postgres/postgrestest"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/storetest"
)

// keyed opens the store at an address with the keys at another one.
func keyed(t testing.TB, address, keys string) *sqlite.Store {
	t.Helper()
	s := openStore(t, address)
	k, err := OpenKeys(t.Context(), keys)
	if err != nil {
		t.Fatalf("OpenKeys: %v", err)
	}
	if err := s.UseKeys(t.Context(), k, true); err != nil {
		t.Fatalf("UseKeys: %v", err)
	}
	return s
}

// TestSealedStore: a store that seals means the same as one that does not.
func TestSealedStore(t *testing.T) {
	needServer(t)
	if os.Getenv("TEST_POSTGRES") == "" {
		t.Skip("SKIPPED: make test-postgres runs the stores' suite on PostgreSQL")
	}
	storetest.Run(t, func(t *testing.T) storetest.Store {
		owner, app := fenced(t)
		return audited{keyed(t, app, server.Empty(t)), owner}
	})
}

// TestSealedErasureInFiles: the words of a sealed memory, and those of an artifact that was made of it, are in no file of its server at any time, neither in the tables, nor in the log, nor in a base
// backup. Its erasure alone, without the steps for an operator, leaves nothing that opens the sealed bytes that are still there: its key was in no file
// of that server, and is in none of the server of the keys after the steps of docs/erasure.md for those.
func TestSealedErasureInFiles(t *testing.T) {
	needServer(t)
	var own [2]*postgrestest.Server // of the rows, and of the keys
	for i := range own {
		var err error
		if own[i], err = postgrestest.Start("fsync=off", "wal_recycle=off", "autovacuum=off", "checkpoint_timeout=1d"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := own[i].Stop(); err != nil {
				t.Error(err)
			}
		})
	}
	address, keys := own[0].Empty(t), own[1].Empty(t)
	s := keyed(t, address, keys)
	service, by := serviceOver(s), ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Restricted, Authority: ctxmcp.AuthorityUser}.With(ctxmcp.Operator)
	got, err := service.Remember(t.Context(), by, memory.Draft{Content: "The orchard of Ann is planted in a quincunxial pattern."})
	if err != nil {
		t.Fatal(err)
	}
	files, folder := sealedFiles(t, s)
	service.Erased = (&packets.Service{Store: s, Blobs: files, Digests: s}).Purge
	digest := deriveArtifact(t, s, files, got.ObjectID, "The medlars of the orchard are ripe.")
	db, of := connect(t, address), connect(t, keys)
	ids := words(t, db, `SELECT text_at(object, 'key') FROM versions WHERE object_id = '`+got.ObjectID+`'`)
	key := words(t, of, `SELECT key FROM object_keys WHERE id = '`+ids[0]+`'`)[0]
	ofBytes := words(t, of, `SELECT key FROM blob_keys WHERE digest = '`+digest+`'`)[0]
	run := func(steps ...string) {
		t.Helper()
		for _, step := range steps {
			if _, err := db.Exec(t.Context(), step); err != nil {
				t.Fatalf("%s: %v", step, err)
			}
		}
	}
	want := func(when, folder, text string, places ...string) {
		t.Helper()
		if got := inFiles(t, folder, text); !slices.Equal(got, places) {
			t.Errorf("%s %q is in %v, want %v", when, text, got, places)
		}
	}
	run("CHECKPOINT")
	before := own[0].Backup(t)
	if _, err := service.ForgetAll(t.Context(), by, []string{got.ObjectID}, memory.Erase, "asked to"); err != nil {
		t.Fatal(err)
	}
	run("CHECKPOINT")
	want("after the erasure", own[0].Folder(), ids[0], "base", "pg_wal")
	want("in the backup from before", before, ids[0], "base")
	for _, folder := range []string{own[0].Folder(), before, own[0].Backup(t)} {
		want("beside the sealed bytes", folder, "quincunxial")
		want("beside the sealed bytes", folder, "orchard")
		want("beside the sealed bytes", folder, key)
		want("beside the sealed reference", folder, "medlars")
		want("beside the sealed reference", folder, ofBytes)
	}
	if storetest.InFolder(t, folder, "medlars") {
		t.Error("the bytes of the artifact are in the clear in the folder of the blobs")
	}
	want("before the keys were scoured", own[1].Folder(), key, "pg_wal")
	db = of
	run(runbook(t, "object_keys")...)
	want("after the keys were scoured", own[1].Folder(), key)
	want("after the keys were scoured", own[1].Folder(), ofBytes)
	want("after the keys were scoured", own[1].Folder(), digest)
}

// sealedFiles returns blobs in a folder, sealed under the keys of a store.
func sealedFiles(t *testing.T, s *sqlite.Store) (kept *sealed.Store, folder string) {
	t.Helper()
	folder = t.TempDir()
	files, err := blobs.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	return sealed.Over(files, s.Keys().(*sqlite.KeyStore), s.BlobNames(), true), folder
}

// deriveArtifact keeps an artifact as made of a memory, whose erasure takes it along, and returns the digest of its bytes.
func deriveArtifact(t *testing.T, s *sqlite.Store, files artifacts.Blobs, object, content string) string {
	t.Helper()
	digest, size, err := files.Put(t.Context(), strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	at := ctxmcp.Scope{User: "ann"}
	kept := s.ApplyArtifacts(t.Context(), artifacts.Change{Insert: []ctxmcp.Artifact{{
		ID: "made", TenantID: "acme", Home: at, Type: "note", Summary: content, Size: size, Digest: digest, Classification: ctxmcp.Restricted,
	}}})
	named := s.ApplyPackets(t.Context(), packets.Change{Insert: []packets.Record{{
		Tenant: "acme", Ref: ctxmcp.DigestRef([]byte("packet")), Kind: packets.Retrieval, Home: at, Classification: ctxmcp.Restricted,
		Objects: []string{object}, Derived: []packets.Derivative{{ID: "made", Digest: "sha256:" + digest}},
	}}})
	if err := errors.Join(kept, named); err != nil {
		t.Fatal(err)
	}
	return digest
}

// Servers that start side by side in an empty database all find the table of keys, and so does one whose role may not make tables.
func TestKeysOfServersThatStartTogether(t *testing.T) {
	needServer(t)
	address := server.Empty(t)
	opened := make(chan error, 8)
	open := func(address string) {
		k, err := OpenKeys(t.Context(), address)
		if err == nil {
			err = k.Close()
		}
		opened <- err
	}
	for range cap(opened) {
		go open(address)
	}
	for range cap(opened) {
		if err := <-opened; err != nil {
			t.Error(err)
		}
	}
	db := connect(t, address)
	if _, err := db.Exec(t.Context(), `
DO $$
BEGIN
  CREATE ROLE ctx_mcp_keys LOGIN;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO ctx_mcp_keys', current_schema());
END
$$;
GRANT SELECT, INSERT, UPDATE, DELETE ON object_keys, blob_keys TO ctx_mcp_keys`); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = server.SQL("DROP OWNED BY ctx_mcp_keys; DROP ROLE ctx_mcp_keys") })
	if open(strings.Replace(address, "user=test", "user=ctx_mcp_keys", 1)); len(opened) == 1 {
		if err := <-opened; err != nil {
			t.Errorf("a role that may not make tables: %v", err)
		}
	}
}
