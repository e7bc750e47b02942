package labelled

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Life is what a person tells over some months, and what they ask at the end.
type Life struct {
	Name  string
	Facts []Fact
	Asks  []LifeAsk
}

// Fact is a statement of a life, with the day on which it was told, at noon UTC.
type Fact struct {
	Name string // that answers have for it
	Day  time.Time
	Text string
}

// LifeAsk is a question of a kind: "same" and "other" words, "updated", "who", "start" of a task, or "none". Answers are the names of the facts that
// answer it, none where nothing does, and Outdated of those that must not come before them.
type LifeAsk struct {
	Kind, Text        string
	Answers, Outdated []string
}

// ReadLives reads the lives in the files NAME.txt of a folder, in the order of their names. A line is a fact, "DAY NAME: TEXT", a question,
// "? KIND: TEXT => NAME … / NAME …", with "nothing" where no fact answers, or a comment.
func ReadLives(folder string) ([]Life, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("there are no lives in %s: %w", folder, os.ErrNotExist)
	}
	var all []Life
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		l := Life{Name: strings.TrimSuffix(filepath.Base(file), ".txt")}
		for line := range strings.Lines(string(text)) {
			if err := l.add(strings.TrimSpace(line)); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		}
		all = append(all, l)
	}
	return all, nil
}

// add adds a line to the life. What answers a question is told above it.
func (l *Life) add(line string) error {
	if line == "" || line[0] == '#' {
		return nil
	}
	head, text, ok := strings.Cut(line, ": ")
	if kind, asks := strings.CutPrefix(head, "? "); ok && asks {
		question, answers, _ := strings.Cut(text, " => ")
		right, old, _ := strings.Cut(answers, "/")
		a := LifeAsk{kind, question, strings.Fields(right), strings.Fields(old)}
		if right == "nothing" {
			a.Answers = nil
		} else if len(a.Answers) == 0 {
			return fmt.Errorf("%q has no answer", line)
		}
		for _, name := range slices.Concat(a.Answers, a.Outdated) {
			if !slices.ContainsFunc(l.Facts, func(f Fact) bool { return f.Name == name }) {
				return fmt.Errorf("%q names %s, which is no fact", line, name)
			}
		}
		l.Asks = append(l.Asks, a)
		return nil
	}
	day, name, named := strings.Cut(head, " ")
	at, err := time.Parse(time.DateOnly, day)
	if !ok || !named || err != nil {
		return fmt.Errorf("%q is neither a fact nor a question", line)
	}
	l.Facts = append(l.Facts, Fact{name, at.Add(12 * time.Hour), text})
	return nil
}
