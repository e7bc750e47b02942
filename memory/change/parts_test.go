package change

import (
	"os"
	"strings"
	"testing"
	"time"
)

// TestParts: a later statement takes away as much as it says, when it says, and no more.
func TestParts(t *testing.T) {
	judgePairs(t, "testdata/parts.txt", 100, fewestRight, func(older, newer *Reading, want string) (string, bool) {
		got := becomes(older, newer)
		return got, fits(got, want)
	})
}

// TestDaily: the same of statements of an ordinary week, in many forms.
func TestDaily(t *testing.T) {
	judgePairs(t, "testdata/daily.txt", leastDaily, leastFrozenDaily, func(older, newer *Reading, want string) (string, bool) {
		got := becomes(older, newer)
		return got, fits(got, want)
	})
}

// leastDaily and leastFrozenDaily are the least shares of a topic, in percent.
const leastDaily, leastFrozenDaily = 100, 60

// judgePairs judges the pairs of a file, by their halves and topics, and fails where fewer than the least share, in percent, of the half "a" are right, or
// fewer than that of the frozen ones, which were not looked at.
func judgePairs(t *testing.T, path string, least, frozen int, judge func(older, newer *Reading, want string) (got string, right bool)) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	type tally struct{ right, all int }
	of, topic := map[string]*tally{}, ""
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
		n := of[half+" "+topic]
		if n == nil {
			n = &tally{}
			of[half+" "+topic] = n
		}
		n.all++
		older, newer := said(parts[1], 0), said(parts[2], 30)
		if got, right := judge(older, newer, want); right {
			n.right++
		} else if half == "a" {
			t.Logf("%s: %s: %s (%.2f)", topic, line, got, Compare(older, newer, nil).Probability)
		}
	}
	for which, n := range of {
		t.Logf("%s: %d of %d", which, n.right, n.all)
		floor := frozen
		if which[0] == 'a' {
			floor = least
		}
		if 100*n.right < floor*n.all {
			t.Errorf("%s: %d of %d", which, n.right, n.all)
		}
	}
}

// fewestRight is the least share, in percent, of the pairs of the half that was not looked at.
const fewestRight = 80

// becomes returns what becomes of an older statement: "gone", "marked", "asked" or "kept", or the day until which it holds.
func becomes(older, newer *Reading) string {
	v := Compare(older, newer, nil)
	switch from, _ := Begins(older, newer); {
	case v.Likely() && !from.IsZero():
		return from.Format(time.DateOnly)
	case v.Sure():
		return "gone"
	case v.Likely():
		return "marked"
	case Competes(older, newer, nil):
		return "asked"
	default:
		return "kept"
	}
}

func fits(got, want string) bool {
	return got == want || want == "changed" && (got == "gone" || got == "marked")
}
