package sqlite

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// TestSearchFollowsEveryWriter: two processes write to one directory at random, and each search of either returns the versions as Find reads
// them from the database, which hold any of its words: in a store that keeps all versions and in one that keeps few.
func TestSearchFollowsEveryWriter(t *testing.T) {
	words := []string{"red", "blue", "fox", "sea", "owl"}
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rnd, dir := rand.New(rand.NewPCG(seed, 1)), t.TempDir()
			stores := []*Store{openStore(t, dir), openStore(t, dir)}
			stores[1].kept = newKept(12 * keptOverhead)
			last := 0
			for step := range 60 {
				w := stores[rnd.IntN(2)]
				if err := w.Apply(t.Context(), randomWrite(t, w, rnd, words, &last)); err != nil {
					t.Fatal(err)
				}
				s := stores[rnd.IntN(2)]
				q := memory.Query{Tenant: "acme", Everywhere: true, Clearance: ctxmcp.HighlyRestricted, EveryVersion: rnd.IntN(2) == 0, Archived: true, Whole: 20 * rnd.IntN(2)}
				asked := []string{words[rnd.IntN(5)], words[rnd.IntN(5)]}
				if diff := cmp.Diff(holding(t, s, q, asked), searched(t, s, q, asked), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("step %d: a search for %v differs from the database (-want +got):\n%s", step, asked, diff)
				}
			}
		})
	}
}

// randomWrite returns a change of what a store holds: new memories, the end of one, a mark, a confirmation, or an erasure.
func randomWrite(t *testing.T, s *Store, rnd *rand.Rand, words []string, last *int) memory.Change {
	t.Helper()
	open, err := s.Find(t.Context(), memory.Query{Tenant: "acme", Everywhere: true, Clearance: ctxmcp.HighlyRestricted, Archived: true})
	if err != nil {
		t.Fatal(err)
	}
	kind := rnd.IntN(7)
	if len(open) < 8 || kind < 3 {
		*last += 2
		return said(*last, words[rnd.IntN(5)]+" "+words[rnd.IntN(5)], words[rnd.IntN(5)])
	}
	o, at := open[rnd.IntN(len(open))], made.Add(time.Duration(rnd.IntN(1000))*time.Hour)
	switch kind {
	case 3:
		return memory.Change{Close: []memory.Closing{{Tenant: "acme", Key: ctxmcp.KeyOf(o), TxEnd: at, Closing: ctxmcp.Closing{Link: open[0].ObjectID}}}}
	case 4:
		return memory.Change{Mark: []memory.Marking{{Tenant: "acme", ObjectID: o.ObjectID, By: open[0].ObjectID}}}
	case 5:
		return memory.Change{Confirm: []memory.Confirmation{{Tenant: "acme", ObjectID: o.ObjectID, At: at}}}
	default:
		return memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: o.ObjectID}}}
	}
}

// holding returns the versions of the database that hold any of the words; all of a place that is small enough.
func holding(t *testing.T, s *Store, q memory.Query, words []string) []ctxmcp.ContextObject {
	t.Helper()
	all := q
	all.EveryVersion = true
	every, err := s.Find(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(slices.Clone(every), func(o ctxmcp.ContextObject) bool {
		holds := slices.ContainsFunc(memory.IndexedTerms(o), func(term string) bool { return slices.Contains(words, term) })
		return !q.Match(o) || !holds && len(every) > q.Whole
	})
}

func searched(t *testing.T, s *Store, q memory.Query, words []string) (all []ctxmcp.ContextObject) {
	t.Helper()
	found, err := s.Search(t.Context(), q, words, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range found.Candidates {
		all = append(all, *c.Object)
	}
	slices.SortFunc(all, memory.Compare)
	return all
}

// TestErasedIsKeptNowhere: an erasure takes all that was kept of texts out of the memory of its process at once.
func TestErasedIsKeptNowhere(t *testing.T) {
	s := openStore(t, t.TempDir())
	if err := s.Apply(t.Context(), said(1, "the red fox", "a blue owl")); err != nil {
		t.Fatal(err)
	}
	if found(t, s, "red"); len(s.kept.young) == 0 {
		t.Fatal("a search keeps nothing: the test shows nothing")
	}
	if err := s.Apply(t.Context(), memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "o1"}}}); err != nil {
		t.Fatal(err)
	}
	if n := len(s.kept.young) + len(s.kept.old); n > 0 {
		t.Errorf("%d versions are kept after an erasure, want none", n)
	}
}

// TestErasedByAnotherServer: a server that nobody asks anything takes out of its memory what another one erased, with the next look.
func TestErasedByAnotherServer(t *testing.T) {
	dir := t.TempDir()
	a, b := openStore(t, dir), openStore(t, dir)
	idle := Over(&Engine{Name: "shared", Reads: b.reads, Writes: b.writes, Poll: time.Millisecond}, slog.New(slog.DiscardHandler))
	t.Cleanup(idle.stopPolling)
	if err := a.Apply(t.Context(), said(1, "the red fox", "a blue owl")); err != nil {
		t.Fatal(err)
	}
	held := func() int {
		idle.kept.mu.Lock()
		defer idle.kept.mu.Unlock()
		return len(idle.kept.young) + len(idle.kept.old)
	}
	if found(t, idle, "red"); held() == 0 {
		t.Fatal("a search keeps nothing: the test shows nothing")
	}
	if err := a.Apply(t.Context(), memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "o1"}}}); err != nil {
		t.Fatal(err)
	}
	for held() > 0 && t.Context().Err() == nil {
		runtime.Gosched()
	}
}
