package actions

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestSessions holds what is an echo and what is not against sessions in plain text.
func TestSessions(t *testing.T) {
	text, err := os.ReadFile("testdata/sessions.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, sessions, _ := strings.Cut(string(text), "\n== ")
	for part := range strings.SplitSeq(sessions, "\n== ") {
		title, body, _ := strings.Cut(part, "\n")
		t.Run(title, func(t *testing.T) { runSession(t, body) })
	}
}

// runSession plays a session up to the call that has a verdict.
func runSession(t *testing.T, body string) {
	p := newProvenance()
	var call Call
	var id, result string
	finish := func() {
		if id != "" {
			p.result(id, call.Tool, result, "")
		}
		id, result = "", ""
	}
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		switch word, rest, _ := strings.Cut(line, " "); word {
		case "user:":
			finish()
			p.hear(rest)
		case "|":
			result += rest + "\n"
		case "call":
			finish()
			tool, arguments, _ := strings.Cut(rest, " ")
			end := strings.LastIndex(arguments, "}") + 1
			parameters := decodeObject(json.RawMessage(arguments[:end]))
			if parameters == nil {
				t.Fatalf("%s: the arguments are no object", line)
			}
			call, id = Call{tool, "call", parameters}, line
			e := p.echoOf(call)
			got := e != nil && e.harms
			if want := strings.TrimSpace(arguments[end:]); want != "" && got != (want == "echo") {
				t.Errorf("%s: echo = %t, want %s: %s", line, got, want, p.explain(e))
			}
			p.act(id, []Call{call}, p.toldBy(e))
		}
	}
}

func (p *provenance) explain(e *echo) string {
	if e == nil {
		return "no sentence"
	}
	pass := &p.passages[e.sentence]
	raw, _ := json.Marshal(e.score)
	return string(raw) + " " + strings.Join(e.clues, " ") + ": " + p.sources[pass.source].text[pass.start:pass.end]
}
