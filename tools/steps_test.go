package tools

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

// corpus are written worlds of memories, and steps of agents in them: what the context of a step must hold, and what it must not.
type corpus struct {
	Worlds map[string][]map[string]any `json:"worlds"`
	Steps  []written                   `json:"steps"`
}

// written is a request in a world.
type written struct {
	Name, Kind, World string
	Request           map[string]any
	Must              []string // ids of memories, or texts behind "="; alternatives with "|"
	MustNot           []string `json:"must_not"`
	FallsShort        string   `json:"falls_short"` // why it is not right yet
}

// swapped puts the long results in the place of their names.
func swapped(v any) any {
	switch v := v.(type) {
	case string:
		switch v {
		case "@log":
			return matchLog()
		case "@invoices":
			return invoiceList()
		}
	case []any:
		for i := range v {
			v[i] = swapped(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = swapped(v[k])
		}
	}
	return v
}

func matchLog() string {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "2026-11-19T08:%02d:%02dZ INFO match %d tick ok players=%d\n", i/60, i%60, 1000+i, 8+i%5)
		if i == 251 {
			b.WriteString("2026-11-19T08:04:11Z ERROR match 1207 desync: checksum differs at tick 88\n")
		}
	}
	return b.String()
}

func invoiceList() string {
	var rows []string
	for i := range 300 {
		rows = append(rows, fmt.Sprintf(`{"invoice":%d,"status":"paid","cents":%d,"customer":"w-%d"}`, 4000+i, 1000+i*7, i%40))
	}
	return "[" + strings.Join(rows, ",") + `,{"invoice":4301,"status":"overdue","cents":99900,"customer":"w-7"}]`
}

// TestSteps compiles the contexts of the written steps: outdated facts, assent, guidance in other words than the request's, tight budgets. A step
// that falls short says why, and is not let by once it is right.
func TestSteps(t *testing.T) {
	right := map[string]int{}
	compileSteps(t, "testdata/steps.json", func(step written, world string, wrong []string) {
		switch {
		case len(wrong) > 0 && step.FallsShort == "":
			t.Errorf("%s (%s, %s): %s", step.Name, step.Kind, world, strings.Join(wrong, "; "))
		case len(wrong) == 0 && step.FallsShort != "":
			t.Errorf("%s (%s, %s) is right now: take falls_short out", step.Name, step.Kind, world)
		case len(wrong) == 0:
			right[step.Kind]++
		}
	})
	t.Logf("right: %v", right)
}

// TestOtherSteps compiles the contexts of steps whose author did not know the rules. Those of the one file were read when rules were made, those of
// the other were only counted: they tell how a rule carries over. The usual run takes the files that were only counted.
func TestOtherSteps(t *testing.T) {
	files := []struct {
		name  string
		floor int
	}{
		{"unread", 20}, {"desks_frozen", 13}, {"trades_frozen", 16}, {"scenes_frozen", 14}, {"crafts_frozen", 15}, {"rules_frozen", 17}, {"questions_frozen", 8},
		{"read", 28}, {"desks_read", 12}, {"trades_read", 16}, {"scenes_read", 15}, {"crafts_read", 20}, {"rules_read", 20}, {"questions_read", 4},
	}
	for _, f := range files[:rounds.Of(7, len(files))] {
		file, floor := "testdata/steps_"+f.name+".json", f.floor
		right, all := map[string]int{}, map[string]int{}
		sum := 0
		compileSteps(t, file, func(step written, _ string, wrong []string) {
			if all[step.Kind]++; len(wrong) == 0 {
				right[step.Kind]++
				sum++
			}
		})
		t.Logf("%s: %d right: %v of %v", file, sum, right, all)
		if sum < floor {
			t.Errorf("%s: %d steps are right, fewer than %d", file, sum, floor)
		}
	}
}

// compileSteps tells the worlds of a file to a server each, compiles the contexts of their steps, and has each judged by its faults.
func compileSteps(t *testing.T, file string, judge func(step written, world string, wrong []string)) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all corpus
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	for world, told := range all.Worlds {
		s := services(t)
		s.Compiler.Keeper = s.Artifacts
		ids := 0
		s.Memory.NewID = func() string { ids++; return fmt.Sprintf("00000000-0000-4000-8000-%012d", ids) }
		texts := map[string]string{}
		for _, m := range told {
			texts[m["id"].(string)] = m["content"].(string)
			draft := map[string]any{"observed_at": m["at"].(string) + "T09:00:00Z", "source": map[string]any{"kind": "user_statement"}}
			for k, v := range m {
				if k != "id" && k != "at" {
					draft[k] = v
				}
			}
			if text, _, err := s.Call(t.Context(), "remember", draft); err != nil {
				t.Fatal(text, err)
			}
		}
		for _, step := range all.Steps {
			if step.World != world {
				continue
			}
			if step.Request["user_message"] == "" {
				delete(step.Request, "user_message")
			}
			text, out, err := s.Call(t.Context(), "compile_context", swapped(step.Request))
			if err != nil {
				t.Errorf("%s: %v\n%s", step.Name, err, text)
				continue
			}
			judge(step, world, faultsOf(promptOf(t, out), texts, step.Must, step.MustNot))
		}
	}
}

// promptOf returns the texts of the messages.
func promptOf(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var out struct{ Messages []struct{ Content any } }
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range out.Messages {
		all = append(all, fmt.Sprint(m.Content))
	}
	return strings.Join(all, "\n")
}

func faultsOf(prompt string, texts map[string]string, must, mustNot []string) (wrong []string) {
	holds := func(name string) bool {
		if text, literal := strings.CutPrefix(name, "="); literal {
			return strings.Contains(prompt, text)
		}
		return strings.Contains(prompt, strings.TrimSuffix(texts[name], "."))
	}
	for _, m := range must {
		found := false
		for _, name := range strings.Split(m, "|") {
			found = found || holds(name)
		}
		if !found {
			wrong = append(wrong, m+" is missing")
		}
	}
	for _, m := range mustNot {
		if holds(m) {
			wrong = append(wrong, m+" is in")
		}
	}
	return wrong
}
