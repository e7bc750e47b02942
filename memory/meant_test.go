package memory_test

import (
	"fmt"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// TestMeant: who wants everything forgotten is shown all of it, as far as it can end in the mode, and of one thing only that.
func TestMeant(t *testing.T) {
	overStores(t, func(t *testing.T, store memory.Store) {
		s, c := newService(store)
		say := func(n int, by ctxmcp.Caller, at ctxmcp.Scope, text string) string {
			c.set(day(n))
			return remember(t, s, by, memory.Draft{Content: text, Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: at}).ObjectID
		}
		retired := say(1, ann, atHome, "I keep bees.")
		say(1, ann, atHome, "I live at 12 Elm Street, Springfield.")
		say(2, ann, atHome, "I moved to 7 Harbour Road, Bristol.")
		for n := range 60 {
			say(3, ann, atHome, fmt.Sprintf("The box with the number %d stands in the cellar.", n))
		}
		bob := ann
		bob.User = "bob"
		say(3, bob, ctxmcp.Scope{User: "bob"}, "I live in Oslo.")
		if _, err := s.Forget(t.Context(), ann, retired, memory.Retire, "sold"); err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			query       string
			mode        memory.Mode
			shown, held int
		}{
			{"forget everything about me", memory.Retire, 50, 62}, {"everything", "", 50, 62}, {"forget everything about me", memory.Erase, 50, 63},
		} {
			r, err := s.Meant(t.Context(), ann, memory.Ask{Query: tt.query, Scope: atHome}, tt.mode)
			if err != nil || len(r.Memories) != tt.shown || r.Held != tt.held {
				t.Errorf("%q to %s: %d of %d, %v, want %d of %d", tt.query, tt.mode, len(r.Memories), r.Held, err, tt.shown, tt.held)
			}
			for _, m := range r.Memories {
				if m.Object.UserID != "ann" {
					t.Errorf("%q shows what %s said", tt.query, m.Object.UserID)
				}
			}
		}
		for _, query := range []string{"my address", "everything you know about my address"} {
			r, err := s.Meant(t.Context(), ann, memory.Ask{Query: query, Scope: atHome}, memory.Retire)
			if err != nil || len(r.Memories) == 0 || len(r.Memories) > 3 || r.Memories[0].Object.Content != "I moved to 7 Harbour Road, Bristol." {
				t.Errorf("%s: %v, %v", query, r.Memories, err)
			}
		}
		if _, err := s.Meant(t.Context(), ann, memory.Ask{Query: "everything", Scope: atHome, Limit: -1}, memory.Retire); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
			t.Errorf("a limit of -1 is %v", err)
		}
	})
}
