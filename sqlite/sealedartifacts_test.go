package sqlite

import (
	"os"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/storetest"
)

func sealedArtifactOf(id, summary string) ctxmcp.Artifact {
	return ctxmcp.Artifact{
		ID: id, TenantID: "acme", Home: ctxmcp.Scope{User: "ann"}, Type: "note", Summary: summary, MediaType: "text/plain", Size: int64(len(summary)),
		Digest: ctxmcp.Digest(summary), RawDigest: ctxmcp.Digest("raw " + summary), Classification: ctxmcp.Restricted, Origin: "memory:" + summary,
		Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
	}
}

func putArtifacts(t *testing.T, s *Store, c artifacts.Change) {
	t.Helper()
	if err := s.ApplyArtifacts(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

func summaries(t *testing.T, s *Store, q artifacts.Query) (all []string) {
	t.Helper()
	q.Tenant, q.Everywhere, q.Unbounded = "acme", true, true
	found, err := s.FindArtifacts(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range found {
		all = append(all, a.Summary)
	}
	return all
}

// TestSealedArtifactErased: no file shows the summary of an artifact, its origin or the digest of its bytes. The key is in no file once it was removed,
// alone or with a memory of which it was made, and a backup from before tells of neither.
func TestSealedArtifactErased(t *testing.T) {
	dir, keys, backup := t.TempDir(), t.TempDir(), t.TempDir()
	s := keyed(t, dir, keys, true)
	change(t, s, memory.Change{Insert: []ctxmcp.ContextObject{sealedNote("origin", "The hedge is of hornbeam")}})
	old, made, stays := sealedArtifactOf("old", "A quincunxial orchard"), sealedArtifactOf("made", "The hornbeam hedge"), sealedArtifactOf("stays", "A garden of roses")
	putArtifacts(t, s, artifacts.Change{Insert: []ctxmcp.Artifact{old, made, stays}})
	err := s.ApplyPackets(t.Context(), packets.Change{Insert: []packets.Record{{
		Tenant: "acme", Ref: ctxmcp.DigestRef([]byte("packet")), Kind: packets.Compile, Home: made.Home, Classification: ctxmcp.Restricted,
		Objects: []string{"origin"}, Derived: []packets.Derivative{{ID: "made", Digest: made.Digest}}, Created: made.Created,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []ctxmcp.Artifact{old, made, stays} {
		for _, text := range []string{a.Summary, a.Digest, a.RawDigest} {
			if storetest.InFolder(t, dir, text) && text != made.Digest { // which the packet names
				t.Errorf("%q is in a file", text)
			}
		}
		if got := summaries(t, s, artifacts.Query{Digest: a.Digest}); len(got) != 1 || got[0] != a.Summary {
			t.Errorf("by its digest the artifact is %v, want %s", got, a.Summary)
		}
		for _, digest := range []string{a.Digest, a.RawDigest} {
			if held, err := s.HoldsDigest(t.Context(), digest); !held || err != nil {
				t.Errorf("HoldsDigest = %v, %v, want true", held, err)
			}
		}
	}
	if err := os.CopyFS(backup, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	putArtifacts(t, s, artifacts.Change{Remove: []artifacts.Key{{Tenant: "acme", ID: "old"}}})
	change(t, s, memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "origin"}}})
	var left int
	if err := s.Keys().(*KeyStore).db.QueryRow(`SELECT count(*) FROM object_keys WHERE id <> 'index'`).Scan(&left); err != nil || left != 1 {
		t.Errorf("%d keys are left, %v, want that of the artifact that stays", left, err)
	}
	for _, from := range []*Store{s, keyed(t, backup, keys, true)} {
		if got := summaries(t, from, artifacts.Query{}); len(got) != 1 || got[0] != stays.Summary {
			t.Errorf("the artifacts are %v, want the one that stays", got)
		}
	}
}

// TestArtifactWithoutKeyIsRetired: an artifact whose key was lost is found by no query, and goes by its age or with the number like any other.
func TestArtifactWithoutKeyIsRetired(t *testing.T) {
	s := keyed(t, t.TempDir(), t.TempDir(), true)
	lost, newer := sealedArtifactOf("lost", "A quincunxial orchard"), sealedArtifactOf("newer", "A garden of roses")
	newer.Created = lost.Created.Add(time.Hour)
	putArtifacts(t, s, artifacts.Change{Insert: []ctxmcp.Artifact{lost}})
	if _, err := s.Keys().(*KeyStore).db.Exec(`DELETE FROM object_keys WHERE id <> 'index'`); err != nil {
		t.Fatal(err)
	}
	s.sealing.Load().drop()
	putArtifacts(t, s, artifacts.Change{Insert: []ctxmcp.Artifact{newer}})
	if got := summaries(t, s, artifacts.Query{}); len(got) != 1 || got[0] != newer.Summary {
		t.Fatalf("the artifacts are %v, want the newer one", got)
	}
	if held, err := s.HoldsDigest(t.Context(), lost.Digest); !held || err != nil {
		t.Fatalf("before it is retired, its bytes are held: %v, %v", held, err)
	}
	for _, o := range []artifacts.Options{{MaxAge: 30 * time.Minute, SweepAt: 100, Keep: 100}, {SweepAt: 1, Keep: 1}} {
		service := &artifacts.Service{Index: s, Keeper: s, Options: o, Now: func() time.Time { return newer.Created.Add(time.Minute) }}
		due, err := service.Due(t.Context())
		if err != nil || len(due) != 1 || due[0].ID != "lost" {
			t.Errorf("due by %+v: %v, %v, want the one without a key", o, due, err)
		}
	}
	putArtifacts(t, s, artifacts.Change{Remove: []artifacts.Key{{Tenant: "acme", ID: "lost"}}})
	if held, err := s.HoldsDigest(t.Context(), lost.Digest); held || err != nil {
		t.Errorf("after it was retired, its bytes are held: %v, %v", held, err)
	}
}

// TestSealedArtifactBesideUnsealed: artifacts from before there were keys are found beside sealed ones, which need the keys.
func TestSealedArtifactBesideUnsealed(t *testing.T) {
	dir, keys := t.TempDir(), t.TempDir()
	s := openStore(t, dir)
	putArtifacts(t, s, artifacts.Change{Insert: []ctxmcp.Artifact{sealedArtifactOf("before", "roses")}})
	sealing := keyed(t, dir, keys, true)
	putArtifacts(t, sealing, artifacts.Change{Insert: []ctxmcp.Artifact{sealedArtifactOf("since", "roses")}})
	if got := summaries(t, sealing, artifacts.Query{Digest: ctxmcp.Digest("roses")}); len(got) != 2 {
		t.Errorf("by the digest of both they are %v, want two", got)
	}
	_, err := s.FindArtifacts(t.Context(), artifacts.Query{Tenant: "acme", Everywhere: true, Unbounded: true})
	if ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("without keys FindArtifacts = %v, want unavailable", err)
	}
}
