package actions

import (
	"encoding/json"
	"os"
	"strings"
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
