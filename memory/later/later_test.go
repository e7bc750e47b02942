package later_test

import (
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/memory/later"
)

// TestLineUp: a later statement leaves the one behind that it says otherwise of, and none that it only shares a word with.
func TestLineUp(t *testing.T) {
	texts := []string{
		"The gym bag stands behind the door of the office.",
		"Orders are packed in the cellar by Ruben.",
		"The parking permit of the van is renewed in the town hall.",
		"Ruben has left; since June the orders are packed by Ines in the barn.",
	}
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	lined := func(authority ctxmcp.Authority, kind ctxmcp.SourceKind) []later.Link {
		var all []*later.Statement
		for i, text := range texts {
			st := change.Statement{Text: text, At: day.AddDate(0, i, 0), Kind: ctxmcp.UserStatement, Authority: ctxmcp.AuthorityUser}
			if i == len(texts)-1 {
				st.Authority, st.Kind = authority, kind
			}
			all = append(all, later.New(text, change.Weigh(change.Read(st), nil)))
		}
		return later.LineUp(all, func(string) float64 { return 1 }, 0.5)
	}
	if got := lined(ctxmcp.AuthorityUser, ctxmcp.UserStatement); len(got) != 1 || got[0].Older != 1 || got[0].Newer != 3 {
		t.Errorf("LineUp = %v, want that the packing of the orders is left behind alone", got)
	}
	if got := lined(ctxmcp.AuthorityInferred, ctxmcp.Inference); len(got) != 0 {
		t.Errorf("LineUp = %v: an agent's conclusion leaves no statement of the user behind", got)
	}
}

// TestAgain: forms of a word are one word.
func TestAgain(t *testing.T) {
	older, newer := later.New("The invoices are printed.", nil), later.New("We print every invoice on paper.", nil)
	if share, words := older.Again(newer); share < 0.99 || words != 2 {
		t.Errorf("Again = %.2f, %d words; want all of two words", share, words)
	}
}
