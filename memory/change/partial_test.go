package change

import "testing"

// TestTouched: a statement of which something holds on is outdated in part, one that is over is not, and a statement of another matter marks it neither way.
func TestTouched(t *testing.T) {
	judgePairs(t, "testdata/partial.txt", fewestRight, fewestRight, func(older, newer *Reading, want string) (string, bool) {
		got := leaves(older, newer)
		return got, got == want
	})
}

// TestRest: the same of statements that say two things in one sentence.
func TestRest(t *testing.T) {
	judgePairs(t, "testdata/rest.txt", leastRest, leastFrozenRest, func(older, newer *Reading, want string) (string, bool) {
		got := leaves(older, newer)
		return got, got == want
	})
}

// leastRest and leastFrozenRest are the least shares of a topic, in percent.
const leastRest, leastFrozenRest = 85, 65

// leaves returns the rest of an older statement that holds on: "all", "part" or "none".
func leaves(older, newer *Reading) string {
	v := Compare(older, newer, nil)
	_, partly := Touched(older, newer)
	switch {
	case !v.Likely() && !Competes(older, newer, nil):
		return "all"
	case partly && !v.Sure():
		return "part"
	}
	return "none"
}
