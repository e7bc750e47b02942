package memory_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

// TestStanding: confirmations raise a memory and corrections lower it, within bounds; being shown alone counts for little, and all of it fades.
func TestStanding(t *testing.T) {
	after := func(o memory.Outcome, times int) float64 {
		var e memory.Experience
		for range times {
			e = e.With(o, day(0))
		}
		return e.Standing(day(0))
	}
	if shown, confirmed := after(memory.WasShown, 1000), after(memory.WasConfirmed, 1); !(0 < shown && shown < confirmed/1.5) {
		t.Errorf("shown a thousand times it stands at %v, confirmed once at %v", shown, confirmed)
	}
	for _, o := range memory.Outcomes() {
		for _, times := range []int{1, 2, 50} {
			if s := after(o, times); s < -1 || s > 1 || (s < 0) != (o == memory.WasCorrected || o == memory.WasForgotten) {
				t.Errorf("%s %d times it stands at %v", o, times, s)
			}
		}
	}
	e := memory.Experience{}.With(memory.WasConfirmed, day(1))
	if now, later, past := e.Standing(day(1)), e.Standing(day(400)), e.Standing(day(0)); !(later < now/100) || past != now {
		t.Errorf("it stands at %v, and at %v after a year; before it was confirmed at %v", now, later, past)
	}
	if diff := cmp.Diff(memory.Experience{Confirmed: 1, Shown: 1, Score: e.Score, Last: day(1)}, e.With(memory.WasShown, day(0))); diff != "" {
		t.Errorf("an earlier outcome that is told later differs (-want +got):\n%s", diff)
	}
}

// learning returns a service that learns from use, with five statements of which each answers one question as well.
func learning(t *testing.T, o memory.Options) (*memory.Service, *clock, []string) {
	s, c := newService(&inmem.Store{})
	s.Options = o
	var ids []string
	for _, name := range []string{"Ada", "Bea", "Cleo", "Dora", "Edda"} {
		ids = append(ids, remember(t, s, ann, memory.Draft{
			Content: fmt.Sprintf("%s repairs old clocks.", name), Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: atHome,
		}).ObjectID)
	}
	return s, c, ids
}

// firstOf asks who repairs clocks, and returns the number of the first answer.
func firstOf(t *testing.T, s *memory.Service, by ctxmcp.Caller, ids []string) int {
	t.Helper()
	r, err := s.Recall(t.Context(), by, memory.Ask{Query: "Who repairs clocks?", Scope: atHome})
	if err != nil || len(r.Memories) != len(ids) {
		t.Fatalf("recall = %d memories, %v", len(r.Memories), err)
	}
	for i, id := range ids {
		if r.Memories[0].Object.ObjectID == id {
			return i
		}
	}
	return -1
}

// TestLearnsFromUse: of answers that are as good the one that was confirmed comes first, for the user who confirmed it, as long as memory is to
// learn from use.
func TestLearnsFromUse(t *testing.T) {
	for _, learn := range []bool{true, false} {
		s, c, ids := learning(t, memory.Options{LearnFromUse: learn, TrackUse: true})
		before := firstOf(t, s, ann, ids)
		c.set(start.Add(time.Hour))
		for _, i := range []int{1, 1, 1} {
			remember(t, s, ann, memory.Draft{
				Content: fmt.Sprintf("%s repairs old clocks.", []string{"Ada", "Bea"}[i]), Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: atHome,
			})
		}
		if err := s.KeepUses(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := before
		if learn {
			want = 1
		}
		if got := firstOf(t, s, ann, ids); got != want {
			t.Errorf("learning %v: answer %d comes first, want %d", learn, got, want)
		}
		known, err := s.Experiences(t.Context(), ann, ids)
		if err != nil || learn != (known[ids[1]].Confirmed == 3 && known[ids[1]].Shown == 1) || !learn && len(known) > 0 {
			t.Errorf("learning %v: the experiences are %v, %v", learn, known, err)
		}
		bob := ann
		bob.User = "bob"
		if known, err := s.Experiences(t.Context(), bob, ids); err != nil || len(known) > 0 {
			t.Errorf("bob has the experiences %v, %v", known, err)
		}
	}
}

// TestCorrectionsAreLearned: an object that was corrected or forgotten, and is held again, stands lower, and an erased one leaves no experience.
func TestCorrectionsAreLearned(t *testing.T) {
	s, c, ids := learning(t, memory.Options{LearnFromUse: true})
	c.set(start.Add(time.Hour))
	if _, err := s.Forget(t.Context(), ann, ids[4], memory.Retire, "wrong"); err != nil {
		t.Fatal(err)
	}
	remember(t, s, ann, memory.Draft{Content: "Cleo mends watches.", Supersedes: ids[2], Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: atHome})
	known, err := s.Experiences(t.Context(), ann, ids)
	if err != nil || known[ids[4]].Forgotten != 1 || known[ids[2]].Corrected != 1 {
		t.Errorf("the experiences are %v, %v", known, err)
	}
	if r := s.RankOf(known[ids[4]]); !(r < 0 && r > -0.2) {
		t.Errorf("to be forgotten adds %v to the rank", r)
	}
	if _, err := s.Forget(t.Context(), ann, ids[4], memory.Erase, "gone"); err != nil {
		t.Fatal(err)
	}
	if known, err := s.Experiences(t.Context(), ann, ids); err != nil || len(known) != 1 {
		t.Errorf("after an erasure the experiences are %v, %v", known, err)
	}
}
