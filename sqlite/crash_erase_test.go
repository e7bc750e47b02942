package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

// TestErasedIsInNoFile erases a hundred memories of many shapes from among many more, and looks for their content in
// the bytes of every file.
func TestErasedIsInNoFile(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	w := &teller{rnd: rand.New(rand.NewPCG(*crashSeed, 2))}
	w.others(t, s, rounds.Of(300, 1000))
	for n := range 100 {
		w.victim(t, s, fmt.Sprintf("victim%d", n), words([]int{1, 10, 60, 200}[n%4], w.secret))
		w.others(t, s, 10)
	}
	w.victim(t, s, "serials", serials(w.secret(), 300))
	w.versions(t, s, "manyfold", 30)
	w.others(t, s, rounds.Of(300, 1000))
	if found := legible(t, dir, w.secrets); len(found) == 0 {
		t.Fatal("nothing is found before the erasure, so looking proves nothing")
	}
	apply(t, s, erase("manyfold"))
	together := erase("serials")
	for n := range 100 {
		c := erase(fmt.Sprintf("victim%d", n))
		if n%10 == 0 {
			apply(t, s, c)
		} else {
			together.Erase = append(together.Erase, c.Erase...)
		}
	}
	apply(t, s, together)
	wantIllegible(t, dir, w.secrets)
	if err := intact(t.Context(), s); err != nil {
		t.Error(err)
	}
	w.others(t, s, 200)
	wantIllegible(t, dir, w.secrets)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	wantIllegible(t, dir, w.secrets)
}

// TestErasureBesideAReader: a reader keeps its snapshot, and with it the log, until it ends; the next write, or the close,
// then empties it.
func TestErasureBesideAReader(t *testing.T) {
	for _, after := range []struct {
		name string
		do   func(*testing.T, *Store)
	}{
		{"write", func(t *testing.T, s *Store) { apply(t, s, insert(note("next"))) }},
		{"close", func(t *testing.T, s *Store) {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}},
	} {
		t.Run(after.name, func(t *testing.T) {
			dir := t.TempDir()
			s := openStore(t, dir)
			w := &teller{rnd: rand.New(rand.NewPCG(*crashSeed, 3))}
			w.victim(t, s, "victim", words(30, w.secret))
			reader, err := s.reads.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			wantSeen(t, reader, 1)
			apply(t, s, erase("victim"))
			wantSeen(t, reader, 1)
			if err := reader.Rollback(); err != nil {
				t.Fatal(err)
			}
			after.do(t, s)
			wantIllegible(t, dir, w.secrets)
		})
	}
}

func wantSeen(t *testing.T, tx *sql.Tx, want int) {
	t.Helper()
	var n int
	if err := tx.QueryRow(`SELECT count(*) FROM versions WHERE object_id = 'victim'`).Scan(&n); err != nil || n != want {
		t.Fatalf("the reader sees %d versions, %v, want %d", n, err, want)
	}
}

// TestErasureAfterACrash: an erasure that was cut off once it was committed is finished when the store is opened.
func TestErasureAfterACrash(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	w := &teller{rnd: rand.New(rand.NewPCG(*crashSeed, 4))}
	w.others(t, s, 100)
	w.victim(t, s, "victim", words(100, w.secret))
	w.others(t, s, 100)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	c := start(t, "half", dir, "victim")
	if err := c.Wait(); err == nil || c.said.Len() > 0 {
		t.Fatalf("the child was to be killed: %v\n%s", err, &c.said)
	}
	if found := legible(t, dir, w.secrets); len(found) == 0 {
		t.Fatal("nothing is left by the crash, so looking proves nothing")
	}
	openStore(t, dir)
	wantIllegible(t, dir, w.secrets)
}

// TestErasureOfADeadProcess: who empties the log late for an erasure of its own does not settle that of another process,
// which died in between.
func TestErasureOfADeadProcess(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	w := &teller{rnd: rand.New(rand.NewPCG(*crashSeed, 5))}
	w.others(t, s, 100)
	w.victim(t, s, "mine", words(30, w.secret))
	w.victim(t, s, "victim", serials(w.secret(), 300))
	w.others(t, s, 100)
	reader, err := s.reads.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	wantSeen(t, reader, 1)
	apply(t, s, erase("mine"))
	if err := start(t, "half", dir, "victim").Wait(); err == nil {
		t.Fatal("the child was to be killed")
	}
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	apply(t, s, insert(note("next")))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	openStore(t, dir)
	wantIllegible(t, dir, w.secrets)
}

