package sqlite

import (
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// TestPruningChangesNothing: the best versions, by score and by row id, are those of a ranking of all, over random postings with frequent and
// rare words, many versions of one length, and lengths that differ.
func TestPruningChangesNothing(t *testing.T) {
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 9))
		sp := newScopePostings(7)
		n := int64(1 + rnd.IntN(6*block))
		sp.grow(n)
		p := place{scope: 7, last: n}
		for seq := uint32(1); int64(seq) <= n; seq++ {
			if rnd.IntN(20) > 0 { // else it was erased
				size := []int{9, 9 + rnd.IntN(3), 1 + rnd.IntN(300)}[seed%3]
				sp.size(seq, size)
				p.documents, p.length = p.documents+1, p.length+size
			}
		}
		var words []string
		for w := range 1 + rnd.IntN(6) {
			words = append(words, fmt.Sprint("w", w))
			held, share := &posting{}, []int{1, 2, 40, 900}[rnd.IntN(4)]
			for seq := uint32(1); int64(seq) <= n; seq++ {
				if sp.sizes[seq] > 0 && rnd.IntN(share) == 0 {
					held.seqs = append(held.seqs, seq)
				}
			}
			sp.words[words[w]] = held
		}
		most := 1 + rnd.IntN(1500)
		if diff := cmp.Diff(rankAll(sp, words, p)[:min(most, len(rankAll(sp, words, p)))], sp.rank(words, p, most), cmp.AllowUnexported(scored{})); diff != "" {
			t.Fatalf("seed %d: the best %d of %d differ (-want +got):\n%s", seed, most, n, diff)
		}
	}
}

// rankAll ranks every version that holds a word.
func rankAll(sp *scopePostings, words []string, p place) []scored {
	sum := map[uint32]float32{}
	for _, w := range words {
		seqs := sp.seqs(w)
		for _, seq := range seqs {
			sum[seq] += float32(math.Log1p((math.Max(float64(p.documents-len(seqs)), 0) + 0.5) / (float64(len(seqs)) + 0.5)))
		}
	}
	average := float32(max(1, p.length)) / float32(max(1, p.documents))
	all := []scored{}
	for seq, s := range sum {
		all = append(all, scored{sp.scope<<32 | int64(seq), s / (1 + bm25K1*(1-bm25B+bm25B*float32(sp.sizes[seq])/average))})
	}
	slices.SortFunc(all, better)
	return all
}

// TestWholeIndexFollowsTheDurableOne: words that are kept whole find what FTS5 finds, over random texts and writes of two processes, phrases
// and erasures among them.
func TestWholeIndexFollowsTheDurableOne(t *testing.T) {
	for seed := range uint64(4) {
		rnd, dir := rand.New(rand.NewPCG(seed, 3)), t.TempDir()
		s, other := openStore(t, dir), openStore(t, dir)
		zipf := rand.NewZipf(rnd, 1.2, 3, 300)
		text := func(n int) string {
			var b strings.Builder
			for range n {
				fmt.Fprintf(&b, "w%d ", zipf.Uint64())
			}
			return b.String()
		}
		last := 0
		for step := range 12 {
			var texts []string
			for range 1 + rnd.IntN(150) {
				texts = append(texts, text(1+rnd.IntN(30)))
			}
			w := []*Store{s, other}[rnd.IntN(2)]
			if err := w.Apply(t.Context(), said(last, texts...)); err != nil {
				t.Fatal(err)
			}
			last += len(texts)
			if step%5 == 4 {
				if err := w.Apply(t.Context(), memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: fmt.Sprint("o", rnd.IntN(last))}}}); err != nil {
					t.Fatal(err)
				}
			}
			asked := append(distinctWords(text(4)), "no-such-word", "w1 w2")
			want, wantFrequency := rankedWith(t, s, asked, false)
			got, gotFrequency := rankedWith(t, s, asked, true)
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(scored{})) + cmp.Diff(wantFrequency, gotFrequency); diff != "" {
				t.Fatalf("seed %d, step %d: %v differ (-FTS5 +kept):\n%s", seed, step, asked, diff)
			}
		}
	}
}

// rankedWith returns the best versions for some words and how many hold each: by FTS5 alone, or by words that are kept whole.
func rankedWith(t *testing.T, s *Store, words []string, whole bool) (best []scored, frequency []int) {
	t.Helper()
	q := memory.Query{Tenant: "acme", Everywhere: true, Clearance: ctxmcp.HighlyRestricted}
	if _, err := s.Search(t.Context(), q, words, 50); err != nil { // follows erasures
		t.Fatal(err)
	}
	err := inTx(t.Context(), s.reads, func(tx *sql.Tx) error {
		places, err := scopesOf(t.Context(), tx, q)
		if err != nil {
			return err
		}
		sp := newScopePostings(places[0].scope)
		if whole {
			sp = s.postings.of(places[0].scope)
			if !sp.whole {
				if err := s.readWhole(t.Context(), sp); err != nil {
					return err
				}
			}
		}
		if err := sp.follow(t.Context(), tx, words, places[0].last); err != nil {
			return err
		}
		for _, w := range words {
			frequency = append(frequency, len(sp.seqs(w)))
		}
		best = sp.rank(words, places[0], 50)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return best, frequency
}

// TestSearchesHaveTheWholeIndexRead: after some words all of them are kept, and none is read from the database any more; the end of the
// store ends the reading.
func TestSearchesHaveTheWholeIndexRead(t *testing.T) {
	s := openStore(t, t.TempDir())
	var texts []string
	for i := range wholeFrom {
		texts = append(texts, fmt.Sprintf("word%d of all", i))
	}
	if err := s.Apply(t.Context(), said(0, texts...)); err != nil {
		t.Fatal(err)
	}
	for i := range wholeAfter + 1 {
		found(t, s, fmt.Sprint("word", i))
	}
	s.postings.builds.Wait()
	for _, kept := range s.postings.at {
		if sp := kept.Value.(*scopePostings); !sp.whole || len(sp.words) != wholeFrom+2 {
			t.Errorf("%d words are kept, all of them: %v; want %d", len(sp.words), sp.whole, wholeFrom+2)
		}
	}
	if ids, _ := found(t, s, "word400"); len(ids) != 1 {
		t.Errorf("found %v, want one", ids)
	}
}
