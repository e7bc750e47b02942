package reduce

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/conversation"
)

// TestEverySentenceIsTrue: whatever the conversation, each sentence that a reduction adds is true of the messages: how many are left out, in which
// artifact and on which line each line of a digest stands and who said it, how long a result is, and which of its lines are shown.
func TestEverySentenceIsTrue(t *testing.T) {
	checked := map[string]int{}
	for seed := range 60 {
		w := &writer{Rand: seeded(1000 + seed), format: []conversation.Format{conversation.OpenAI, conversation.Anthropic}[seed%2]}
		all, k := w.conversation(), newKeeper()
		r := Request{Format: w.format, Messages: all[:cutAt(w, all)], Target: 300 + w.IntN(2000)}
		out, err := newService(k).Reduce(t.Context(), caller, place0, r)
		if err != nil {
			t.Fatal(err)
		}
		messages, err := conversation.Decode(w.format, out.Messages)
		if err != nil {
			t.Fatal(err)
		}
		repaired := strings.Contains(strings.Join(out.Warnings, " "), "repaired")
		digested := 0
		for _, m := range messages {
			for _, p := range m.Parts {
				if strings.HasPrefix(p.Text, digestOpen) {
					n, err := trueOfDigest(p.Text, k.kept, checked)
					if digested += n; err != nil {
						t.Errorf("seed %d: %v\n%s", seed, err, p.Text)
					}
					if left := len(r.Messages) - len(out.Messages) + 1; n != left && !repaired {
						t.Errorf("seed %d: the digest stands for %d messages, %d are left out", seed, n, left)
					}
				}
				if err := trueOfReference(p.Text, k.kept, checked); err != nil {
					t.Errorf("seed %d: %v\n%s", seed, err, p.Text)
				}
			}
		}
		if digested != out.Removed {
			t.Errorf("seed %d: the digest stands for %d messages, the answer says %d", seed, digested, out.Removed)
		}
	}
	for _, form := range []string{"heading", "line", "name", "reference", "mark"} {
		if checked[form] == 0 {
			t.Errorf("no %s was written", form)
		}
	}
}

// TestFalseSentencesAreFound: the check above finds false sentences.
func TestFalseSentencesAreFound(t *testing.T) {
	archive, _ := writeArchive([]segment{{at: 2, source: fromUser, text: "we deploy on Friday\nnever on Monday"}, {at: 3, source: fromResult, label: "run", text: "port 8080 is open"}})
	kept := map[string]string{"h1": archive, "r1": "one\ntwo\nthree"}
	open := digestOpen + "2" + digestHelp + " a=h1]\n"
	for _, tt := range []struct {
		text string
		want bool
	}{
		{open + digestUser + "@a2 user\nwe deploy on Friday\n" + containment.Frame("x", digestOrigin, "@a5 run\nport 8080 is open\n"+digestNames+"8080"), true},
		{open + digestUser + "@a2 user\nwe deploy on Monday\n", false},
		{open + digestUser + "@a3 user\nwe deploy on Friday\n", false},
		{open + containment.Frame("x", digestOrigin, "@a2 run\nport 8080 is open"), true},
		{open + containment.Frame("x", digestOrigin, "@a5 rm\nport 8080 is open"), false},
		{open + containment.Frame("x", digestOrigin, digestNames+"9090"), false},
		{strings.Replace(open, "h1", "h2", 1), false},
	} {
		if _, err := trueOfDigest(tt.text, kept, map[string]int{}); (err == nil) != tt.want {
			t.Errorf("trueOfDigest(%q) = %v, want true %t", tt.text, err, tt.want)
		}
	}
	for text, want := range map[string]bool{
		reference("r1", kept["r1"], "one\n[line 3]\nthree") + "one\n[line 3]\nthree": true,
		reference("r1", kept["r1"], "one\n[line 2]\nthree") + "one\n[line 2]\nthree": false,
		reference("r1", "one\ntwo", "one") + "one":                                   false,
		reference("r1", kept["r1"], "one two") + "one":                               false,
		reference("r2", kept["r1"], "one") + "one":                                   false,
	} {
		if err := trueOfReference(text, kept, map[string]int{}); (err == nil) != want {
			t.Errorf("trueOfReference(%q) = %v, want true %t", text, err, want)
		}
	}
}

var headingForm = regexp.MustCompile(`^@([a-z]+)(\d+)(?: (.+))?$`)

// digestReader holds the place of a digest that is read.
type digestReader struct {
	archives map[string]string // by letter
	archive  string
	line     int
	who      string
	checked  map[string]int
}

