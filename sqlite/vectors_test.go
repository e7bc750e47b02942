package sqlite

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/storetest"
)

// TestUnembeddedByScope: passing over versions embedded before loses none of the rest, also after erasures; and the work of
// one model undoes none of another's.
func TestUnembeddedByScope(t *testing.T) {
	s := openStore(t, t.TempDir())
	var c memory.Change
	for i := range 9 {
		c.Insert = append(c.Insert, ctxmcp.ContextObject{
			ObjectID: fmt.Sprintf("o%d", i), FactID: "f", Version: 1, Content: "text", TenantID: "acme", UserID: "ann",
			ProjectID: fmt.Sprintf("p%d", i/3), Layer: ctxmcp.ProjectLayer, ObjectType: ctxmcp.IdentityFact,
			ContradictionStatus: ctxmcp.Clean, ValidFrom: made, TxStart: made,
		})
	}
	change := func(c memory.Change) {
		t.Helper()
		if err := s.Apply(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	embed := func(model string, objects ...int) {
		t.Helper()
		for _, i := range objects {
			change(memory.Change{Vectors: []memory.Vector{{Tenant: "acme", Model: model, Values: []float32{1},
				Key: ctxmcp.VersionKey{ObjectID: fmt.Sprintf("o%d", i), Version: 1}}}})
		}
	}
	want := func(model string, objects ...string) {
		t.Helper()
		found, err := s.Unembedded(t.Context(), model, 100)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range found {
			got = append(got, o.ObjectID)
		}
		if diff := cmp.Diff(objects, got); diff != "" {
			t.Errorf("Unembedded(%q) differs (-want +got):\n%s", model, diff)
		}
	}
	change(c)
	embed("m", 0, 1, 2, 3, 5)
	want("m", "o4", "o6", "o7", "o8")
	embed("other", 1, 6)
	want("m", "o4", "o6", "o7", "o8")
	change(memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "o0"}, {Tenant: "acme", ObjectID: "o7"}}})
	want("m", "o4", "o6", "o8")
	embed("m", 4, 6, 8)
	want("m")
	want("other", "o2", "o3", "o4", "o5", "o8")
}

// TestStoreWithoutCopies: a store that may keep no vectors in memory gives the same answers.
func TestStoreWithoutCopies(t *testing.T) {
	storetest.RunVectors(t, func(t *testing.T) storetest.Store {
		s := openStore(t, t.TempDir())
		s.LimitVectorMemory(0)
		return s
	})
}

// TestCopiesFollowOtherProcesses: a vector that another process writes is found; one that it erases is not, and leaves the memory.
func TestCopiesFollowOtherProcesses(t *testing.T) {
	dir := t.TempDir()
	s, other := openStore(t, dir), openStore(t, dir)
	write := func(c memory.Change) {
		t.Helper()
		if err := other.Apply(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	want := func(held int, ids ...string) {
		t.Helper()
		q := memory.Query{Tenant: "acme", Everywhere: true, Clearance: ctxmcp.HighlyRestricted}
		near, _, err := s.Nearest(t.Context(), q, "m", []float32{1, 0}, 10)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range near {
			got = append(got, n.Object.ObjectID)
		}
		if diff := cmp.Diff(ids, got); diff != "" {
			t.Errorf("Nearest differs (-want +got):\n%s", diff)
		}
		if n := copied(s); n != held {
			t.Errorf("%d vectors in memory, want %d", n, held)
		}
	}
	write(embedded("a", 1, 0))
	want(1, "a")
	write(embedded("b", 0.6, 0.8))
	want(2, "a", "b")
	write(memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "a"}}})
	want(1, "b")
	write(memory.Change{Vectors: []memory.Vector{{Tenant: "acme", Model: "m", Values: []float32{0, 1, 0},
		Key: ctxmcp.VersionKey{ObjectID: "b", Version: 1}}}}) // of another dimension
	want(1)
}

// TestErasedVectorLeavesMemory: an erasure takes the vector out of this process's memory before anybody asks again.
func TestErasedVectorLeavesMemory(t *testing.T) {
	s := openStore(t, t.TempDir())
	for i, c := range []memory.Change{embedded("a", 1, 0), embedded("b", 0, 1), {Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "a"}}}} {
		if err := s.Apply(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		q := memory.Query{Tenant: "acme", Everywhere: true, Clearance: ctxmcp.HighlyRestricted}
		if i == 1 {
			if _, _, err := s.Nearest(t.Context(), q, "m", []float32{1, 0}, 10); err != nil || copied(s) != 2 {
				t.Fatalf("%d vectors in memory, %v, want 2", copied(s), err)
			}
		}
	}
	if n := copied(s); n != 1 {
		t.Errorf("%d vectors in memory after the erasure, want 1", n)
	}
}

// embedded returns the change that stores an object with its vector.
func embedded(id string, values ...float32) memory.Change {
	o := ctxmcp.ContextObject{
		ObjectID: id, FactID: id, Version: 1, Content: "text", TenantID: "acme", UserID: "ann", Layer: ctxmcp.UserLayer, Classification: ctxmcp.Public,
		ObjectType: ctxmcp.IdentityFact, ContradictionStatus: ctxmcp.Clean, ValidFrom: made, TxStart: made,
	}
	return memory.Change{Insert: []ctxmcp.ContextObject{o},
		Vectors: []memory.Vector{{Tenant: "acme", Key: ctxmcp.KeyOf(o), Model: "m", Values: values}}}
}

// copied returns how many vectors the store keeps in memory.
func copied(s *Store) (n int) {
	for _, h := range s.copies.All() {
		n += h.Segment.Len()
	}
	return n
}

// TestSharedBySearches: searches by word and by vector share the copies in memory with each other, with writes and
// with erasures, and find the memory that has stayed throughout.
func TestSharedBySearches(t *testing.T) {
	s := openStore(t, t.TempDir())
	if err := s.Apply(t.Context(), embedded("stays", 1, 0)); err != nil {
		t.Fatal(err)
	}
	q := memory.Query{Tenant: "acme", Everywhere: true, Clearance: ctxmcp.HighlyRestricted}
	var searches sync.WaitGroup
	for range 4 {
		searches.Go(func() {
			for range 40 {
				near, _, err := s.Nearest(t.Context(), q, "m", []float32{1, 0}, 1)
				if err != nil || len(near) != 1 || near[0].Object.ObjectID != "stays" {
					t.Errorf("Nearest = %v, %v, want what stays", near, err)
				}
				found, err := s.Search(t.Context(), q, []string{"text"}, 100)
				if err != nil || len(found.Candidates) == 0 {
					t.Errorf("Search = %v, %v, want what stays", found, err)
				}
			}
		})
	}
	for i := range 20 {
		id := fmt.Sprintf("o%d", i)
		changes := []memory.Change{embedded(id, 0, 1)}
		if i%5 == 0 {
			changes = append(changes, memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: id}}})
		}
		for _, c := range changes {
			if err := s.Apply(t.Context(), c); err != nil {
				t.Error(err)
			}
		}
	}
	searches.Wait()
}
