package memory_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// askedScore counts how the questions of a kind are answered: an answer first, all of them before anything else but one, something that must not come,
// and the memories that were shown.
type askedScore struct{ asks, first, all, wrong, shown int }

func (s askedScore) String() string {
	return fmt.Sprintf("%3d asks: first %3d, all %3d, wrong %3d, shown %3d", s.asks, s.first, s.all, s.wrong, s.shown)
}

// TestAsked: a question for what somebody must not have brings their allergies, diets and illnesses first and no other rule; one for
// another rule brings that; one that nothing answers brings little. A run with -v prints the questions that are answered otherwise.
func TestAsked(t *testing.T) { scoreAsked(t, "testdata/asks", askedFloors, t.Logf) }

// TestFrozenAsked: the same of households that were written before the rules, and not looked at while they were made; it names no question.
func TestFrozenAsked(t *testing.T) {
	scoreAsked(t, "testdata/asks/frozen", frozenFloors, func(string, ...any) {})
}

// askedFloors are the least numbers of first and of all answers, and the most of wrong and of shown memories, by kinds.
var askedFloors = map[string]askedScore{
	"limit": {first: 31, all: 31, shown: 104}, "counter": {first: 13, all: 13, wrong: 1, shown: 34},
	"found": {first: 3, all: 5, wrong: 1, shown: 18}, "noise": {shown: 23},
}

// frozenFloors are those of the households that were not looked at.
var frozenFloors = map[string]askedScore{
	"limit": {first: 19, all: 20, wrong: 3, shown: 82}, "counter": {first: 7, all: 9, wrong: 1, shown: 18},
	"found": {first: 5, all: 5, wrong: 1, shown: 9}, "noise": {shown: 8},
}

// TestTools: a question for a kind of tool brings the held tool of that kind, and a task brings the tool that it needs, before rules that only share
// "we use"; a question for another kind brings little.
func TestTools(t *testing.T) { scoreAsked(t, "testdata/tools", toolFloors, t.Logf) }

// TestFrozenTools: the same of a team that was written before the table of tools, and names no question.
func TestFrozenTools(t *testing.T) {
	scoreAsked(t, "testdata/tools/frozen", frozenToolFloors, func(string, ...any) {})
}

// toolFloors are as askedFloors. A task has a brief, which holds the rules behind the tool that it needs.
var toolFloors = map[string]askedScore{"which": {first: 5, all: 5, wrong: 3, shown: 8}, "task": {first: 2, all: 3, wrong: 2, shown: 26}, "none": {}}

// frozenToolFloors are those of the team that was not looked at.
var frozenToolFloors = map[string]askedScore{"which": {first: 5, all: 5, shown: 5}, "task": {first: 2, all: 2, wrong: 3, shown: 36}, "none": {}}

// TestTimes: a question that names a time is answered with the state of then, one for a time to come with the state to come, and one for the present with today's.
func TestTimes(t *testing.T) { scoreAsked(t, "testdata/times", timeFloors, t.Logf) }

// TestFrozenTimes: the same of a family and a company that were written before the rules, and names no question.
func TestFrozenTimes(t *testing.T) {
	scoreAsked(t, "testdata/times/frozen", frozenTimeFloors, func(string, ...any) {})
}

// timeFloors are as askedFloors.
var timeFloors = map[string]askedScore{
	"past": {first: 14, all: 13, shown: 74}, "event": {first: 7, all: 7, shown: 25}, "future": {first: 7, all: 8, shown: 22}, "now": {first: 10, all: 10, shown: 18},
}

// frozenTimeFloors are those of the lives that were not looked at.
var frozenTimeFloors = map[string]askedScore{
	"past": {first: 11, all: 15, shown: 52}, "event": {first: 3, all: 6, shown: 23}, "future": {first: 6, all: 7, shown: 23}, "now": {first: 7, all: 9, shown: 25},
}

func scoreAsked(t *testing.T, folder string, floors map[string]askedScore, miss func(string, ...any)) {
	lives, err := labelled.ReadLives(folder)
	if err != nil {
		t.Fatal(err)
	}
	scores := map[string]*askedScore{}
	for _, l := range lives {
		askHousehold(t, l, scores, miss)
	}
	for kind, s := range scores {
		t.Logf("%-8s %v", kind, s)
		if f := floors[kind]; s.first < f.first || s.all < f.all || s.wrong > f.wrong || s.shown > f.shown {
			t.Errorf("questions of the kind %s: %v, want %v or better", kind, s, f)
		}
	}
}

func askHousehold(t *testing.T, l labelled.Life, scores map[string]*askedScore, miss func(string, ...any)) {
	now := time.Date(2026, 2, 10, 9, 0, 0, 0, time.UTC)
	askLife(t, l, now, memory.Ask{}, func(a labelled.LifeAsk, got []string, r memory.Recalled) {
		if scores[a.Kind] == nil {
			scores[a.Kind] = &askedScore{}
		}
		if !scores[a.Kind].add(a, got) {
			miss("%s %s: %q wants %v, not %v: %v brief=%v", l.Name, a.Kind, a.Text, a.Answers, a.Outdated, got, r.Brief)
		}
	})
}

// add counts an answer and reports whether it is wholly right.
func (s *askedScore) add(a labelled.LifeAsk, got []string) bool {
	s.asks, s.shown = s.asks+1, s.shown+len(got)
	if len(a.Answers) == 0 {
		return len(got) == 0
	}
	right := func(n string) bool { return slices.Contains(a.Answers, n) }
	head, wrong := got[:min(len(got), len(a.Answers)+1)], slices.ContainsFunc(got, func(n string) bool { return slices.Contains(a.Outdated, n) })
	first := len(got) > 0 && right(got[0])
	all := !slices.ContainsFunc(a.Answers, func(n string) bool { return !slices.Contains(head, n) })
	for _, c := range []struct {
		is    bool
		count *int
	}{{first, &s.first}, {all, &s.all}, {wrong, &s.wrong}} {
		if c.is {
			*c.count++
		}
	}
	return first && all && !wrong
}
