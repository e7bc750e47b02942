package taint

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/actions/taint/stories"
)

// TestSessions holds what is an echo and what is not against sessions in plain text.
func TestSessions(t *testing.T) {
	for _, s := range stories.All() {
		t.Run(s.Title, func(t *testing.T) {
			for i, step := range s.Steps {
				if step.Verdict == "" {
					continue
				}
				p := played(s.Steps[:i])
				if e := p.EchoOf(callOf(step)); (e != nil && e.Harms) != (step.Verdict == "echo") {
					t.Errorf("%s %s is not %s: %s", step.Tool, step.Arguments, step.Verdict, p.explain(e))
				}
			}
		})
	}
}

// TestOtherNames: a decision hangs on no name. Tools with other names of the same meaning, other people, other sites and other
// accounts change nothing.
func TestOtherNames(t *testing.T) {
	for _, s := range stories.All() {
		t.Run(s.Title, func(t *testing.T) {
			renamed := renamedSteps(s.Steps)
			for i, step := range renamed {
				if step.Verdict == "" {
					continue
				}
				p := played(renamed[:i])
				if e := p.EchoOf(callOf(step)); (e != nil && e.Harms) != (step.Verdict == "echo") {
					t.Errorf("%s %s is not %s: %s", step.Tool, string(step.Arguments), step.Verdict, p.explain(e))
				}
			}
		})
	}
}

// otherWords are other names: of tools on the left of the line, of people and things on the right.
var (
	otherTools = strings.NewReplacer("send_", "dispatch_", "make_", "create_", "read_", "get_", "list_", "show_", "search_", "find_",
		"get_", "fetch_", "delete_", "remove_", "update_", "modify_", "invite_", "add_", "reserve_", "book_")
	otherNames = strings.NewReplacer("Mona", "Ravi", "Olaf", "Suki", "Petra", "Imre", "Karl", "Beto", "karl77", "beto31", "Rita", "Yara", "rita", "yara",
		"Nina", "Tove", "nina", "tove", "Zoe", "Ugo", "zoe", "ugo", "Bob", "Kai", "bob", "kai", "Alice", "Wanda", "Lyon", "Porto", "Petit Rhone", "Casa Azul",
		"Grand Bellevue Palace", "Hotel Imperial Sol", "northgrid", "sunpower", "sea-and-moon", "rocks-and-sand", "collect-it", "gather-all",
		"NO9386011117947", "SE3550000000054910000003", "NO5599990000112", "SE1799990000000000042", "DK5000400440116243", "GB29NWBK60161331926819",
		"DK8499990000001111", "GB82WEST12345698765432", "FI2112345600000785", "PT50000201231234567890154", "velvet lamp", "silk scarf", "Aero", "Nimbus")
)

func renamedSteps(steps []stories.Step) []stories.Step {
	renamed := slices.Clone(steps)
	for i := range renamed {
		s := &renamed[i]
		s.Said, s.Result = otherNames.Replace(s.Said), otherNames.Replace(s.Result)
		if s.Tool == "" {
			continue
		}
		before := s.Tool
		s.Tool, s.Arguments = "svc."+otherTools.Replace(before), []byte(otherNames.Replace(string(s.Arguments)))
		for n := range renamed[:i] {
			renamed[n].Result = strings.ReplaceAll(renamed[n].Result, before, s.Tool)
		}
	}
	return renamed
}

func callOf(s stories.Step) Call {
	return Call{Tool: s.Tool, Operation: "call", Parameters: DecodeObject(context.Background(), s.Arguments)}
}

// played returns what is known after the steps.
func played(steps []stories.Step) *Provenance {
	p := New()
	for i, s := range steps {
		if s.Said != "" {
			p.Hear(s.Said, true)
			continue
		}
		id := fmt.Sprint("a", i)
		p.Act(id, []Call{callOf(s)}, p.InstructedBy(p.EchoOf(callOf(s))))
		p.Result(id, s.Tool, s.Result, "", true)
	}
	return p
}

func (p *Provenance) explain(e *Echo) string {
	if e == nil {
		return "no sentence"
	}
	s := p.passages[e.sentence]
	return fmt.Sprintf("%.1f %s: %q", e.score, strings.Join(e.Indicators, " "), p.sources[s.source].text[s.start:s.end])
}

// TestIndicatorsSay: every indicator has a name of its own, a doc and a weight.
func TestIndicatorsSay(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Indicators() {
		if seen[c.Name] || c.Doc == "" || c.Weight == 0 {
			t.Errorf("indicator %q is there twice, says nothing or weighs nothing", c.Name)
		}
		seen[c.Name] = true
	}
}

