package packets_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

// wantVerified checks the differences of a proof; none: that it holds.
func (b *bench) wantVerified(t *testing.T, ref string, want ...packets.Difference) {
	t.Helper()
	v, err := b.Verify(t.Context(), ann, ctxmcp.Scope{}, ref)
	if err != nil {
		t.Fatalf("Verify: %v", err)
	}
	if diff := cmp.Diff(want, v.Differences); diff != "" || v.Valid != (len(want) == 0) {
		t.Errorf("Verify: valid %v, differences (-want +got):\n%s", v.Valid, diff)
	}
	if v.Valid && v.Recomputed != ref {
		t.Errorf("Recomputed = %s, want %s", v.Recomputed, ref)
	}
}

// TestVerify: the times at which an object ended, was used or was confirmed may change after it was compiled.
func TestVerify(t *testing.T) {
	b := newBench(t)
	ref := b.seal(t, b.draft(t, "tea")).Ref
	b.wantVerified(t, ref)
	later := b.object
	later.ObjectID, later.Version, later.Content = "o_2", 2, "Ann likes coffee"
	err := b.store.Apply(t.Context(), memory.Change{
		Close: []memory.Closing{{Tenant: "acme", Key: ctxmcp.KeyOf(b.object), TxEnd: epoch.Add(time.Hour),
			Closing: ctxmcp.Closing{Status: ctxmcp.Overridden, Link: "o_2", Reason: "superseded"}}},
		Insert: []ctxmcp.ContextObject{later},
	})
	if err != nil {
		t.Fatal(err)
	}
	b.wantVerified(t, ref)
}

// TestVerifyCompiler: a compiler that has changed is seen, with the places.
func TestVerifyCompiler(t *testing.T) {
	b := newBench(t)
	ref := b.seal(t, b.draft(t, "tea")).Ref
	b.Recompilers[packets.Compile] = loud{"!"}
	b.wantVerified(t, ref, packets.Difference{Path: "/output/text", Kind: packets.Changed, Want: `"TEA"`, Got: `"TEA!"`})
	delete(b.Recompilers, packets.Compile)
	b.wantVerified(t, ref, packets.Difference{Path: "/output", Kind: packets.NotRemade, Got: "this program does not make packets of kind compile"})
}

// TestVerifyArtifact: an artifact that is gone, or has other bytes, is seen.
func TestVerifyArtifact(t *testing.T) {
	b := newBench(t)
	sealed := b.seal(t, b.draft(t, "tea"))
	want := "sha256:" + b.handle.Digest
	if _, err := b.blobs.Remove(t.Context(), b.handle.Digest, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	b.wantVerified(t, sealed.Ref, packets.Difference{Path: "/sources/0", Kind: packets.SourceChanged, Want: want})
	err := b.store.ApplyArtifacts(t.Context(), artifacts.Change{Remove: []artifacts.Key{{Tenant: "acme", ID: "a_1"}}})
	if err != nil {
		t.Fatal(err)
	}
	b.wantVerified(t, sealed.Ref, packets.Difference{Path: "/sources/0", Kind: packets.SourceGone, Want: want})
	if _, err := b.Bundle(t.Context(), ann, sealed.Ref); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
		t.Errorf("Bundle = %v, want a conflict", err)
	}
}

// TestVerifyDamage: a packet whose bytes were changed on disk is not served.
func TestVerifyDamage(t *testing.T) {
	b := newBench(t)
	sealed := b.seal(t, b.draft(t, "tea"))
	if _, err := b.blobs.Remove(t.Context(), sealed.Ref[len("sha256:"):], time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	b.wantVerified(t, sealed.Ref, packets.Difference{Kind: packets.Damaged})
	if _, err := b.Named(t.Context(), ann, ctxmcp.Scope{}, sealed.Ref); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("Named = %v, want unavailable", err)
	}
}

// TestErasure: with a memory that is erased goes the content of every packet that was made of it, at once.
func TestErasure(t *testing.T) {
	b := newBench(t)
	d := b.draft(t, "Ann likes tea")
	made := b.keep(t, "a_2", "what was recalled: Ann likes tea")
	d.Derived = []packets.Derivative{{ID: "a_2", Digest: "sha256:" + made.Digest}}
	ref := b.seal(t, d).Ref
	b.wantVerified(t, ref)
	if err := b.store.Apply(t.Context(), memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "o_1"}}}); err != nil {
		t.Fatal(err)
	}
	if err := b.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantVerified(t, ref, packets.Difference{Kind: packets.Erased})
	err := b.blobs.Each(t.Context(), func(digest string, _ time.Time, _ int64) error {
		f, err := b.blobs.Open(t.Context(), digest)
		if err != nil {
			return err
		}
		defer f.Close()
		raw := make([]byte, f.Size())
		if _, err := f.ReadAt(raw, 0); err != nil {
			return err
		}
		if bytes.Contains(bytes.ToLower(raw), []byte("ann likes tea")) {
			t.Errorf("the blob %s still holds what was erased", digest)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Seal(t.Context(), ann, desk, d); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
		t.Errorf("Seal of what was erased = %v, want a conflict", err)
	}
}

// TestRetention: the oldest of a crowded home and what is too old are retired, with their pins.
func TestRetention(t *testing.T) {
	b := newBench(t)
	b.Options.Keep, b.Options.SweepAt = 1, 2
	var refs []string
	for i, text := range []string{"tea", "coffee", "water"} {
		d := b.draft(t, text)
		d.At = epoch.Add(time.Duration(i) * time.Minute)
		refs = append(refs, b.seal(t, d).Ref)
	}
	due, err := b.Sweep(t.Context(), true)
	if err != nil || len(due) != 2 || due[0].Record.Ref != refs[0] || due[0].Why != "its session holds 3, and keeps 1" {
		t.Fatalf("Sweep(dry) = %+v, %v", due, err)
	}
	for _, at := range []time.Time{epoch, epoch.AddDate(0, 0, 40)} {
		b.now = at
		if _, err := b.Sweep(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		_, err := b.Named(t.Context(), ann, ctxmcp.Scope{}, refs[2])
		if gone := ctxmcp.CodeOf(err) == ctxmcp.CodeNotFound; err != nil && !gone || gone != at.After(epoch) {
			t.Errorf("at %v: Named = %v", at, err)
		}
	}
	if pinned, err := b.store.Pinned(t.Context(), "acme", []string{"a_1"}, epoch); len(pinned) != 0 || err != nil {
		t.Errorf("Pinned = %v, %v, want none", pinned, err)
	}
}
