package memory_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// markStory tells a memory, one that may outdate it, and the fate of that one, step by step.
type markStory struct {
	old, marker string
	steps       []markStep
	// by is the text by which the old memory may be outdated at the end; "": it holds without a mark.
	by string
	// gone reports that the old memory is not recalled any more.
	gone bool
}

// markStep replaces the memory with a text, or ends it in a mode. A replacement without a text ends.
type markStep struct {
	what string // text of the memory
	with string // text that takes its place
	mode memory.Mode
}

func replaced(what, with string) markStep           { return markStep{what: what, with: with} }
func forgotten(what string, m memory.Mode) markStep { return markStep{what: what, mode: m} }

var markStories = []markStory{
	// The memory that set the mark gave way to a later one: the mark names that one.
	{old: "Choir practice is on Mondays.", marker: "Choir practice may be on Tuesdays.",
		steps: []markStep{replaced("Choir practice may be on Tuesdays.", "Choir practice is on Thursdays.")}, by: "Choir practice is on Thursdays."},
	{old: "The spare key hangs in the hall.", marker: "The spare key could be in the shed.",
		steps: []markStep{replaced("The spare key could be in the shed.", "The spare key lies under the pot."), replaced("The spare key lies under the pot.", "The spare key is with Olga.")},
		by:    "The spare key is with Olga."},
	{old: "Invoices go to Petra.", marker: "Invoices probably go to Malik.",
		steps: []markStep{
			replaced("Invoices probably go to Malik.", "Invoices go to Suzan."), replaced("Invoices go to Suzan.", "Invoices go to Dirk."), replaced("Invoices go to Dirk.", "Invoices go to Wanda."),
		}, by: "Invoices go to Wanda."},
	{old: "Backups run at two.", marker: "Backups seem to run at four.",
		steps: []markStep{replaced("Backups seem to run at four.", "Backups run at five."), forgotten("Backups seem to run at four.", memory.Retire)}, by: "Backups run at five."},
	{old: "The cat eats tinned tuna.", marker: "The cat may want dry pellets.",
		steps: []markStep{replaced("The cat may want dry pellets.", "The cat gets boiled chicken.")}, by: "The cat gets boiled chicken."},
	{old: "Grandpa's room is on floor two.", marker: "Grandpa's room may be on floor three.",
		steps: []markStep{replaced("Grandpa's room may be on floor three.", "Grandpa's room is on floor five.")}, by: "Grandpa's room is on floor five."},
	// Nothing took its place: the old memory holds without a mark.
	{old: "Boots cost ninety francs.", marker: "Boots might cost eighty francs.",
		steps: []markStep{forgotten("Boots might cost eighty francs.", memory.Retire)}},
	{old: "Our van has a tow bar.", marker: "Our van may have a winch.",
		steps: []markStep{forgotten("Our van may have a winch.", memory.Archive)}},
	{old: "The allotment is number nine.", marker: "The allotment may be number ten.",
		steps: []markStep{forgotten("The allotment may be number ten.", memory.Erase)}},
	{old: "Lessons begin at eight.", marker: "Lessons may begin at nine.",
		steps: []markStep{replaced("Lessons may begin at nine.", "Lessons begin at ten."), forgotten("Lessons begin at ten.", memory.Retire)}},
	{old: "The boiler is serviced in May.", marker: "The boiler may be serviced in June.",
		steps: []markStep{replaced("The boiler may be serviced in June.", "The boiler is serviced in July."), forgotten("The boiler is serviced in July.", memory.Erase)}},
	{old: "Stand twelve is ours.", marker: "Stand twelve may be theirs.",
		steps: []markStep{replaced("Stand twelve may be theirs.", "Stand thirteen is theirs."), forgotten("Stand thirteen is theirs.", memory.Archive)}},
	// Nothing happened to it, and the old one itself was replaced.
	{old: "The pool opens at six.", marker: "The pool may open at seven.", by: "The pool may open at seven."},
	{old: "The ferry leaves pier four.", marker: "The ferry may leave pier two.",
		steps: []markStep{replaced("The ferry leaves pier four.", "The ferry leaves pier one.")}, gone: true},
}

// TestMarkFollows: a memory that may be outdated stays so when another takes the place of the one that outdates it, and holds again without a
// mark as soon as nothing of that is held.
func TestMarkFollows(t *testing.T) {
	overStores(t, func(t *testing.T, store memory.Store) {
		s, c := newService(store)
		for i, story := range markStories {
			at := ctxmcp.Scope{User: ann.User, Project: fmt.Sprintf("p%d", i)}
			ids := map[string]string{}
			day0 := 1 + i*10
			say := func(n int, d memory.Draft) string {
				c.set(day(day0 + n))
				d.Scope, d.Source = at, memory.Source{Kind: ctxmcp.UserStatement}
				r := remember(t, s, ann, d)
				ids[d.Content] = r.ObjectID
				return r.ObjectID
			}
			say(0, memory.Draft{Content: story.old})
			say(1, memory.Draft{Content: story.marker})
			mark := memory.Change{Mark: []memory.Marking{{Tenant: ann.Tenant, ObjectID: ids[story.old], By: ids[story.marker]}}}
			if err := store.Apply(t.Context(), mark); err != nil {
				t.Fatal(err)
			}
			for n, step := range story.steps {
				if step.mode != "" {
					c.set(day(day0 + n + 2))
					if _, err := s.Forget(t.Context(), ann, ids[step.what], step.mode, "asked to"); err != nil {
						t.Fatalf("%q: %v", step.what, err)
					}
					continue
				}
				say(n+2, memory.Draft{Content: step.with, Supersedes: ids[step.what]})
			}
			c.set(day(day0 + 9))
			for _, ask := range []memory.Ask{{Query: story.old, Scope: at, MinRelevance: new(0.0)}, {Newest: true, Scope: at}} {
				r, err := s.Recall(t.Context(), ann, ask)
				if err != nil {
					t.Fatal(err)
				}
				story.check(t, r.Memories, ids[story.by], !ask.Newest)
			}
			r, err := s.Recall(t.Context(), ann, memory.Ask{Scope: at})
			if err != nil {
				t.Fatal(err)
			}
			if held := slices.ContainsFunc(r.Memories, story.isOld); held != (story.by == "" && !story.gone) {
				t.Errorf("%q: is in a brief: %v", story.old, held)
			}
		}
	})
}

func (story markStory) isOld(m memory.Memory) bool { return m.Object.Content == story.old }

// check compares the mark and the place of the old memory with the expected ones.
func (story markStory) check(t *testing.T, found []memory.Memory, by string, ordered bool) {
	t.Helper()
	old := slices.IndexFunc(found, story.isOld)
	if (old < 0) != story.gone {
		t.Errorf("%q is recalled: %v, want %v", story.old, old >= 0, !story.gone)
		return
	}
	if old < 0 {
		return
	}
	if got := found[old].Object.MaybeOutdatedBy; got != by {
		t.Errorf("%q is marked by %q, want %q", story.old, got, by)
	}
	newer := slices.IndexFunc(found, func(m memory.Memory) bool { return m.Object.ObjectID == by })
	if by != "" && ordered && (newer < 0 || newer > old) {
		t.Errorf("%q stands at %d, and what outdates it at %d", story.old, old, newer)
	}
}
