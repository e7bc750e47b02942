package change

import (
	"os"
	"strings"
	"testing"
)

// TestTouched: a statement of which something holds on is told to be outdated in part, one that is over is not, and what has nothing to do with it marks it
// neither way.
func TestTouched(t *testing.T) {
	text, err := os.ReadFile("testdata/partial.txt")
	if err != nil {
		t.Fatal(err)
	}
	right, all, topic := map[string]int{}, map[string]int{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			topic = line
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 3 || line[0] == '#' {
			continue
		}
		half, want, _ := strings.Cut(parts[0], " ")
		older, newer := said(parts[1], 0), said(parts[2], 30)
		words, got := leaves(older, newer)
		all[half+" "+topic]++
		if got == want {
			right[half+" "+topic]++
		} else if half == "a" {
			t.Logf("%s: %s: %s (%q, %.2f)", topic, line, got, words, Compare(older, newer, nil).Probability)
		}
	}
	for which, n := range all {
		t.Logf("%s: %d of %d", which, right[which], n)
		if 100*right[which] < fewestRight*n {
			t.Errorf("%s: %d of %d", which, right[which], n)
		}
	}
}

// leaves returns how much of an older statement holds on: "all", "part" or "none".
func leaves(older, newer *Reading) (words, how string) {
	v := Compare(older, newer, nil)
	words, partly := Touched(older, newer)
	switch {
	case !v.Likely() && !Competes(older, newer, nil):
		return "", "all"
	case partly && !v.Sure():
		return words, "part"
	}
	return words, "none"
}
