package foreign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

// TestSamples: the samples are read as expected. The one of server-memory was written by that server, over MCP.
func TestSamples(t *testing.T) {
	for _, sample := range []string{"server-memory.jsonl", "mem0.json"} {
		text, err := os.ReadFile("testdata/" + sample)
		if err != nil {
			t.Fatal(err)
		}
		f, ok := Detect(text)
		if !ok {
			t.Fatalf("Detect(%s) knows no form", sample)
		}
		got := "What is read of " + sample + ", which is " + f.Name + ".\n"
		for m, err := range f.Read(t.Context(), iotest.OneByteReader(strings.NewReader(string(text)))) {
			if err != nil {
				t.Fatal(err)
			}
			got += written(m)
		}
		golden.Want(t, "testdata/"+sample+".golden", got)
	}
}

// written returns a memory as text, one field a line.
func written(m Memory) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nline %d, %s: %s\n", m.Line, m.ID, m.Content)
	if !m.Claim.IsZero() {
		fmt.Fprintf(&b, "  claim: %s, beside others: %v\n", m.Claim, m.Beside)
	}
	for _, at := range []struct {
		name string
		time time.Time
	}{{"observed", m.ObservedAt}, {"until", m.ValidUntil}} {
		if !at.time.IsZero() {
			fmt.Fprintf(&b, "  %s: %s\n", at.name, at.time.Format(time.RFC3339Nano))
		}
	}
	fmt.Fprintf(&b, "  owner %q, author %q, place %q, provenance %v, unkept %q\n", m.Owner, m.Author, m.Place, m.Provenance, m.Unkept)
	return b.String()
}

func read(t *testing.T, form, text string) ([]Memory, error) {
	t.Helper()
	f, ok := Find(form)
	if !ok {
		t.Fatalf("there is no form %q", form)
	}
	var all []Memory
	for m, err := range f.Read(t.Context(), strings.NewReader(text)) {
		if err != nil {
			return all, err
		}
		all = append(all, m)
	}
	return all, nil
}

func TestDetect(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, tt := range []struct{ head, want string }{
		{`{"type":"entity","name":"a"`, "server-memory"},
		{"\ufeff\n {\"observations\":[\"" + long + `"], "type":"relation"}`, "server-memory"},
		{`{"type":"other"}`, ""},
		{`{"object_id":"0190","content":"x"}`, ""},
		{`[{"memory":"x"}`, "mem0"},
		{"  [", "mem0"},
		{`{"count":2,"next":null,"results":[{"memory":"` + long, "mem0"},
		{`{"memories":[]}`, "mem0"},
		{`{"count":2,`, ""},
		{"", ""},
		{"hello", ""},
		{`"results"`, ""},
	} {
		f, ok := Detect([]byte(tt.head))
		if f.Name != tt.want || ok != (tt.want != "") {
			t.Errorf("Detect(%q) = %q, %v, want %q", tt.head, f.Name, ok, tt.want)
		}
	}
}

func TestEmpty(t *testing.T) {
	for _, tt := range []struct{ form, text string }{
		{"server-memory", ""}, {"server-memory", "\n\r\n"}, {"mem0", ""}, {"mem0", "[]"}, {"mem0", `{"results":[]}`},
		{"mem0", `{"results":null,"relations":[]}`}, {"server-memory", `{"type":"entity","name":"a","entityType":"","observations":[" "]}`},
	} {
		if got, err := read(t, tt.form, tt.text); len(got) > 0 || err != nil {
			t.Errorf("%s of %q = %v, %v, want nothing", tt.form, tt.text, got, err)
		}
	}
}

