package memory

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/extract"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// TestTargetIsNotWhatIsClose: a statement is what an act concerns only if it says that, and little else.
func TestTargetIsNotWhatIsClose(t *testing.T) {
	tests := []struct {
		act, statement string
		want           bool
	}{
		{"I paid the electricity bill", "I need to pay the electricity bill this week", true},
		{"I paid the electricity bill", "I need to pay the gas bill", false},
		{"I paid the electricity bill", "I need to contest the electricity bill", false},
		{"I finished planning the garden party", "I need to plan a garden party soon", true},
		{"I finished planning the garden party", "I need to plan a garden party, order the tent and send out all invitations", false},
		{"I used to like books about jazz, but not anymore", "I really like reading about jazz", true},
		{"I used to like books about jazz, but not anymore", "I really like films about jazz", false},
		{"I used to like books about jazz, but not anymore", "I really dislike books about jazz", false},
		{"We moved the design retro to April 16", "I have the design retro scheduled for April 9", true},
		{"We moved the design retro to April 16", "I have the design review scheduled for April 9", false},
		{"I sold the car", "I have a car in the garage", false}, // the garage may stay
		{"I sold the car", "We have the car", true},
		{"I sold the car", "I need to wash the car", false},
	}
	for _, tt := range tests {
		acts, held := extract.Read(tt.act).Acts, extract.Read(tt.statement).Stances
		if len(acts) != 1 || len(held) != 1 {
			t.Errorf("%q has acts %+v, %q has stances %+v, want one of each", tt.act, acts, tt.statement, held)
			continue
		}
		target := newTarget(acts[0])
		found := ranking.Found{Documents: 10, Length: 60, Frequency: map[string]int{}}
		for _, term := range language.Terms(tt.statement) {
			found.Frequency[term] = 1
		}
		target.rank = ranking.NewBM25(target.terms, found)
		if got := isAbout(acts[0], held[0]) && target.isNamedBy(held[0].Value); got != tt.want {
			t.Errorf("%q concerns %q: %v, want %v", tt.act, tt.statement, got, tt.want)
		}
	}
}
