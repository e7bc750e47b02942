package memory_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

// watched is a store that keeps the changes that it was given, and fails where it is told.
type watched struct {
	memory.Store
	changes []memory.Change
	fails   string // the method that fails
	after   int    // calls of it that succeed before
}

func (w *watched) fail(method string) error {
	if w.fails != method {
		return nil
	}
	if w.after--; w.after >= 0 {
		return nil
	}
	return io.ErrUnexpectedEOF
}

func (w *watched) Find(ctx context.Context, q memory.Query) ([]ctxmcp.ContextObject, error) {
	if err := w.fail("Find"); err != nil {
		return nil, err
	}
	return w.Store.Find(ctx, q)
}

func (w *watched) Search(ctx context.Context, q memory.Query, terms []string, most int) (ranking.Found, error) {
	if err := w.fail("Search"); err != nil {
		return ranking.Found{}, err
	}
	return w.Store.Search(ctx, q, terms, most)
}

func (w *watched) Replay(ctx context.Context, key memory.Key) (*memory.Replay, error) {
	if err := w.fail("Replay"); err != nil {
		return nil, err
	}
	return w.Store.Replay(ctx, key)
}

func (w *watched) Apply(ctx context.Context, c memory.Change) error {
	if err := w.fail("Apply"); err != nil {
		return err
	}
	w.changes = append(w.changes, c)
	return w.Store.Apply(ctx, c)
}

// TestFailingStore: whatever the store fails at, the failure is passed on, is a fault of the server, and stores nothing.
func TestFailingStore(t *testing.T) {
	verbs := map[string]func(*memory.Service, string) error{
		"remember": func(s *memory.Service, id string) error {
			d := said("Ann moved", "ann", "lives_in", "Rome")
			d.Supersedes, d.DerivedFrom, d.IdempotencyKey = id, []string{id}, "k"
			_, err := s.Remember(context.Background(), ann, d)
			return err
		},
		"remember in a slot": func(s *memory.Service, _ string) error {
			_, err := s.Remember(context.Background(), ann, said("Ann moved", "ann", "lives_in", "Rome"))
			return err
		},
		"forget": func(s *memory.Service, id string) error {
			_, err := s.Forget(context.Background(), ann, id, memory.Archive, "old")
			return err
		},
		"history": func(s *memory.Service, id string) error {
			_, err := s.History(context.Background(), ann, memory.HistoryAsk{ObjectID: id})
			return err
		},
		"recall": func(s *memory.Service, _ string) error {
			_, err := s.Recall(context.Background(), ann, memory.Ask{Query: "lives", Scope: atHome})
			return err
		},
		"recall of a word of two spellings": func(s *memory.Service, _ string) error {
			_, err := s.Recall(context.Background(), ann, memory.Ask{Query: "favourite colour", Scope: atHome})
			return err
		},
	}
	for verb, call := range verbs {
		for _, method := range []string{"Find", "Search", "Replay", "Apply"} {
			for after := range 5 {
				store := &watched{Store: &inmem.Store{}}
				s, _ := newService(store)
				id := remember(t, s, ann, said("Ann lives in Oslo", "ann", "lives_in", "Oslo")).ObjectID
				before := find(t, store.Store, every("acme"))
				store.fails, store.after = method, after
				err := call(s, id)
				if store.after >= 0 {
					continue // it is not called as often
				}
				if !errors.Is(err, io.ErrUnexpectedEOF) || ctxmcp.CodeOf(err) != ctxmcp.CodeInternal {
					t.Errorf("%s with %s failing at call %d = %v, want the failure", verb, method, after+1, err)
				}
				if diff := cmp.Diff(before, find(t, store.Store, every("acme"))); diff != "" {
					t.Errorf("%s with %s failing at call %d changed the store:\n%s", verb, method, after+1, diff)
				}
			}
		}
	}
}

