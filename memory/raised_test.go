package memory_test

import (
	"slices"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// TestSaidAgainOnHigherAuthority: the same words on higher authority take the place of those on lower, so that one copy is held, and none once it is
// forgotten; on lower authority, of somebody else or of another time they do not. The pairs were written before the rule.
func TestSaidAgainOnHigherAuthority(t *testing.T) {
	const user, agent, tool, web = ctxmcp.UserStatement, ctxmcp.Inference, ctxmcp.ToolOutput, ctxmcp.Web
	for _, tt := range []struct {
		first, again string
		from, to     ctxmcp.SourceKind
		author       string // of the second
		held         int
		source       ctxmcp.SourceKind // of the newest that is held
	}{
		{"The user prefers trains to planes.", "The user prefers trains to planes.", agent, user, "", 1, user},
		{"The allotment has a shed.", "the allotment has a shed", agent, user, "", 1, user},
		{"Rehearsals are in the crypt.", "Rehearsals are in the crypt.", tool, user, "", 1, user},
		{"The kiln holds twelve bowls.", "The kiln holds twelve bowls.", web, user, "", 1, user},
		{"Grandma takes the early bus.", "Grandma takes the early bus.", agent, user, "", 1, user},
		{"The depot closes at noon on Saturdays.", "The depot closes at noon on Saturdays.", web, agent, "", 1, agent},
		// It is no rise, or not the same.
		{"The kiln holds twelve bowls.", "The kiln holds twelve bowls.", user, user, "", 1, user},
		{"The allotment has a shed.", "The allotment has a pond.", agent, user, "", 2, user},
		{"Rehearsals are in the crypt.", "Rehearsals are in the crypt.", agent, user, "Moira", 2, user},
		{"Grandma takes the early bus.", "Grandma takes the bus that leaves early, as a rule.", agent, user, "", 2, user},
		{"The depot closes at noon on Saturdays.", "The depot closes at noon on Saturdays.", agent, agent, "", 1, agent},
	} {
		s, clock := newService(stores["inmem"](t))
		var last memory.Remembered
		for n, text := range []string{tt.first, tt.again} {
			clock.set(day(n))
			d := memory.Draft{Content: text, Source: memory.Source{Kind: tt.from}, Scope: atHome}
			if n == 1 {
				d.Source.Kind, d.Author = tt.to, tt.author
			}
			if d.Source.Kind == web {
				d.Source.Origin = "https://a.example"
			}
			last = remember(t, s, ann, d)
		}
		held := func() []memory.Memory {
			r, err := s.Recall(t.Context(), ann, memory.Ask{Newest: true, Scope: atHome})
			if err != nil {
				t.Fatal(err)
			}
			return r.Memories
		}
		got := held()
		if len(got) != tt.held || got[0].Object.SourceKind != tt.source {
			t.Errorf("%q by %s, then %q by %s: %d are held, %+v", tt.first, tt.from, tt.again, tt.to, len(got), last)
			continue
		}
		if _, err := s.Forget(t.Context(), ann, last.ObjectID, memory.Retire, "asked to"); err != nil {
			t.Fatal(err)
		}
		if again := slices.ContainsFunc(held(), func(m memory.Memory) bool { return m.Object.Content == tt.again && m.Object.Author == tt.author }); again {
			t.Errorf("%q is held once it is forgotten", tt.again)
		}
	}
}