func TestRefused(t *testing.T) {
	const good = `{"type":"relation","from":"a","to":"b","relationType":"c"}` + "\n"
	for _, tt := range []struct{ form, text, want string }{
		{"server-memory", good + "\n{", "line 3: the file ends too early"},
		{"server-memory", good + good + "x", "line 3: not valid JSON, from here on"},
		{"server-memory", good + `7`, `line 2: it must be an object`},
		{"server-memory", good + `null`, `line 2: it must be an object`},
		{"server-memory", good + `{"type":"secret-value"}`, `line 2: field "type" is neither "entity" nor "relation"`},
		{"server-memory", good + `{"type":"entity","observations":[]}`, `line 2: field "name" is missing or empty`},
		{"server-memory", `{"type":"entity","name":"a","observations":"b"}`, `line 1: field "observations" must be a list of texts`},
		{"server-memory", `{"type":"relation","from":"a","to":"b"}`, `line 1: field "relationType" is missing or empty`},
		{"server-memory", `{"type":"entity","name":"\ud800"}`, `line 1: the escape \ud800 at byte 25 is half of a surrogate pair`},
		{"server-memory", "{\"type\":\"entity\",\"name\":\"a\xff\"}", `line 1: invalid UTF-8 at byte 26`},
		{"mem0", "[\n\n7]", "line 3: it must be an object"},
		{"mem0", "[{\"memory\":\"a\"},\n{\"memory\":\" \"}]", `line 2: field "memory" is missing or empty`},
		{"mem0", `[{"memory":"a","created_at":"soon"}]`, `line 1: field "created_at" is not a time`},
		{"mem0", `[{"memory":"a","user_id":["x"]}]`, `line 1: field "user_id" must be a text`},
		{"mem0", "{\"results\":\n{}}", `line 2: field "results" must be a list`},
		{"mem0", "{\"results\":[{\"memory\":\"a\"}\n", "line 2: the file ends too early"},
		{"mem0", `[{"memory":"a"}`, "line 1: the file ends too early"},
		{"mem0", `[{"memory":"a"`, "line 1: the file ends too early"},
		{"mem0", `{"results":[]`, "line 1: the file ends too early"},
		{"mem0", "[]\n[]", "line 2: the export has ended before this line"},
		{"mem0", `{"count":0}`, `line 1: it has no "results"`},
		{"mem0", "7", "line 1: it is neither a list nor an object"},
	} {
		_, err := read(t, tt.form, tt.text)
		if ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid || !strings.Contains(fmt.Sprint(err), tt.want) {
			t.Errorf("%s of %q: %v, want %q", tt.form, tt.text, err, tt.want)
		}
	}
}

// TestReadStops: who has seen enough, or is interrupted, is left alone.
func TestReadStops(t *testing.T) {
	for range mem0.Read(t.Context(), strings.NewReader(`[{"memory":"a"},{"memory":"b"}]`)) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range serverMemory.Read(ctx, strings.NewReader("{}")) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Read of a cancelled context: %v", err)
		}
	}
	broken := errors.New("broken")
	for _, err := range serverMemory.Read(t.Context(), iotest.ErrReader(broken)) {
		if !errors.Is(err, broken) {
			t.Errorf("Read of a broken reader: %v", err)
		}
	}
}

func TestStated(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Port: 8443", "x | port | 8443"},
		{"Favourite colour: dark green.", "x | favourite colour | dark green"},
		{"Note: the port has changed", ""},
		{"https://example.org", ""},
		{"He said this: nothing of it is true", ""},
		{"One two three four: five", ""},
		{"Port: ...", ""},
		{"lives in Berlin", "x | lives_in | Berlin"},
		{"User lives in New York.", "x | lives_in | New York"},
		{"X works for Acme", "x | works_at | Acme"},
		{"Lives in Berlin and Paris", ""},
		{"Lives in Berlin, mostly", ""},
		{"Lives in Berlin until May", ""},
		{"Does not live in Berlin", ""},
		{"Prefers tea", ""},
		{"lives in ", ""},
		{"Port: 1\nPort: 2", ""},
		{"Port: " + strings.Repeat("9", longest+1), ""},
	} {
		if got := stated("x", tt.text).String(); got != tt.want {
			t.Errorf("stated(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
	if got := stated("", "lives in Berlin"); !got.IsZero() {
		t.Errorf("a text about nobody claims %v", got)
	}
}

// TestPageListsForms: every form is on the page in its own words.
func TestPageListsForms(t *testing.T) {
	page, err := os.ReadFile("../../../docs/format/foreign.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Formats() {
		if row := "| `" + f.Name + "` | " + f.Doc + " |"; !strings.Contains(string(page), row) {
			t.Errorf("the page lacks the row %s", row)
		}
		if !strings.Contains(string(page), "\n## "+f.Name+"\n") {
			t.Errorf("the page says nothing of %s", f.Name)
		}
	}
}
