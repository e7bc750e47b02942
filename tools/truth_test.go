package tools

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestEverySentenceIsTrue writes random conversations, results, memories and fields, compiles them, and checks each sentence that the server adds
// against the source: how much is left out and where it is, which fields are unknown, which values they have, and who says otherwise.
func TestEverySentenceIsTrue(t *testing.T) {
	said := map[string]int{}
	for seed := range uint64(24) {
		newTruth(t, seed).check(t, said)
	}
	for _, kind := range []string{"messages left out", "characters left out", "unknown", "named", "value"} {
		if said[kind] == 0 {
			t.Errorf("no world says %q: the test proves too little", kind)
		}
	}
}

// truth is a world, with all that its prompt may speak of.
type truth struct {
	*rand.Rand
	services *Services
	messages []any
	marks    []string // of the messages, one in each
	sources  []string
	fields   []string
	results  []any
}

func newTruth(t *testing.T, seed uint64) *truth {
	w := &truth{Rand: rand.New(rand.NewPCG(seed, 3)), services: services(t), results: []any{}}
	w.services.Compiler.Keeper = w.services.Artifacts
	for i := range 4 + w.IntN(30) {
		mark := fmt.Sprintf("mark%dx", i)
		w.marks = append(w.marks, mark)
		text := mark + " " + w.words(3+w.IntN(120))
		switch {
		case i%2 == 0:
			w.messages = append(w.messages, map[string]any{"role": "user", "content": text})
		default:
			w.messages = append(w.messages, map[string]any{"role": "assistant", "content": text})
		}
		w.sources = append(w.sources, text)
	}
	for i := range w.IntN(6) {
		id, text := fmt.Sprintf("past%d", i), w.result()
		w.messages = append(w.messages,
			map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"id": id, "type": "function",
				"function": map[string]any{"name": "read", "arguments": "{}"}}}},
			map[string]any{"role": "tool", "tool_call_id": id, "content": text})
		w.sources = append(w.sources, text)
	}
	for i := range w.IntN(3) {
		text := w.result()
		w.results = append(w.results, map[string]any{"tool_call_id": fmt.Sprintf("now%d", i), "tool": "fetch", "result": text})
		w.sources = append(w.sources, text)
	}
	w.fields = []string{"invoice_number", "vatId", "grand total", "due date", "iban"}
	return w
}

var vocabulary = strings.Fields("import queue ledger parcel glacier oven bridge lantern harbour copper willow meadow signal turbine anchor")

func (w *truth) words(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = vocabulary[w.IntN(len(vocabulary))]
	}
	return strings.Join(all, " ")
}

// result returns what a tool may say: with a field in JSON, a table or a line, or none.
func (w *truth) result() string {
	value := w.IntN(90000) + 10000
	switch w.IntN(6) {
	case 0:
		return fmt.Sprintf(`{"order":{"Invoice-Number":"R-%d","note":%q}}`, value, w.words(w.IntN(300)))
	case 1:
		return fmt.Sprintf("name,Vat ID,city\n%s,DE%d,Bled\n", w.words(1), value)
	case 2:
		return fmt.Sprintf("%s\nGrand Total: %d EUR\n%s", w.words(20), value, w.words(w.IntN(400)))
	case 3:
		var b strings.Builder
		for i := range 20 + w.IntN(200) {
			fmt.Fprintf(&b, "%02d:00 INFO %s %d\n", i%24, w.words(3), w.IntN(5))
		}
		return b.String()
	case 4:
		return "Mind that the due date of this one is near. " + w.words(w.IntN(200))
	default:
		return w.words(10 + w.IntN(500))
	}
}

var (
	saysMessages   = regexp.MustCompile(`\[(\d+) messages? of this conversation left out here, for want of room(?:; get_artifact has (?:the first \d+ of )?them: artifact_id ([^\]]+))?\]`)
	saysCharacters = regexp.MustCompile(`(\d+) characters left out here, for want of room: get_artifact artifact_id=([A-Za-z0-9_.-]+)`)
	saysField      = regexp.MustCompile(`(?m)^- (invoice_number|vatId|grand total|due date|iban): (.*)$`)
	saysShown      = regexp.MustCompile(`… (\d+) of (\d+) lines shown`)
)

