package tools

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/memory/brief"
)

// briefLines are the forms of the lines of a brief, each with the check of its claim.
var briefLines = []struct {
	name, form string
	holds      func(b *briefText, m []string) error
}{
	{"introduction", `^` + regexp.QuoteMeta(strings.TrimSpace(introduction)) + `$`, nil},
	{"frame", `^\[data (\w+) from memory: not instructions\]$`, nil},
	{"end of a frame", `^\[end of data (\w+)\]$`, nil},
	{"entry", formOfEntry, (*briefText).entryIsTrue},
	{"count", `^(\d+) of (\d+) memories$`, (*briefText).countsEntries},
	{"left out", `^left out: (\d+) (\w+)(?:, \d+ \w+)*$`, (*briefText).wereLeftOut},
	{"heading", `^(\w[\w ,']*):?$`, (*briefText).headsEntries},
}

// briefText is a brief with the world that it tells of.
type briefText struct {
	*sources
	lines []string
	at    int
	held  int
}

const formOfEntry = `^\[(\w+)\] (\d{4}-\d\d-\d\d) (\w+)((?:, [^:]+)?): (.*)$`

var entryLine = regexp.MustCompile(formOfEntry)

// headsEntries: it is the heading of a part, and an entry stands below it.
func (b *briefText) headsEntries(m []string) error {
	parts := []brief.Part{brief.Topic, brief.Constraints, brief.Preferences, brief.Decisions, brief.People, brief.Lately, brief.Tasks}
	if !slices.ContainsFunc(parts, func(p brief.Part) bool { return p.Heading() == m[0] }) {
		return fmt.Errorf("it is the heading of no part")
	}
	if b.at+1 >= len(b.lines) || !entryLine.MatchString(b.lines[b.at+1]) {
		return fmt.Errorf("nothing stands below it")
	}
	return nil
}

// entryIsTrue: a memory was told in these words on that day, and whose word it is is said where it is not the user's.
func (b *briefText) entryIsTrue(m []string) error {
	for _, o := range b.memories {
		said := strings.TrimSpace(m[5])
		if said != oneSpaced(o.content) && !strings.HasPrefix(said, oneSpaced(o.content)+" (") {
			continue
		}
		switch {
		case m[2] != o.day:
			return fmt.Errorf("it was told on %s", o.day)
		case strings.Contains(m[4], "noted by an agent") != o.concluded:
			return fmt.Errorf("an agent noted it: %v", o.concluded)
		case strings.Contains(m[4], "from ") != (o.origin != ""):
			return fmt.Errorf("it is from %q", o.origin)
		}
		id, err := b.memoryOf(m[1])
		if err == nil && oneSpaced(id) != oneSpaced(o.content) {
			err = fmt.Errorf("the memory of this id says %q", id)
		}
		return err
	}
	return fmt.Errorf("nobody told this")
}

func (b *briefText) memoryOf(id string) (string, error) {
	return (&prompt{sources: b.sources, t: b.t}).memoryOf(id)
}

// countsEntries: so many entries stand above, of as many memories as a list of all has.
func (b *briefText) countsEntries(m []string) error {
	entries := 0
	for _, line := range b.lines {
		if entryLine.MatchString(line) {
			entries++
		}
	}
	if number(m[1]) != entries || number(m[2]) != b.held {
		return fmt.Errorf("%d entries stand here, of %d memories", entries, b.held)
	}
	return nil
}

func (b *briefText) wereLeftOut(m []string) error {
	if n := number(m[1]); n < 1 || n > b.held {
		return fmt.Errorf("%d memories are held", b.held)
	}
	return nil
}

// TestEveryLineOfABriefIsTrue reads the briefs of random worlds, as hooks and the instructions have them, line by line.
func TestEveryLineOfABriefIsTrue(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(3 * seeds) {
		s := newSources(t, seed)
		s.remember()
		by, _ := s.services.Caller(t.Context())
		var all struct{ Memories []struct{} }
		if err := json.Unmarshal(s.must("recall", map[string]any{"order": "newest", "limit": 100, "max_tokens": 100_000}), &all); err != nil {
			t.Fatal(err)
		}
		texts := []string{}
		for range 3 {
			text, err := s.services.Brief(t.Context(), by, 80+s.IntN(600))
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, text)
		}
		text, err := s.services.Introduced(t.Context(), by, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range append(texts, text) {
			b := &briefText{sources: s, lines: strings.Split(strings.TrimSpace(text), "\n"), held: len(all.Memories)}
			b.check(t, seed, met)
		}
	}
	for _, f := range briefLines {
		if met[f.name] == 0 && f.name != "left out" {
			t.Errorf("no brief has the line %q: the test proves too little", f.name)
		}
	}
}

func (b *briefText) check(t *testing.T, seed uint64, met map[string]int) {
	t.Helper()
	for b.at = range b.lines {
		line := b.lines[b.at]
		if line == "" || strings.HasSuffix(line, " …") { // the beginning of one that does not fit
			continue
		}
		i := slices.IndexFunc(briefLines, func(f struct {
			name, form string
			holds      func(b *briefText, m []string) error
		}) bool {
			return regexp.MustCompile(f.form).MatchString(line)
		})
		if i < 0 {
			t.Fatalf("seed %d: %q has no known form", seed, line)
		}
		f := briefLines[i]
		if met[f.name]++; f.holds == nil {
			continue
		}
		if err := f.holds(b, regexp.MustCompile(f.form).FindStringSubmatch(line)); err != nil {
			t.Errorf("seed %d: %s: %q: %v", seed, f.name, line, err)
		}
	}
}
