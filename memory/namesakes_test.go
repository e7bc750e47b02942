package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// namesake is a story of people of one name: the last statement is of a bare name that two bear, or not.
type namesake struct {
	held  []string
	last  string
	asked int // how many are held of the name, where the user is asked which one is meant
	ended int // memories that it displaces
}

// namesakes were written before the rule.
var namesakes = []namesake{
	// Two of the name.
	{held: []string{"Tom plays the cello.", "My other friend Tom is a plumber from Leeds."}, last: "Tom moved to Berlin.", asked: 2},
	{held: []string{"Tom lives in Leeds.", "My other friend Tom lives in Hull."}, last: "Tom moved to Berlin.", asked: 2},
	{held: []string{"My sister Anna lives in Porto.", "My colleague Anna lives in Graz."}, last: "Anna moved to Lisbon.", asked: 2},
	{held: []string{"Nadia runs the choir.", "Another Nadia works at the bakery."}, last: "Nadia is on holiday.", asked: 2},
	{held: []string{"My neighbour Igor has a drill.", "My uncle Igor has a boat."}, last: "Igor sold the boat.", asked: 2},
	{held: []string{"My friend Lucy is vegan.", "My other friend Lucy eats meat.", "My cousin Lucy keeps bees."}, last: "Lucy is ill.", asked: 3},
	{held: []string{"Omar fixed the roof.", "My other friend Omar teaches chess."}, last: "Omar has a new number: 0171 5566778.", asked: 2},
	// One of the name, or the words tell which.
	{held: []string{"Tom plays the cello.", "Tom is a plumber from Leeds."}, last: "Tom moved to Berlin."},
	{held: []string{"My sister Anna lives in Porto.", "My colleague Anna lives in Graz."}, last: "My sister Anna moved to Lisbon.", ended: 1},
	{held: []string{"My friend Tom plays the cello."}, last: "My friend Tom moved to Berlin."},
	{held: []string{"Ruth is my aunt.", "My other aunt lives in Bath."}, last: "Ruth moved to York."},
	{held: []string{"Paul lives in Oslo.", "The other day Paul came by."}, last: "Paul moved to Rome.", ended: 1},
	{held: []string{"Lena has a dog.", "Her other dog is called Rex."}, last: "Lena moved to Kiel."},
	{held: []string{"Marek lives in Brno.", "I heard another Marek record."}, last: "Marek moved to Prague.", ended: 1},
	{held: []string{"Tom plays the cello.", "My other friend Tom is a plumber from Leeds."}, last: "My other friend Tom moved to Berlin."},
}

// TestNamesakes: a statement about a bare name that two bear is attributed to neither, ends nothing of either, and the reply asks which one is meant; a
// review waits for the answer.
func TestNamesakes(t *testing.T) {
	for i, story := range namesakes {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			store := stores["sqlite"](t)
			s, clock := newService(store)
			s.Entities = store.(entities.Registry)
			for n, text := range story.held {
				clock.set(day(n))
				if r := tell(t, s, atHome, text); len(r.Warnings) > 0 {
					t.Errorf("%q warns: %q", text, r.Warnings)
				}
			}
			clock.set(day(30))
			d := memory.Draft{Content: story.last, Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: atHome, IdempotencyKey: "once"}
			for range 2 { // the second time it is the kept answer
				r := remember(t, s, ann, d)
				story.check(t, r.Warnings, len(r.Displaced))
				reviews, err := s.Reviews(t.Context(), ann, 0)
				if err != nil || len(reviews) != min(story.asked, 1) {
					t.Errorf("%q: %d reviews, %v", story.last, len(reviews), err)
				}
				for _, item := range reviews {
					if len(item.Candidates) != story.asked || !strings.Contains(r.Warnings[0], item.ID) {
						t.Errorf("%q: the review %s has %d candidates, and the reply says %q", story.last, item.ID, len(item.Candidates), r.Warnings)
					}
				}
			}
		})
	}
}

func (story namesake) check(t *testing.T, warnings []string, displaced int) {
	t.Helper()
	if displaced != story.ended {
		t.Errorf("%q displaces %d, want %d", story.last, displaced, story.ended)
	}
	if story.asked == 0 {
		if len(warnings) > 0 {
			t.Errorf("%q warns: %q", story.last, warnings)
		}
		return
	}
	if len(warnings) != 1 || !strings.HasPrefix(warnings[0], fmt.Sprintf("%d of the name", story.asked)) {
		t.Errorf("%q warns %q, want %d of the name", story.last, warnings, story.asked)
		return
	}
	for _, text := range story.held {
		if !strings.Contains(warnings[0], fmt.Sprintf("%q", text)) {
			t.Errorf("%q: %q does not quote %q", story.last, warnings[0], text)
		}
	}
}
