package change

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

var day0 = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// said returns a user's statement of a day.
func said(text string, days int) *Reading {
	return Read(Statement{Text: text, At: day0.AddDate(0, 0, days), Kind: ctxmcp.UserStatement, Authority: ctxmcp.AuthorityUser})
}

// TestPairs: of the pairs in the half that was not looked at while the rules were made, so many are found, and none of the others is
// carried out.
func TestPairs(t *testing.T) {
	type tally struct{ changes, sure, likely, others, falseSure, falseLikely int }
	of := map[string]*tally{"a": {}, "b": {}, "c": {}, "d": {}, "e": {}}
	text, err := os.ReadFile("testdata/pairs.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		parts := strings.Split(strings.TrimSpace(line), " | ")
		if len(parts) != 3 || line[0] == '#' {
			continue
		}
		half, kind, _ := strings.Cut(parts[0], " ")
		n := of[half]
		v := Compare(said(parts[1], 0), said(parts[2], 30), nil)
		if kind == "none" {
			n.others++
			n.falseSure += int(flag(v.Sure()))
			n.falseLikely += int(flag(v.Likely()))
			continue
		}
		if !slices.Contains(Kinds(), Kind(kind)) {
			t.Errorf("%q is no kind", kind)
		}
		n.changes++
		n.sure += int(flag(v.Sure()))
		n.likely += int(flag(v.Likely()))
	}
	for half, n := range of {
		t.Logf("%s: %+v", half, *n)
		if half >= "c" {
			continue
		}
		if n.changes < 50 || 100*n.likely < 75*n.changes || 100*n.sure < 50*n.changes || n.falseSure > 0 || 100*n.falseLikely > 10*n.others {
			t.Errorf("half %s: %+v", half, *n)
		}
	}
}

