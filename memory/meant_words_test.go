package memory_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// TestMeantHoldsTheWords: a memory that holds the words is offered first, also one that has ended and nothing else finds, and to nobody who may not see it.
func TestMeantHoldsTheWords(t *testing.T) {
	overStores(t, func(t *testing.T, store memory.Store) {
		s, c := newService(store)
		say := func(n int, by ctxmcp.Caller, at ctxmcp.Scope, class ctxmcp.Classification, text string) string {
			c.set(day(n))
			return remember(t, s, by, memory.Draft{Content: text, Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: at, Classification: class}).ObjectID
		}
		triodos := say(1, ann, atHome, "", "I bank with Triodos.")
		say(2, ann, atHome, "", "I switched banks, I'm with ING now.")
		ended := say(3, ann, atHome, "", "My locker at Triodos has the number 12.")
		if _, err := s.Forget(t.Context(), ann, ended, memory.Retire, "gone"); err != nil {
			t.Fatal(err)
		}
		say(3, ann, atHome, "", "My sister Ana has a problem with her health.")
		say(3, ann, atHome, "", "My own health is good.")
		bob := ann
		bob.User = "bob"
		say(3, bob, ctxmcp.Scope{User: "bob"}, "", "I owe Triodos money.")
		say(3, ann, atHome, ctxmcp.HighlyRestricted, "The key of Triodos hangs in the hall.")
		low := ann
		low.Clearance = ctxmcp.Restricted
		for _, tt := range []struct {
			query string
			first []string // contents, in order
			ended []bool
		}{
			{"Triodos", []string{"I bank with Triodos.", "My locker at Triodos has the number 12."}, []bool{false, true}},
			{"forget that I bank with Triodos", []string{"I bank with Triodos."}, nil},
			{"my Triodos account", []string{"I switched banks, I'm with ING now.", "I bank with Triodos.", "My locker at Triodos has the number 12."}, nil},
			{"my health", []string{"My own health is good.", "My sister Ana has a problem with her health."}, nil},
		} {
			for _, mode := range memory.Modes() {
				r, err := s.Meant(t.Context(), low, memory.Ask{Query: tt.query, Scope: atHome}, mode)
				var texts []string
				for i, m := range r.Memories {
					texts = append(texts, m.Object.Content)
					if i < len(tt.ended) && m.Ended != tt.ended[i] {
						t.Errorf("%q: %q has ended: %v", tt.query, m.Object.Content, m.Ended)
					}
				}
				if err != nil || len(texts) < len(tt.first) || !slices.Equal(texts[:len(tt.first)], tt.first) {
					t.Errorf("%q: %q, %v, want %q first", tt.query, texts, err, tt.first)
				}
				if slices.Contains(texts, "I owe Triodos money.") || slices.Contains(texts, "The key of Triodos hangs in the hall.") {
					t.Errorf("%q shows what ann may not see: %q", tt.query, texts)
				}
			}
		}
		for _, mode := range []memory.Mode{memory.Retire, memory.Archive} {
			_, err := s.Forget(t.Context(), ann, ended, mode, "again")
			if e := (&ctxmcp.Error{}); !errors.As(err, &e) || e.Code != ctxmcp.CodeConflict || !strings.Contains(e.Hint, "hard_delete") {
				t.Errorf("%s of what has ended: %v", mode, err)
			}
		}
		for _, id := range []string{triodos, ended} {
			if _, err := s.Forget(t.Context(), ann, id, memory.Erase, "asked to"); err != nil {
				t.Error(err)
			}
		}
		r, err := s.Meant(t.Context(), low, memory.Ask{Query: "Triodos", Scope: atHome}, memory.Erase)
		for _, m := range r.Memories {
			if strings.Contains(m.Object.Content, "Triodos") {
				t.Errorf("after the erasure there is %q", m.Object.Content)
			}
		}
		if err != nil {
			t.Error(err)
		}
	})
}
