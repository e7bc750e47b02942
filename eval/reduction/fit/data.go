package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/reduce"
)

// The sample of a session: the messages at its end that stay, and one negative case in so many.
const (
	lastMessages = 6
	sampled      = 16
)

// wholeLine is the kind of a fact that only a line can bring; a name can bring every other.
const wholeLine = "line"

// labels is a file of labels of a transcript.
type labels struct {
	ID   string `json:"id"`
	Cuts []struct {
		Cut   int `json:"cut"`
		Facts []struct {
			Text string `json:"s"`
			Kind string `json:"kind"`
		} `json:"facts"`
	} `json:"cuts"`
}

// readFacts returns the names and the lines of every labelled transcript of a folder as cases, the session being the group. The choice
// adds up the worth of a line and that of its names, so a fact counts for one of them.
func readFacts(ctx context.Context, dir string) (names, lines []fit.Case, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "facts", "*.facts.json"))
	if err != nil || len(paths) == 0 {
		return nil, nil, fmt.Errorf("there are no facts in %s: %w", dir, errors.Join(err, os.ErrNotExist))
	}
	for _, path := range paths {
		var l labels
		raw, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(raw, &l)
		}
		var messages []json.RawMessage
		if err == nil {
			messages, err = labelled.Read[json.RawMessage](filepath.Join(dir, l.ID+".jsonl"))
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, c := range l.Cuts {
			study, err := reduce.NewStudy(conversation.OpenAI, messages[:c.Cut], lastMessages)
			if err != nil {
				return nil, nil, fmt.Errorf("%s at %d: %w", l.ID, c.Cut, err)
			}
			var words, whole []string
			for _, f := range c.Facts {
				if f.Kind == wholeLine {
					whole = append(whole, f.Text)
				} else {
					words = append(words, f.Text)
				}
			}
			names = append(names, casesOf(l.ID, study.Names(), func(name string) bool { return inAny(words, name) })...)
			lines = append(lines, casesOf(l.ID, study.Lines(), func(line string) bool { return holdsAny(line, whole) })...)
		}
	}
	return names, lines, nil
}

// casesOf returns the parts that a digest could hold as cases: all that were used, and a sample of the rest.
func casesOf(group string, all []reduce.Observed, used func(text string) bool) (cases []fit.Case) {
	skipped := 0
	for _, o := range all {
		if o.Kept {
			continue
		}
		c := fit.Case{Group: group, Label: used(o.Text), Rows: [][]float64{o.Features}}
		if !c.Label {
			if skipped++; skipped%sampled != 0 {
				continue
			}
			c.Times = sampled
		}
		cases = append(cases, c)
	}
	return cases
}

// inAny reports whether one of the texts is the name, or has it as a whole word.
func inAny(texts []string, name string) bool {
	for _, text := range texts {
		for at := 0; ; {
			i := strings.Index(text[at:], name)
			if i < 0 {
				break
			}
			from, to := at+i, at+i+len(name)
			if (from == 0 || !wordByte(text[from-1])) && (to == len(text) || !wordByte(text[to])) {
				return true
			}
			at = to
		}
	}
	return false
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// holdsAny reports whether the line holds one of the texts whole.
func holdsAny(line string, texts []string) bool {
	for _, text := range texts {
		if strings.Contains(line, strings.TrimSpace(text)) {
			return true
		}
	}
	return false
}