// dieInErasure is a child that commits an erasure as the store does, and is killed before the files are rid of it.
func dieInErasure(dir, id string) error {
	s, err := openDirectory(dir)
	if err != nil {
		return err
	}
	if err := s.lock.Lock(); err != nil {
		return err
	}
	ctx := context.Background()
	err = inTx(ctx, s.writes, func(tx *sql.Tx) error {
		b := newBatch(ctx, tx)
		if err := b.write(erase(id)); err != nil {
			return err
		}
		return b.finish()
	})
	if err != nil {
		return err
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	if err := self.Kill(); err != nil {
		return err
	}
	select {}
}

func apply(t *testing.T, s *Store, c memory.Change) {
	t.Helper()
	if err := s.Apply(t.Context(), c); err != nil {
		t.Fatalf("Apply: %v", err)
	}
}

// teller makes up memories of words that occur nowhere else, and keeps those that are to be forgotten.
type teller struct {
	rnd     *rand.Rand
	told    int
	secrets []string
}

// word returns a word that is said once. Some have an ending that a stemmer takes away.
func (w *teller) word() string {
	b := []byte{byte('A' + w.rnd.IntN(26))}
	for range 17 {
		b = append(b, byte('a'+w.rnd.IntN(26)))
	}
	return string(b) + []string{"", "s", "ed"}[w.rnd.IntN(3)]
}

func (w *teller) secret() string {
	s := w.word()
	w.secrets = append(w.secrets, s)
	return s
}

// serials returns words that begin alike. A full-text index keeps one of them whole where one of its pages ends among them.
func serials(beginning string, n int) string {
	var said []string
	for i := range n {
		said = append(said, fmt.Sprintf("%s%03d", beginning, i))
	}
	return strings.Join(said, " ")
}

func words(n int, word func() string) string {
	said := make([]string, n)
	for i := range said {
		said[i] = word()
	}
	return strings.Join(said, " ")
}

// memory returns an object that has something to hide in every field that can hold words of a user's.
func (w *teller) memory(id, content string, word func() string) ctxmcp.ContextObject {
	o := note(id)
	o.ProjectID = fmt.Sprintf("p%d", w.rnd.IntN(3))
	o.Content = content
	o.Claim = ctxmcp.Claim{Subject: word(), Predicate: word(), Value: word()}
	o.NormalizedClaim = o.Claim.String()
	o.CanonicalEntityIDs, o.Aliases, o.DerivedFrom = []string{word()}, []string{word()}, []string{word()}
	o.WhyItMatters, o.BehavioralImplication, o.UpdatePath = word(), word(), "crm://"+word()
	o.SourceOrigin, o.Author = "user://"+word(), word()
	o.PermissionScope.AllowRoles = []string{word()}
	return o
}

// others writes memories that stay.
func (w *teller) others(t *testing.T, s *Store, n int) {
	t.Helper()
	for range n / 10 {
		var c memory.Change
		for range 10 {
			w.told++
			c.Insert = append(c.Insert, w.memory(fmt.Sprintf("other%d", w.told), words(1+w.rnd.IntN(60), w.word), w.word))
		}
		apply(t, s, c)
	}
}

// victim writes a memory that is to be forgotten, with a result for repetitions and a vector, whose bytes are a word.
func (w *teller) victim(t *testing.T, s *Store, id, content string) {
	t.Helper()
	o := w.memory(id, content, w.secret)
	c := insert(o)
	c.Replay = &memory.Replay{Key: memory.Key{Tenant: "acme", User: "ann", Name: id}, Digest: w.secret(), ObjectID: id, Result: w.secret()}
	apply(t, s, c)
	v := memory.Vector{Tenant: "acme", Key: ctxmcp.KeyOf(o), Model: "m", Values: decode([]byte(w.secret()))}
	apply(t, s, memory.Change{Vectors: []memory.Vector{v}})
}

// versions writes an object over and over.
func (w *teller) versions(t *testing.T, s *Store, id string, n int) {
	t.Helper()
	var c memory.Change
	for v := range n {
		o := w.memory(id, words(40, w.secret), w.secret)
		o.Version, o.TxStart = v+1, o.TxStart.Add(time.Duration(v)*time.Hour)
		c.Insert = []ctxmcp.ContextObject{o}
		apply(t, s, c)
		c.Close = []memory.Closing{{Tenant: "acme", Key: ctxmcp.KeyOf(o), TxEnd: o.TxStart.Add(time.Hour),
			Closing: ctxmcp.Closing{Reason: w.secret()}}}
		w.others(t, s, 10)
	}
}
