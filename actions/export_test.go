package actions

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// Story is a session in plain text: what the user says, and calls with their results.
type Story struct {
	Title string
	Steps []Step
}

// Step is something that the user says, or a call.
type Step struct {
	Said      string
	Call      Call
	Arguments json.RawMessage
	Result    string
	Verdict   string // echo, clean, or "" for either
}

// Stories reads testdata/sessions.txt.
func Stories() []Story {
	text, err := os.ReadFile("testdata/sessions.txt")
	if err != nil {
		panic(err)
	}
	_, sessions, _ := strings.Cut(string(text), "\n== ")
	var all []Story
	for part := range strings.SplitSeq(sessions, "\n== ") {
		title, body, _ := strings.Cut(part, "\n")
		all = append(all, Story{title, steps(body)})
	}
	return all
}

func steps(body string) []Step {
	var all []Step
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		switch word, rest, _ := strings.Cut(line, " "); word {
		case "user:":
			all = append(all, Step{Said: rest})
		case "|":
			all[len(all)-1].Result += rest + "\n"
		case "call":
			tool, arguments, _ := strings.Cut(rest, " ")
			end := strings.LastIndex(arguments, "}") + 1
			raw := json.RawMessage(arguments[:end])
			all = append(all, Step{Call: Call{Tool: tool, Operation: "call", Parameters: decodeObject(raw)}, Arguments: raw, Verdict: strings.TrimSpace(arguments[end:])})
		}
	}
	return all
}

// MaxLive is how many sessions stay in memory.
const MaxLive = maxLive

// InMemory returns how many sessions are in memory.
func (s *Service) InMemory() int {
	s.live.mu.Lock()
	defer s.live.mu.Unlock()
	return len(s.live.byKey)
}

// Must returns a session.
func (s *Service) Must(t testing.TB, session string) Document {
	t.Helper()
	d, err := s.Context(t.Context(), ctxmcp.Caller{Tenant: "acme", User: "ann"}, ctxmcp.Scope{}, session)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// ResultsIn returns how many results are in the fold of a session in memory.
func (s *Service) ResultsIn(k Key) int {
	v := s.live.take(k, s.Options.withDefaults())
	defer s.live.give(v)
	return v.known.results()
}

// PanicAt makes a signal panic, once, after it was asked for the given number of times, until restore is called.
func PanicAt(name string, after int) (restore func()) {
	for i := range signals {
		if s := &signals[i]; s.name == name {
			find := s.find
			s.find = func(v *view) []ctxmcp.Finding {
				if after--; after == -1 {
					panic("contained")
				}
				return find(v)
			}
			return func() { s.find = find }
		}
	}
	panic("there is no signal " + name)
}
