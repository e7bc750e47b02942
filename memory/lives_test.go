package memory_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// lifeScore counts how the questions of a kind are answered.
type lifeScore struct{ asks, first, three, ten, oldFirst, old, sure int }

func (s lifeScore) String() string {
	return fmt.Sprintf("%3d asks: first %3d, in three %3d, in ten %3d, outdated first %2d of %2d, sure %d", s.asks, s.first, s.three, s.ten, s.oldFirst, s.old, s.sure)
}

// TestLives: of everyday questions to everyday lives, so many at least are answered as a person would answer them. A run with -v
// prints those that are not.
func TestLives(t *testing.T) { scoreLives(t, "testdata/lives", lifeFloors, t.Logf) }

// TestUnreadLives: the same of lives that nobody read who wrote a rule or a table; it names no question.
func TestUnreadLives(t *testing.T) {
	scoreLives(t, "testdata/lives/unread", unreadFloors, func(string, ...any) {})
}

// scoreLives tells the lives of a folder and compares how their questions are answered with floors, by kinds.
func scoreLives(t *testing.T, folder string, floors map[string]lifeScore, miss func(string, ...any)) {
	lives, err := labelled.ReadLives(folder)
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]*lifeScore{}
	for _, l := range lives {
		of := map[string]*lifeScore{}
		live(t, l, of, miss)
		for kind, s := range of {
			t.Logf("%-12s %-8s %v", l.Name, kind, s)
			if scores[kind] == nil {
				scores[kind] = &lifeScore{}
			}
			scores[kind].join(s)
		}
	}
	for kind, s := range scores {
		t.Logf("%-12s %-8s %v", "all", kind, s)
		if least := floors[kind]; s.first < least.first || s.ten < least.ten || s.oldFirst > least.oldFirst || s.sure > least.sure {
			t.Errorf("of the questions of the kind %s too few are answered: %v, want %+v or better", kind, s, least)
		}
	}
}

// join adds the counts of another score.
func (s *lifeScore) join(o *lifeScore) {
	s.asks, s.first, s.three, s.ten = s.asks+o.asks, s.first+o.first, s.three+o.three, s.ten+o.ten
	s.oldFirst, s.old, s.sure = s.oldFirst+o.oldFirst, s.old+o.old, s.sure+o.sure
}

// lifeFloors is the number of questions of each kind that are answered at least, and how many may begin with what is outdated, or be answered surely
// though nothing answers them. The weights of the ranking are fitted to these lives among others: the figures that count are those of fits that
// did not see them (make fit-recall SETS=everyday).
var lifeFloors = map[string]lifeScore{
	"same": {first: 38, ten: 40}, "other": {first: 134, ten: 212, oldFirst: 1}, "updated": {first: 142, ten: 196, oldFirst: 42},
	"who": {first: 51, ten: 56}, "start": {first: 44, ten: 77}, "none": {sure: 2},
}

// unreadFloors are those of the lives that nobody read.
var unreadFloors = map[string]lifeScore{
	"same": {first: 21, ten: 21}, "other": {first: 62, ten: 122, oldFirst: 1}, "updated": {first: 57, ten: 95, oldFirst: 39},
	"who": {first: 25, ten: 30}, "start": {first: 11, ten: 29}, "none": {sure: 1},
}

// live tells a life and scores the answers to its questions.
func live(t *testing.T, l labelled.Life, scores map[string]*lifeScore, miss func(string, ...any)) {
	now := time.Date(2026, 7, 10, 9, 0, 0, 0, time.UTC)
	askLife(t, l, now, memory.Ask{Limit: 10, MaxTokens: 1000}, func(a labelled.LifeAsk, got []string, r memory.Recalled) {
		if scores[a.Kind] == nil {
			scores[a.Kind] = &lifeScore{}
		}
		if !scores[a.Kind].add(a, got, r) {
			miss("%s %s: %q wants %v, not %v: %v brief=%v", l.Name, a.Kind, a.Text, a.Answers, a.Outdated, got, r.Brief)
		}
	})
}

// askLife tells a life to a memory of its own, asks its questions at an instant, each with the bounds of ask, and hands on the names of the facts
// in each answer, in its order.
func askLife(t *testing.T, l labelled.Life, now time.Time, ask memory.Ask, each func(a labelled.LifeAsk, got []string, r memory.Recalled)) {
	t.Helper()
	s, clock := newService(stores["sqlite"](t))
	ask.Scope = ctxmcp.Scope{User: ann.User, Project: l.Name}
	name := map[string]string{} // of an object
	for _, f := range l.Facts {
		clock.set(f.Day)
		r := remember(t, s, ann, memory.Draft{Content: f.Text, Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: ask.Scope})
		name[r.ObjectID] = f.Name
	}
	clock.set(now)
	for _, a := range l.Asks {
		ask.Query = a.Text
		r, err := s.Recall(t.Context(), ann, ask)
		if err != nil {
			t.Fatalf("Recall(%q) = %v", a.Text, err)
		}
		var got []string
		for _, m := range r.Memories {
			got = append(got, name[m.Object.ObjectID])
		}
		each(a, got, r)
	}
}

// add counts an answer and reports whether its first memory is right.
func (s *lifeScore) add(a labelled.LifeAsk, got []string, r memory.Recalled) bool {
	s.asks++
	if len(a.Answers) == 0 {
		sure := len(r.Memories) > 0 && r.Memories[0].Relevance >= 0.5
		if sure {
			s.sure++
		}
		return !sure
	}
	place := slices.IndexFunc(got, func(n string) bool { return slices.Contains(a.Answers, n) })
	old := slices.IndexFunc(got, func(n string) bool { return slices.Contains(a.Outdated, n) })
	for _, c := range []struct {
		within int
		count  *int
	}{{1, &s.first}, {3, &s.three}, {10, &s.ten}} {
		if place >= 0 && place < c.within {
			*c.count++
		}
	}
	if len(a.Outdated) > 0 {
		s.old++
		if old >= 0 && (place < 0 || old < place) {
			s.oldFirst++
		}
	}
	return place == 0
}