// TestAudit: every write leaves a line with its time and without content, a confirmation that of its own.
func TestAudit(t *testing.T) {
	store := &watched{Store: &inmem.Store{}}
	s, c := newService(store)
	id := remember(t, s, ann, plain()).ObjectID
	c.set(day(1))
	remember(t, s, ann, plain())
	c.set(day(2))
	if _, err := s.Forget(t.Context(), ann, id, memory.Retire, "she told secret-agent otherwise"); err != nil {
		t.Fatal(err)
	}
	var got []memory.Event
	for _, c := range store.changes {
		got = append(got, c.Audit...)
	}
	want := []memory.Event{
		{At: day(0), Tenant: "acme", User: "ann", Action: "remember.stored", ObjectID: id},
		{At: day(1), Tenant: "acme", User: "ann", Action: "remember.confirmed", ObjectID: id},
		{At: day(2), Tenant: "acme", User: "ann", Action: "forget.retire", ObjectID: id, Detail: "she told [SECRET:REDACTED] otherwise"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("audit differs (-want +got):\n%s", diff)
	}
	if rows := find(t, store, every("acme")); !rows[0].LastConfirmed.Equal(day(1)) {
		t.Errorf("LastConfirmed = %v, want when it was said again", rows[0].LastConfirmed)
	}
}

// TestSecretClaims: a secret that only the whole claim gives away is not stored, however its parts are written.
func TestSecretClaims(t *testing.T) {
	redactor := redact.New([]byte("key"))
	for _, claim := range []ctxmcp.Claim{
		{Subject: "db", Predicate: "password", Value: "hunter2-Xy9"},
		{Subject: "db", Predicate: "password", Value: "hunter2-Xy9 | more"},
		{Subject: "a | b", Predicate: "password", Value: "hunter2-Xy9"},
		{Subject: "password", Predicate: "hunter2-Xy9", Value: "x"},
		{Subject: "password", Predicate: "hunter2-Xy9", Value: "x | y"},
	} {
		store := &watched{Store: &inmem.Store{}}
		s, _ := newService(store)
		s.Redact = redactor.Func()
		d := plain()
		d.Claim, d.IdempotencyKey = claim, "k"
		if r := remember(t, s, ann, d); len(r.Redactions) != 1 {
			t.Errorf("%q: redactions %v, want one label", claim, r.Redactions)
		}
		if text, err := json.Marshal(store.changes); err != nil || strings.Contains(string(text), "hunter2") {
			t.Errorf("%q is stored with its secret: %s, %v", claim, text, err)
		}
	}
}

// TestReplaysHoldNoContent: the record that answers a request again holds no content of the memory.
func TestReplaysHoldNoContent(t *testing.T) {
	store := &watched{Store: &inmem.Store{}}
	s, _ := newService(store)
	d := said("Zebra", "giraffe", "is_a", "lion")
	d.IdempotencyKey, d.Author, d.WhyItMatters = "k", "tiger", "panther"
	remember(t, s, ann, d)
	kept := store.changes[0].Replay
	for _, word := range []string{"Zebra", "giraffe", "lion", "tiger", "panther"} {
		if strings.Contains(kept.Result+kept.Digest, word) {
			t.Errorf("the replay %+v holds %q", kept, word)
		}
	}
}

// TestStoredIsTold: whoever makes embeddings is told of new versions, and of nothing else.
func TestStoredIsTold(t *testing.T) {
	s, _ := newService(&inmem.Store{})
	told := 0
	s.Stored = func() { told++ }
	d := plain()
	d.IdempotencyKey = "k"
	steps := []struct {
		draft memory.Draft
		want  int
	}{
		{d, 1},       // new
		{d, 1},       // answered again
		{plain(), 1}, // confirmed
		{memory.Draft{Content: "x", Scope: atHome}, 1}, // rejected
		{said("Ann lives in Oslo", "ann", "lives_in", "Oslo"), 2},
	}
	for i, step := range steps {
		remember(t, s, ann, step.draft)
		if told != step.want {
			t.Errorf("after step %d told %d times, want %d", i+1, told, step.want)
		}
	}
}

// leaky returns from a search what the query does not select.
type leaky struct{ memory.Store }

func (l leaky) Search(ctx context.Context, q memory.Query, terms []string, most int) (ranking.Found, error) {
	q.Namespaces, q.Everywhere = nil, true
	return l.Store.Search(ctx, q, terms, most)
}

// TestLeakingStore: an object that a store should not have returned is a fault, and never an answer.
func TestLeakingStore(t *testing.T) {
	s, _ := newService(leaky{&inmem.Store{}})
	bob := ann
	bob.User = "bob"
	d := plain()
	d.Scope.User = "bob"
	remember(t, s, bob, d)
	r, err := s.Recall(t.Context(), ann, memory.Ask{Query: "tea", Scope: atHome})
	if ctxmcp.CodeOf(err) != ctxmcp.CodeInternal || err == nil || len(r.Memories) > 0 {
		t.Errorf("Recall = %+v, %v, want a fault", r, err)
	}
}

// TestEndedWithoutAWord: a version from elsewhere that ended without a closing is ended all the same.
func TestEndedWithoutAWord(t *testing.T) {
	s, _ := newService(&inmem.Store{})
	o := ctxmcp.ContextObject{
		ObjectID: "old", FactID: "old", Version: 1, Content: "Ann likes tea", Classification: ctxmcp.Public, TenantID: "acme",
		UserID: "ann", Layer: ctxmcp.UserLayer, ValidFrom: day(-2), TxStart: day(-2), TxEnd: day(-1),
		ContradictionStatus: ctxmcp.Clean, Authority: ctxmcp.AuthorityUser,
	}
	if err := s.Store.Apply(t.Context(), memory.Change{Insert: []ctxmcp.ContextObject{o}}); err != nil {
		t.Fatal(err)
	}
	_, err := s.Forget(t.Context(), ann, "old", memory.Retire, "again")
	wantError(t, err, ctxmcp.CodeConflict, "object old has ended at 2025-12-31T00:00:00Z")
}