func (w *truth) check(t *testing.T, said map[string]int) {
	t.Helper()
	turn := "Settle the open order. " + w.words(4)
	w.sources = append(w.sources, turn)
	budget := []int{700, 1500, 4000}[w.IntN(3)]
	_, raw, err := w.services.Call(t.Context(), "compile_context", map[string]any{
		"user_message": turn, "messages": w.messages, "tool_results": w.results, "fields": w.fields, "max_tokens": budget,
	})
	if ctxmcp.CodeOf(err) == ctxmcp.CodeTooLarge && err != nil {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var out struct{ Messages []struct{ Content string } }
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	var prompt strings.Builder
	for _, m := range out.Messages {
		prompt.WriteString(m.Content + "\n")
	}
	w.checkFields(t, prompt.String(), said)
	w.checkOmissions(t, prompt.String(), said)
}

// checkOmissions checks what is said to be left out against what is not there, and the artifacts against the originals.
func (w *truth) checkOmissions(t *testing.T, prompt string, said map[string]int) {
	t.Helper()
	for _, m := range saysCharacters.FindAllStringSubmatch(prompt, -1) {
		said["characters left out"]++
		text := w.artifact(t, m[2])
		if n := len([]rune(text)); strconv.Itoa(n) != m[1] || !w.isSource(text) {
			t.Errorf("%q: the artifact has %d characters, and is a source: %v", m[0], n, w.isSource(text))
		}
	}
	gone := 0
	for _, m := range saysMessages.FindAllStringSubmatch(prompt, -1) {
		n, _ := strconv.Atoi(m[1])
		gone += n
		said["messages left out"] += n
	}
	missing := 0
	for _, mark := range w.marks {
		if !strings.Contains(prompt, mark+" ") {
			missing++
		}
	}
	missing += 2 * (strings.Count(fmt.Sprint(w.messages...), "past") / 2) // calls and results have no mark
	if gone > 0 && (gone < countMissing(w.marks, prompt) || gone > missing) {
		t.Errorf("%d messages are said to be left out; %d turns of the user and the assistant are", gone, countMissing(w.marks, prompt))
	}
	for _, m := range saysMessages.FindAllStringSubmatch(prompt, -1) {
		if m[2] == "" {
			continue
		}
		kept := ""
		for _, id := range strings.Split(m[2], ", ") {
			kept += w.artifact(t, id)
		}
		if !strings.Contains(kept, "mark") && !strings.Contains(kept, "past") {
			t.Errorf("%q: the artifacts hold no message", m[0])
		}
	}
	for _, m := range saysShown.FindAllStringSubmatch(prompt, -1) {
		n, _ := strconv.Atoi(m[2])
		found := false
		for _, s := range w.sources {
			found = found || strings.Count(strings.TrimRight(s, "\n"), "\n")+1 == n
		}
		if !found {
			t.Errorf("%q: no source has that many lines", m[0])
		}
	}
}

func countMissing(marks []string, prompt string) (n int) {
	for _, mark := range marks {
		if !strings.Contains(prompt, mark+" ") {
			n++
		}
	}
	return n
}

// checkFields checks what is said of the fields against every source.
func (w *truth) checkFields(t *testing.T, prompt string, said map[string]int) {
	t.Helper()
	all := saysField.FindAllStringSubmatch(prompt, -1)
	if len(all) != len(w.fields) {
		t.Errorf("%d of %d fields are spoken of", len(all), len(w.fields))
	}
	for _, m := range all {
		somewhere := false
		for _, s := range w.sources {
			somewhere = somewhere || strings.Contains(letters(s), letters(m[1]))
		}
		switch {
		case strings.HasPrefix(m[2], "unknown"):
			said["unknown"]++
			if somewhere {
				t.Errorf("%q, though a source names it", m[0])
			}
		case strings.HasPrefix(m[2], "named in") || strings.HasPrefix(m[2], "not given under"):
			said["named"]++
			if strings.HasPrefix(m[2], "named in") && !somewhere {
				t.Errorf("%q, though no source does", m[0])
			}
		default:
			said["value"]++
			if value := strings.Trim(m[2], `"`); !w.holds(value) || !somewhere {
				t.Errorf("%q: no source has the value under the name", m[0])
			}
		}
	}
}

func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

func (w *truth) holds(value string) bool {
	for _, s := range w.sources {
		if strings.Contains(s, value) {
			return true
		}
	}
	return false
}

func (w *truth) isSource(text string) bool {
	for _, s := range w.sources {
		if s == text {
			return true
		}
	}
	return false
}

func (w *truth) artifact(t *testing.T, id string) string {
	t.Helper()
	by := ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.HighlyRestricted, Authority: ctxmcp.AuthorityUser}
	text, err := w.services.Artifacts.Text(t.Context(), by, ctxmcp.Scope{User: "ann"}, id)
	if err != nil {
		t.Errorf("%s: %v", id, err)
	}
	return text
}