// TestRules: whatever the words, a statement on lower authority, of another author, or only inferred changes nothing.
func TestRules(t *testing.T) {
	older := Statement{Text: "I live at 12 Elm Street, Springfield.", At: day0, Kind: ctxmcp.UserStatement, Authority: ctxmcp.AuthorityUser}
	newer := Statement{Text: "I moved to 7 Harbour Road, Bristol.", At: day0.AddDate(0, 1, 0), Kind: ctxmcp.UserStatement, Authority: ctxmcp.AuthorityUser}
	if v := Compare(Read(older), Read(newer), nil); !v.Likely() || v.Kind != Move {
		t.Errorf("a move is %+v", v)
	}
	for name, change := range map[string]func(o, n *Statement){
		"lower authority": func(_, n *Statement) { n.Authority = ctxmcp.AuthorityRetrieved },
		"another author":  func(o, n *Statement) { o.Author, n.Author = "Ann", "Ben" },
		"an inference":    func(_, n *Statement) { n.Kind = ctxmcp.Inference },
		"said before":     func(o, n *Statement) { n.At = o.At.AddDate(0, 0, -1) },
		"a long account":  func(_, n *Statement) { n.Text = strings.Repeat(n.Text+" ", 20) },
	} {
		o, n := older, newer
		change(&o, &n)
		if v := Compare(Read(o), Read(n), nil); v != (Verdict{}) {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// TestRanks: a sure change displaces a statement of the same rank or a lower one, whichever that is, and a likely one does not become sure by
// the rank: nothing that an agent inferred changes anything that somebody said.
func TestRanks(t *testing.T) {
	type rank struct {
		kind      ctxmcp.SourceKind
		authority ctxmcp.Authority
	}
	user, agent := rank{ctxmcp.UserStatement, ctxmcp.AuthorityUser}, rank{ctxmcp.Inference, ctxmcp.AuthorityInferred}
	as := func(r rank, text string, days int) *Reading {
		return Read(Statement{Text: text, At: day0.AddDate(0, 0, days), Kind: r.kind, Authority: r.authority})
	}
	for _, of := range []struct {
		older, newer rank
		changes      bool
	}{{user, user, true}, {agent, agent, true}, {agent, user, true}, {user, agent, false}} {
		sure := Compare(as(of.older, "Our allotment is plot 14.", 0), as(of.newer, "We gave up plot 14 and took over plot 31.", 30), nil)
		if sure.Sure() != of.changes || !of.changes && sure != (Verdict{}) {
			t.Errorf("%v after %v: a sure change is %+v", of.newer, of.older, sure)
		}
		likely := Compare(as(of.older, "The plumber we call is Hendrik Vos.", 0), as(of.newer, "We use a different plumber now, Marta Lind.", 30), nil)
		if likely.Sure() || likely.Likely() != of.changes {
			t.Errorf("%v after %v: a likely change is %+v", of.newer, of.older, likely)
		}
	}
}

// TestLineUp: among many statements each gives way to the one that fits it best.
func TestLineUp(t *testing.T) {
	texts := []string{
		"The weekly review is on Monday at 10.", "My dentist appointment is on Monday 23 November.", "I live at 12 Elm Street, Springfield.",
		"My sister lives in Lyon.", "The dentist moved my appointment to Wednesday 25 November.", "We moved the weekly review to Tuesday at 14.",
		"I moved to 7 Harbour Road, Bristol.",
	}
	var all []*Weighed
	for i, text := range texts {
		all = append(all, Weigh(said(text, i), nil))
	}
	got := map[[2]int]bool{}
	for _, l := range LineUp(all, LikelyFrom) {
		got[[2]int{l.Older, l.Newer}] = true
	}
	for _, want := range [][2]int{{0, 5}, {1, 4}, {2, 6}} {
		if !got[want] {
			t.Errorf("%q is not seen to change %q", texts[want[1]], texts[want[0]])
		}
		delete(got, want)
	}
	for wrong := range got {
		t.Errorf("%q is seen to change %q", texts[wrong[1]], texts[wrong[0]])
	}
}

// TestRarity: a word that one statement holds weighs all, and one that many hold less.
func TestRarity(t *testing.T) {
	of := map[string]int{"rare": 1, "common": 50, "new": 0}
	weigh := Rarity(100, func(term string) int { return of[term] })
	if weigh("rare") != 1 || weigh("new") != 1 || !(weigh("common") > 0 && weigh("common") < 0.3) {
		t.Errorf("weights %v %v %v", weigh("rare"), weigh("new"), weigh("common"))
	}
	if w := Rarity(0, func(string) int { return 0 })("any"); w != 1 {
		t.Errorf("in an empty store a word weighs %v", w)
	}
}

// FuzzCompare: any two texts have a verdict in [0, 1], the same each time, and one statement never changes itself.
func FuzzCompare(f *testing.F) {
	f.Add("I live in Rome.", "I moved to Milan.")
	f.Add("`make test`", "'s 's 's no longer _ _ (")
	f.Add("’", "\xff\xfe (((")
	f.Fuzz(func(t *testing.T, a, b string) {
		older, newer := said(a, 0), said(b, 1)
		v := Compare(older, newer, nil)
		if !(v.Probability >= 0 && v.Probability <= 1) || v != Compare(older, newer, nil) {
			t.Errorf("Compare(%q, %q) = %+v", a, b, v)
		}
		if same := Compare(older, said(a, 1), nil); same != (Verdict{}) {
			t.Errorf("%q changes itself: %+v", a, same)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		said("The dentist moved my appointment to Wednesday 25 November, because she is on holiday.", 0)
	}
}

func BenchmarkCompare(b *testing.B) {
	older, newer := said("My dentist appointment is on Monday 23 November.", 0), said("The dentist moved my appointment to Wednesday 25 November.", 1)
	for b.Loop() {
		Compare(older, newer, nil)
	}
}

// TestSince: "since" tells of a change before a time alone.
func TestSince(t *testing.T) {
	for text, want := range map[string]bool{
		"Since May the office has been in Porto.":                 true,
		"The tier has been gold since the middle of March.":       true,
		"We have used the new key since 2024.":                    true,
		"Ben has slept badly since we talked.":                    false,
		"The garden looks dry since nobody waters the tomatoes.":  false,
		"My sister has been happy ever since the dog came to us.": false,
	} {
		if got := Read(Statement{Text: text}).cue.has(cueNow); got != want {
			t.Errorf("%q says how things are now: %t, want %t", text, got, want)
		}
	}
}
