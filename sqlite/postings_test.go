package sqlite

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// said returns the change that stores texts of ann's, of which the first has the number from.
func said(from int, texts ...string) memory.Change {
	var c memory.Change
	for i, text := range texts {
		id := fmt.Sprintf("o%d", from+i)
		c.Insert = append(c.Insert, ctxmcp.ContextObject{
			ObjectID: id, FactID: id, Version: 1, Content: text, TenantID: "acme", UserID: "ann", Layer: ctxmcp.UserLayer,
			Classification: ctxmcp.Public, ObjectType: ctxmcp.IdentityFact, ContradictionStatus: ctxmcp.Clean, ValidFrom: made, TxStart: made,
		})
	}
	return c
}

// found returns the ids that a search for terms finds, in no order, and how many versions hold each term.
func found(t *testing.T, s *Store, terms ...string) (ids map[string]bool, frequency map[string]int) {
	t.Helper()
	q := memory.Query{Tenant: "acme", Everywhere: true, Clearance: ctxmcp.HighlyRestricted}
	f, err := s.Search(t.Context(), q, terms, 100)
	if err != nil {
		t.Fatal(err)
	}
	ids = map[string]bool{}
	for _, c := range f.Candidates {
		ids[c.Object.ObjectID] = true
	}
	return ids, f.Frequency
}

// TestPostingsFollowOtherProcesses: a memory that another process stores is found, and one that it erases is neither found nor kept.
func TestPostingsFollowOtherProcesses(t *testing.T) {
	dir := t.TempDir()
	s, other := openStore(t, dir), openStore(t, dir)
	for _, step := range []struct {
		change memory.Change
		want   []string
	}{
		{said(1, "a red fox", "a blue fox"), []string{"o1"}},
		{said(3, "the red sea", "the dead sea"), []string{"o1", "o3"}},
		{memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "o1"}}}, []string{"o3"}},
		{said(5, "red"), []string{"o3", "o5"}},
	} {
		if err := other.Apply(t.Context(), step.change); err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{}
		for _, id := range step.want {
			want[id] = true
		}
		got, frequency := found(t, s, "red")
		if diff := cmp.Diff(want, got); diff != "" || frequency["red"] != len(want) {
			t.Errorf("found, by %d postings, differs (-want +got):\n%s", frequency["red"], diff)
		}
		for _, kept := range s.postings.at {
			if n := len(kept.Value.(*scopePostings).words["red"].seqs); n != len(want) {
				t.Errorf("%d postings are kept, want %d", n, len(want))
			}
		}
	}
}

// TestErasedPostingLeavesMemory: an erasure takes the postings out of this process's memory before anybody asks again.
func TestErasedPostingLeavesMemory(t *testing.T) {
	s := openStore(t, t.TempDir())
	if err := s.Apply(t.Context(), said(1, "a red fox")); err != nil {
		t.Fatal(err)
	}
	if ids, _ := found(t, s, "red"); len(ids) != 1 || len(s.postings.at) != 1 {
		t.Fatalf("found %v with %d scopes kept, want one of one", ids, len(s.postings.at))
	}
	if err := s.Apply(t.Context(), memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "o1"}}}); err != nil {
		t.Fatal(err)
	}
	if n := len(s.postings.at); n != 0 {
		t.Errorf("postings of %d scopes are kept after the erasure", n)
	}
}

// TestPostingsAreBounded: postings that were not asked for longest go, and a search finds the same.
func TestPostingsAreBounded(t *testing.T) {
	s := openStore(t, t.TempDir())
	s.postings = newPostings(400)
	texts := make([]string, 50)
	for i := range texts {
		texts[i] = fmt.Sprintf("word%d and all", i)
	}
	if err := s.Apply(t.Context(), said(0, texts...)); err != nil {
		t.Fatal(err)
	}
	for i := range texts {
		if ids, _ := found(t, s, fmt.Sprintf("word%d", i)); len(ids) != 1 {
			t.Fatalf("found %v, want one", ids)
		}
		if s.postings.used > s.postings.limit {
			t.Fatalf("%d bytes are kept, want at most %d", s.postings.used, s.postings.limit)
		}
	}
}

