package ranking

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestRivals: of two statements that answer a question otherwise the later one comes first, though the earlier one has more of its words; unless
// the question is for what was, or the later one is of a page or of another author.
func TestRivals(t *testing.T) {
	const older, newer = "The dentist is Dr Dunn in Mill Street.", "Dr Dunn has retired, Dr Kiss is our new one."
	ofBen := said(newer)
	ofBen.Author = "Ben"
	for _, tt := range []struct {
		name, question string
		newer          ctxmcp.ContextObject
		want           string
	}{
		{"it is now", "Who is our dentist?", said(newer), newer},
		{"it was", "Who was our dentist before?", said(newer), older},
		{"a page", "Who is our dentist?", page(newer), older},
		{"another author", "Who is our dentist?", ofBen, older},
		{"another thing", "Who is our dentist?", said("We have changed the carpet in the hall."), older},
	} {
		tt.newer.TenantID = tt.name // a version never changes: it is read once
		got := ask(tt.question, said(older), tt.newer)
		if len(got) == 0 || got[0].Object.Content != tt.want {
			t.Errorf("%s: %q is answered by %v, want %q first", tt.name, tt.question, contents(got), tt.want)
		}
		for i := 1; i < len(got); i++ {
			if got[i].Relevance > got[i-1].Relevance {
				t.Errorf("%s: the relevance of place %d rises", tt.name, i)
			}
		}
	}
}

func contents(ranked []Ranked) (all []string) {
	for _, r := range ranked {
		all = append(all, r.Object.Content)
	}
	return all
}
