package visits

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// rows is a Store in memory.
type rows struct {
	mu   sync.Mutex
	all  map[string]Row
	down bool
	seen int // times that a row was seen
}

func newRows() *rows { return &rows{all: map[string]Row{}} }

// doing has a method of the Store done, unless the store is down.
func (s *rows) doing(do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down {
		return errors.New("the database is away")
	}
	return do()
}

func (s *rows) AddVisit(_ context.Context, r Row, before time.Time) error {
	return s.doing(func() error {
		maps.DeleteFunc(s.all, func(_ string, r Row) bool { return r.Seen.Before(before) })
		s.all[r.Name] = r
		return nil
	})
}

func (s *rows) FindVisit(_ context.Context, name string) (found Row, err error) {
	err = s.doing(func() error {
		r, ok := s.all[name]
		if !ok {
			return ctxmcp.Errorf(ctxmcp.CodeNotFound, "no such row")
		}
		found = r
		return nil
	})
	return found, err
}

func (s *rows) SeeVisit(_ context.Context, name string, seen time.Time) error {
	return s.doing(func() error {
		r := s.all[name]
		r.Seen = seen
		s.all[name] = r
		s.seen++
		return nil
	})
}

func (s *rows) EndVisit(_ context.Context, name string) error {
	return s.doing(func() error {
		delete(s.all, name)
		return nil
	})
}

var (
	noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	ann  = ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Restricted, Authority: ctxmcp.AuthorityUser}
)

func newShared(s Store) Shared { return Shared{Store: s, Key: bytes.Repeat([]byte{7}, 32)} }

// TestBooks: both kinds of book know a browser until it leaves, was idle for too long, or has to sign in again.
func TestBooks(t *testing.T) {
	for name, fresh := range map[string]func() Book{
		"memory": func() Book { return NewMemory() },
		"shared": func() Book { return newShared(newRows()) },
	} {
		t.Run(name, func(t *testing.T) {
			b := fresh()
			begin := func(cookie string, v Visit) {
				if err := b.Begin(t.Context(), cookie, v, noon); err != nil {
					t.Fatal(err)
				}
			}
			in := func(cookie string, after time.Duration) bool {
				_, ok, err := b.Find(t.Context(), cookie, noon.Add(after))
				if err != nil {
					t.Fatal(err)
				}
				return ok
			}
			begin("one", Visit{Secret: "ctx_a_b"})
			begin("two", Visit{By: ann, Until: noon.Add(time.Hour)})
			begin("three", Visit{Secret: "ctx_a_b"})
			for after := time.Duration(0); after < 3*idleAfter; after += idleAfter / 2 {
				if !in("one", after) {
					t.Fatalf("a browser that goes on asking is out after %s", after)
				}
			}
			v, ok, err := b.Find(t.Context(), "two", noon.Add(time.Hour-1))
			if err != nil || !ok || v.By.User != "ann" || v.By.Clearance != ctxmcp.Restricted || v.Secret != "" {
				t.Errorf("Find = %+v, %t, %v, want ann", v, ok, err)
			}
			if in("two", time.Hour) {
				t.Error("a browser is in after the time until which it signed in")
			}
			if in("three", idleAfter+1) {
				t.Error("an idle browser is in")
			}
			if in("unknown", 0) {
				t.Error("an unknown browser is in")
			}
			if err := b.End(t.Context(), "one"); err != nil || in("one", 3*idleAfter) {
				t.Errorf("a browser that left is in: %v", err)
			}
		})
	}
}

// TestSharedRowsShowNothing: a row holds neither cookie nor secret, and opens with the cookie and the installation's key together alone.
func TestSharedRowsShowNothing(t *testing.T) {
	store := newRows()
	s := newShared(store)
	const cookie, secret = "the cookie of a browser", "ctx_abc_very-secret"
	if err := s.Begin(t.Context(), cookie, Visit{Secret: secret, By: ann}, noon); err != nil {
		t.Fatal(err)
	}
	for name, r := range store.all {
		text := fmt.Sprint(name, string(r.Sealed))
		if name != fmt.Sprintf("%x", sha256.Sum256([]byte(cookie))) || bytes.Contains([]byte(text), []byte(cookie)) || bytes.Contains([]byte(text), []byte("secret")) || bytes.Contains([]byte(text), []byte("ann")) {
			t.Errorf("a row shows %q", text)
		}
	}
	other := Shared{Store: store, Key: bytes.Repeat([]byte{8}, 32)}
	if _, ok, err := other.Find(t.Context(), cookie, noon); ok || err != nil {
		t.Errorf("with the key of another installation Find = %t, %v", ok, err)
	}
	if v, ok, err := s.Find(t.Context(), cookie, noon); !ok || err != nil || v.Secret != secret {
		t.Errorf("Find = %+v, %t, %v", v, ok, err)
	}
}

// TestSharedVisitIsRarelyWritten: requests within a minute write one row at most.
func TestSharedVisitIsRarelyWritten(t *testing.T) {
	store := newRows()
	s := newShared(store)
	if err := s.Begin(t.Context(), "c", Visit{Secret: "x"}, noon); err != nil {
		t.Fatal(err)
	}
	for i := range 240 {
		if _, ok, err := s.Find(t.Context(), "c", noon.Add(time.Duration(i)*time.Second)); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if store.seen != 3 {
		t.Errorf("240 requests in four minutes wrote %d times, want 3", store.seen)
	}
}

// TestSharedAway: while the database is away nobody is told that they are out.
func TestSharedAway(t *testing.T) {
	store := newRows()
	s := newShared(store)
	store.down = true
	if _, _, err := s.Find(t.Context(), "c", noon); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("Find = %v, want unavailable", err)
	}
	if err := s.Begin(t.Context(), "c", Visit{}, noon); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("Begin = %v, want unavailable", err)
	}
	if err := s.End(t.Context(), "c"); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("End = %v, want unavailable", err)
	}
}

// TestMemoryForgetsTheIdlest: one server keeps a bounded number of browsers.
func TestMemoryForgetsTheIdlest(t *testing.T) {
	m := NewMemory()
	for i := range most + 1 {
		if err := m.Begin(t.Context(), fmt.Sprint(i), Visit{By: ann}, noon.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok, _ := m.Find(t.Context(), "0", noon.Add(time.Hour)); ok || len(m.visits) != most {
		t.Errorf("%d browsers are in, the first among them: %t", len(m.visits), ok)
	}
}