// TestPostingsRankLikeFTS5: the texts that FTS5 ranks first are in the window that is looked at, for frequent and rare words,
// few and many. Left out are a few long texts in which a word occurs time and again.
func TestPostingsRankLikeFTS5(t *testing.T) {
	s := openStore(t, t.TempDir())
	rnd := rand.New(rand.NewPCG(2, 2))
	zipf := rand.NewZipf(rnd, 1.1, 4, 2000)
	words := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "w%d ", zipf.Uint64())
		}
		return b.String()
	}
	var texts []string
	for range 3000 {
		texts = append(texts, words(1+rnd.IntN(300)))
	}
	if err := s.Apply(t.Context(), said(0, texts...)); err != nil {
		t.Fatal(err)
	}
	const wanted = 50
	missed := 0
	for range 40 {
		q := memory.Query{Tenant: "acme", Everywhere: true, Clearance: ctxmcp.HighlyRestricted}
		terms := distinctWords(words(6))
		err := inTx(t.Context(), s.reads, func(tx *sql.Tx) error {
			places, err := scopesOf(t.Context(), tx, q)
			if err != nil {
				return err
			}
			best, _, err := s.best(t.Context(), tx, places[0], asked{terms: terms}, widening*wanted)
			if err != nil {
				return err
			}
			in := map[int64]bool{}
			for _, b := range best {
				in[b.id] = true
			}
			missed += outside(t, tx, terms, wanted, in)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if share := float64(missed) / (40 * wanted); share > 0.03 {
		t.Errorf("%.1f %% of what FTS5 ranks first is not looked at", 100*share)
	}
}

// outside counts how many of the texts that FTS5 ranks first are not among ids.
func outside(t *testing.T, tx *sql.Tx, terms []string, first int, ids map[int64]bool) (n int) {
	t.Helper()
	rows, err := tx.Query(`SELECT rowid FROM search WHERE search MATCH ? ORDER BY bm25(search) LIMIT ?`, strings.Join(terms, " OR "), first)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		if !ids[id] {
			n++
		}
	}
	return n
}

func distinctWords(text string) []string {
	seen := map[string]bool{}
	var out []string
	for _, w := range strings.Fields(text) {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// TestSizes: the length of a text is read as FTS5 wrote it, in one byte and in two.
func TestSizes(t *testing.T) {
	s := openStore(t, t.TempDir())
	want := []uint16{1, 127, 128, 300, 20_000}
	var texts []string
	for _, n := range want {
		texts = append(texts, strings.Repeat("word ", int(n)))
	}
	if err := s.Apply(t.Context(), said(0, texts...)); err != nil {
		t.Fatal(err)
	}
	found(t, s, "word")
	for _, kept := range s.postings.at {
		if diff := cmp.Diff(want, kept.Value.(*scopePostings).sizes[1:]); diff != "" {
			t.Errorf("sizes differ (-want +got):\n%s", diff)
		}
	}
}

// TestSearchOfManyPlaces: where a person has more projects than a place has levels, the best of all are looked up together, and the one that
// holds most of the words is among them; few hits are all found.
func TestSearchOfManyPlaces(t *testing.T) {
	const projects, each, most = 3 * fewScopes, 40, 10
	s := openStore(t, t.TempDir())
	for p := range projects {
		var texts []string
		for i := range each {
			texts = append(texts, fmt.Sprintf("zebra number %d of %d", i, p))
		}
		if p == projects-1 {
			texts[7] = "a zebra with a lantern"
		}
		c := said(p*each, texts...)
		for i := range c.Insert {
			c.Insert[i].ProjectID, c.Insert[i].Layer = fmt.Sprint("p", p), ctxmcp.ProjectLayer
		}
		if err := s.Apply(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	q := memory.Query{Tenant: "acme", Everywhere: true, Clearance: ctxmcp.HighlyRestricted}
	for terms, want := range map[string]int{"zebra lantern": fewScopes * most, "lantern": 1} {
		f, err := s.Search(t.Context(), q, strings.Fields(terms), most)
		if err != nil {
			t.Fatal(err)
		}
		best := slices.ContainsFunc(f.Candidates, func(c ranking.Candidate) bool { return strings.Contains(c.Object.Content, "lantern") })
		if len(f.Candidates) != want || !best || f.Documents != projects*each {
			t.Errorf("Search(%s) finds %d of %d, the best among them: %v; want %d", terms, len(f.Candidates), f.Documents, best, want)
		}
	}
}
