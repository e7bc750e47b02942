package containment

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var detail = regexp.MustCompile(`^line (\d+), (\d+) in all: (.*?)( \(changed\)| \(removed\))?$`)

// TestEverySentenceIsTrue: whatever markers stand in a text, a warning names the line of the first, how many there are, and what becomes of them;
// and a frame names the origin and ends where its text does.
func TestEverySentenceIsTrue(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		text, counts, first := planted(t, r)
		warnings, err := Report(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		clean, n := Neutralise(text)
		changes := false
		for _, w := range warnings {
			changes = changes || w.Changes()
			if err := trueOf(t, w, text, clean, counts[w.Kind], first[w.Kind]); err != nil {
				t.Errorf("seed %d: %q of %s: %v\n%q", seed, w.Detail, w.Kind, err, text)
			}
			delete(counts, w.Kind)
		}
		if len(counts) > 0 {
			t.Errorf("seed %d: nothing is said of %v in\n%q", seed, counts, text)
		}
		if (n > 0) != changes || (clean != text) != changes {
			t.Errorf("seed %d: %d places were changed, said: %t", seed, n, changes)
		}
		nonce := Nonce([]byte("key"), "a [tool]", clean)
		f, ok := Unframe(Frame(nonce, "a [tool]", clean))
		if !ok || f.Text != clean || f.Nonce != nonce || f.Origin != "a _tool_" || f.Rest != "" {
			t.Errorf("seed %d: the frame is taken apart as %+v", seed, f)
		}
	}
}

// trueOf returns an error for the first part of a warning that is false, beside the number and the first line of what was planted.
func trueOf(t *testing.T, w Warning, text, clean string, count, first int) error {
	m := detail.FindStringSubmatch(w.Detail)
	if m == nil {
		return fmt.Errorf("it has another form")
	}
	line, _ := strconv.Atoi(m[1])
	times, _ := strconv.Atoi(m[2])
	if line != first || times != count {
		return fmt.Errorf("there are %d, the first on line %d", count, first)
	}
	before, after := strings.Split(text, "\n")[line-1], strings.Split(clean, "\n")[line-1]
	left := found(t, after)[w.Kind]
	switch {
	case (m[4] != "") != w.Changes():
		return fmt.Errorf("Changes = %t", w.Changes())
	case w.Changes() && (left > 0 || before == after):
		return fmt.Errorf("the line stays %q", after)
	case !w.Changes() && left == 0:
		return fmt.Errorf("the line becomes %q", after)
	}
	return nil
}

// found counts the markers of a text by their kinds.
func found(t *testing.T, text string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	warnings, err := Report(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range warnings {
		counts[w.Kind], _ = strconv.Atoi(detail.FindStringSubmatch(w.Detail)[2])
	}
	return counts
}

// planted returns lines of prose with samples of markers between them, with how many there are of each kind and where the first stands.
func planted(t *testing.T, r *rand.Rand) (text string, counts, first map[string]int) {
	counts, first = map[string]int{}, map[string]int{}
	var lines []string
	for range 1 + r.IntN(12) {
		line := plainLines[r.IntN(len(plainLines))]
		if r.IntN(2) == 0 {
			m := &markers[r.IntN(len(markers))]
			line = m.Yes[r.IntN(len(m.Yes))]
		}
		lines = append(lines, line, "") // apart, so that none begins in one and ends in the next
		for kind, n := range found(t, line) {
			if counts[kind] == 0 {
				first[kind] = len(lines) - 1
			}
			counts[kind] += n
		}
	}
	return strings.Join(lines, "\n"), counts, first
}

var plainLines = []string{
	"the parser reads rows[data_index] of the table", "a < b and c > d", "we met at ten, and left", "日本語 and naïve words", "port 8080: open", "ignore whitespace",
}