// trueOfDigest returns how many messages a digest says that it stands for, and an error for the first of its lines that is false.
func trueOfDigest(text string, kept map[string]string, checked map[string]int) (int, error) {
	m := digestForm.FindStringSubmatch(text)
	if m == nil {
		return 0, errors.New("the digest has no heading")
	}
	n, _ := strconv.Atoi(m[1])
	r := digestReader{archives: map[string]string{}, checked: checked}
	for _, pair := range strings.Fields(m[2]) {
		name, id, _ := strings.Cut(pair, "=")
		if r.archives[name] = kept[id]; kept[id] == "" {
			return n, fmt.Errorf("artifact %s is not kept", id)
		}
	}
	for _, line := range strings.Split(text[len(m[0]):], "\n") {
		if err := r.read(line); err != nil {
			return n, err
		}
	}
	return n, nil
}

// read checks one line of a digest.
func (r *digestReader) read(line string) error {
	if names, is := strings.CutPrefix(line, digestNames); is {
		return r.names(names)
	}
	if m := headingForm.FindStringSubmatch(line); m != nil {
		r.checked["heading"]++
		r.archive, r.line = r.archives[m[1]], 0
		r.line, _ = strconv.Atoi(m[2])
		if m[3] != "" {
			r.who = m[3]
		}
		if r.archive == "" {
			return fmt.Errorf("there is no artifact %s", m[1])
		}
		return nil
	}
	if strings.TrimSpace(line) == "" || formLine.MatchString(line) {
		r.who = "" // a new section says who speaks
		return nil
	}
	r.checked["line"]++
	if !r.said(line) {
		return fmt.Errorf("%q is not by %s, from line %d on", line, r.who, r.line)
	}
	return nil
}

// said reports whether the line stands in the artifact from the place on, by whom the digest says.
func (r *digestReader) said(line string) bool {
	segs, begin := readArchive(r.archive)
	for i, s := range segs {
		who := s.label
		if s.source.said() {
			who = string(s.source)
		}
		if s.source == fromCall {
			who += " called"
		}
		if who = containment.Origin(who); r.who != "" && who != r.who {
			continue
		}
		for row, source := range strings.Split(s.text, "\n") {
			if begin[i]+row >= r.line && within(line, source) {
				return true
			}
		}
	}
	return false
}

func (r *digestReader) names(list string) error {
	for _, name := range strings.Fields(list) {
		r.checked["name"]++
		if !slices.ContainsFunc(slices.Collect(maps.Values(r.archives)), func(text string) bool { return strings.Contains(text, name) }) {
			return fmt.Errorf("the name %q occurs nowhere", name)
		}
	}
	return nil
}

// within reports whether the words of a line are among those of its source, in their order.
func within(line, source string) bool {
	words := strings.Fields(source)
	for _, w := range strings.Fields(line) {
		at := slices.Index(words, w)
		if at < 0 {
			return false
		}
		words = words[at+1:]
	}
	return true
}

var (
	figures  = regexp.MustCompile(`^\[Tool output: ([\d,]+) chars total \| ([^|\n]*) \| Preview: ([\d,]+) chars below \| Full: get_artifact artifact_id=([A-Za-z0-9_.-]+)\]\n`)
	lineMark = regexp.MustCompile(`^\[line (\d+)\]$`)
)

// trueOfReference returns an error for the first figure of a reference that is false; nil for a text that is none.
func trueOfReference(text string, kept map[string]string, checked map[string]int) error {
	m := figures.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	checked["reference"]++
	full, known := kept[m[4]]
	preview := text[len(m[0]):]
	switch {
	case !known:
		return fmt.Errorf("artifact %s is not kept", m[4])
	case m[1] != thousands(utf8.RuneCountInString(full)):
		return fmt.Errorf("the result has %d characters, not %s", utf8.RuneCountInString(full), m[1])
	case m[3] != thousands(utf8.RuneCountInString(preview)):
		return fmt.Errorf("the preview has %d characters, not %s", utf8.RuneCountInString(preview), m[3])
	case strings.HasSuffix(m[2], " lines") && m[2] != thousands(len(strings.Split(full, "\n")))+" lines":
		return fmt.Errorf("the result has %d lines, not %s", len(strings.Split(full, "\n")), m[2])
	}
	lines, shown := strings.Split(full, "\n"), strings.Split(preview, "\n")
	for i, l := range shown[:len(shown)-1] {
		if m := lineMark.FindStringSubmatch(l); m != nil {
			checked["mark"]++
			at, _ := strconv.Atoi(m[1])
			if at < 1 || at > len(lines) || !within(shown[i+1], lines[at-1]) {
				return fmt.Errorf("line %d is not %q", at, shown[i+1])
			}
		}
	}
	return nil
}