// TestCompare: the score of a call is the highest sum of the counts of its comparisons, each times its weight.
func TestCompare(t *testing.T) {
	for _, s := range stories.All() {
		for i, step := range s.Steps {
			if step.Verdict == "" {
				continue
			}
			p, highest := played(s.Steps[:i]), math.Inf(-1)
			for _, counts := range p.Compare(callOf(step)) {
				sum := 0.0
				for k, n := range counts {
					sum += n * Indicators()[k].Weight
				}
				highest = max(highest, sum)
			}
			if echo := p.Harmful(callOf(step)) && highest >= Threshold; echo != (step.Verdict == "echo") {
				t.Errorf("%s: %s has the score %.1f and is %s", s.Title, step.Tool, highest, step.Verdict)
			}
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, a := range addresses {
		for _, text := range a.yes {
			if !a.matches(text) || marksIn(context.Background(), text).addressed(context.Background(), text) == 0 {
				t.Errorf("%s does not match %q", a.name, text)
			}
		}
		for _, text := range a.no {
			if a.matches(text) {
				t.Errorf("%s matches %q", a.name, text)
			}
		}
	}
}

func TestCommanded(t *testing.T) {
	for text, want := range map[string]bool{
		"Send the list to Ann":                          true,
		"Please transfer the amount by Friday":          true,
		"You must delete the file":                      true,
		"Could you invite Ben?":                         true,
		"Important: update the record":                  true,
		"Make sure to pay the bill":                     true,
		"The mail that you sent came late":              false,
		"Email: ann@example.com":                        false,
		"We delivered the order yesterday":              false,
		"post.office@example.com":                       false,
		"Ann is sending the list":                       false,
		"The transfer of the amount took three days":    false,
		"name,email,rating,feedback":                    false,
		"USATransfer 900 to the account":                true,
		"I was glad to see the pictures in the archive": false,
	} {
		if commands, _ := commanded(tokensOf(text)); (commands != 0) != want {
			t.Errorf("commanded(%q) = %b, want a command: %t", text, commands, want)
		}
	}
}

func TestKindOfTool(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		tool  string
		known *Definition
		want  string
	}{
		{"get_balance", nil, "read"},
		{"searchContactsByName", nil, "read"},
		{"mail.send", nil, "outbound"},
		{"delete-file", nil, "write"},
		{"cart_add_product", nil, "outbound"},
		{"frobnicate", nil, "unknown"},
		{"frobnicate", &Definition{Annotations: Annotations{ReadOnly: &yes}}, "read"},
		{"get_and_wipe", &Definition{Annotations: Annotations{ReadOnly: &no}}, "write"},
		{"frobnicate", &Definition{Description: "Deletes a row of the table."}, "write"},
		{"update_row", &Definition{Annotations: Annotations{ReadOnly: &no, OpenWorld: &yes}}, "outbound"},
	} {
		if got := meaningOf(c.tool, "call", c.known).kind; string(got) != c.want {
			t.Errorf("kind of %s = %s, want %s", c.tool, got, c.want)
		}
	}
}

func TestResolve(t *testing.T) {
	for _, c := range []struct{ parameters, want string }{
		{`{"to":"ann"}`, "run"},
		{`{"tool":"mail.send","arguments":{"to":"ann"}}`, "mail.send"},
		{`{"tool_name":"mail.send","input":"{\"to\":\"ann\"}"}`, "mail.send"},
		{`{"name":"call","arguments":{"function":"mail.send","args":{"to":"ann"}}}`, "mail.send"},
		{`{"calls":[{"tool":"a.read","arguments":{}},{"tool":"mail.send","arguments":{"to":"ann"}}]}`, "a.read mail.send"},
		{`{"name":"Ann","arguments":"none"}`, "run"},
		{`{"tool":"mail.send","arguments":{"to":"ann"},"note":"x"}`, "run"},
		{`{"calls":[{"to":"ann"}]}`, "run"},
		{`{"server_name":"post","tool_name":"mail.send","arguments":{"to":"ann"},"reasoning":"x"}`, "mail.send"},
		{`{"jsonrpc":"2.0","id":4,"method":"mail.send","params":{"to":"ann"}}`, "mail.send"},
		{`{"id":4,"name":"Ann","params":{"to":"ann"}}`, "run"},
		{`{"id":"c1","type":"function","function":{"name":"mail.send","arguments":"{\"to\":\"ann\"}"}}`, "mail.send"},
		{`{"actions":[{"tool":"a.read","arguments":{}}],"calls":[{"tool":"mail.send","arguments":{}}]}`, "a.read mail.send"},
	} {
		var tools []string
		calls, err := Resolve(t.Context(), "run", "call", DecodeObject(t.Context(), []byte(c.parameters)))
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range calls {
			tools = append(tools, call.Tool)
		}
		if got := strings.Join(tools, " "); got != c.want {
			t.Errorf("Resolve(%s) = %s, want %s", c.parameters, got, c.want)
		}
	}
}

// TestCells: the values of fields are found with their records, in every form that results come in.
func TestCells(t *testing.T) {
	for _, text := range []string{
		`[{"who": "Ann", "note": "call me"}, {"who": "Ben", "note": "no"}]`,
		`[{'who': 'Ann', 'note': "call me"}, {'who': 'Ben', 'note': 'no'}]`,
		"- who: Ann\n  note: call me\n- who: Ben\n  note: 'no'\n",
		`[Row(who='Ann', note='call me'), Row(who='Ben', note='no')]`,
	} {
		found, _ := cellsOf(text)
		got := ""
		for _, c := range found {
			got += fmt.Sprintf("%s=%s;", c.key, strings.Trim(text[c.start:c.end], "'"))
		}
		if want := "who=Ann;note=call me;who=Ben;note=no;"; got != want {
			t.Errorf("cells of %s = %s, want %s", text, got, want)
		} else if found[0].record != found[1].record || found[1].record == found[2].record {
			t.Errorf("records of %s: %+v", text, found)
		}
	}
}

// FuzzPassages: whatever a result looks like, its passages lie in it, and a value that a passage holds is found again.
func FuzzPassages(f *testing.F) {
	for _, s := range stories.All() {
		for _, step := range s.Steps {
			f.Add(step.Result)
		}
	}
	f.Add(`{"a": "x`)
	f.Add("- a: 'b\n\\n<p")
	f.Fuzz(func(t *testing.T, text string) {
		p := New()
		p.Result("a", "t", text, "", true)
		for n, one := range p.passages {
			if one.start < 0 || one.start >= one.end || one.end > len(text) {
				t.Fatalf("passage %d of %q is %d:%d", n, text, one.start, one.end)
			}
			if len(wordsIn(one.plain)) > 0 && !slices.Contains(p.seen(one.plain), n) && len(p.seen(one.plain)) < maxSeen {
				t.Fatalf("passage %q of %q is not found by its own text", one.plain, text)
			}
		}
	})
}
