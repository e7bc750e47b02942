package memory_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// TestEverythingAboutAPerson: a memory that names somebody, by any name and in any version, is theirs; one of a namesake is not, nor one in another
// project or another's.
func TestEverythingAboutAPerson(t *testing.T) {
	overRegistries(t, func(t *testing.T, s *memory.Service) {
		root := who(t, tell(t, s, inWeb, "Samuel Ortiz (Sam) leads the payments team."), "Samuel Ortiz").EntityID
		tell(t, s, inWeb, "The keys are with sam, who has them in the desk.")
		old := tell(t, s, inWeb, "The invoices are signed by Samuel Ortiz every month.")
		tell(t, s, inWeb, "The same people meet on Mondays in the large room.")
		tell(t, s, ctxmcp.Scope{User: "ann"}, "Our neighbour Sam Ortega waters the plants.")
		tell(t, s, inAPI, "Our on-call is Sam, who likes green.")
		if _, err := s.Forget(t.Context(), ann, old.ObjectID, memory.Retire, "it is over"); err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			named           string
			everywhere      bool
			want, elsewhere int
		}{
			{root, false, 3, 1}, {"Sam", false, 3, 1}, {"samuel ortiz", false, 3, 1}, {root, true, 3, 0}, {"Sam", true, 4, 0}, {"large room", false, 1, 0},
		} {
			got, err := s.About(t.Context(), ann, memory.AboutAsk{Named: []string{tt.named}, Project: "web", Everywhere: tt.everywhere})
			var texts []string
			for _, o := range got.Memories {
				texts = append(texts, o.Content)
			}
			if err != nil || len(texts) != tt.want || got.Elsewhere != tt.elsewhere {
				t.Errorf("About(%q, everywhere %t) = %d memories and %d elsewhere, %v, want %d and %d:\n%s", tt.named, tt.everywhere, len(texts), got.Elsewhere, err, tt.want, tt.elsewhere, strings.Join(texts, "\n"))
			}
		}
		bob := ann
		bob.User = "bob"
		if _, err := s.About(t.Context(), bob, memory.AboutAsk{Named: []string{"Sam", root}, Everywhere: true}); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
			t.Errorf("another user is told %v, want not_found", err)
		}
		got, err := s.About(t.Context(), ann, memory.AboutAsk{Named: []string{root}, Project: "web"})
		if err != nil || !slices.Contains(got.Names, "Sam") {
			t.Errorf("names %v, %v, want Sam among them", got.Names, err)
		}
	})
}
