package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/language/wordvec"
)

// along returns a vector with a number at each of the places.
func along(at ...int) []float64 {
	v := make([]float64, wordvec.Dims)
	for _, d := range at {
		v[d] = 1
	}
	return v
}

// someTurns is a conversation of three turns and a question that the first answers; a fourth turn has no known word.
func someTurns() conversation {
	return conversation{
		turns:     [][]float64{along(1, 2), along(0, 3), along(0, 1, 4), nil},
		questions: []asked{{vector: along(0, 2), answers: []int{0}}},
	}
}

func zero() linear {
	m := identity()
	for i := range m {
		m[i][i] = 0
	}
	return m
}

// TestDescend: the gradient is the change of the loss by each number of the map.
func TestDescend(t *testing.T) {
	c, gradient := someTurns(), zero()
	c.descend(identity(), gradient)
	const little = 1e-5
	for _, at := range [][2]int{{0, 0}, {0, 2}, {2, 1}, {3, 0}, {4, 4}, {5, 1}} {
		more, less := identity(), identity()
		more[at[0]][at[1]] += little
		less[at[0]][at[1]] -= little
		want := (c.descend(more, zero()) - c.descend(less, zero())) / (2 * little)
		if got := gradient[at[0]][at[1]]; math.Abs(got-want) > 1e-5*max(1, math.Abs(want)) {
			t.Errorf("gradient at %v: %g, want %g", at, got, want)
		}
	}
}

// TestMapFile: a map is read as it was written, and anything else is refused.
func TestMapFile(t *testing.T) {
	m, err := readMap(mapped)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "map.tsv")
	if err := m.write(path); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != mapped {
		t.Error("the map is not written as it was read")
	}
	for name, text := range map[string]string{
		"no lines":     "",
		"a line more":  mapped + strings.SplitAfter(mapped, "\n")[0],
		"a word":       strings.Replace(mapped, "\t", "\tx", 1),
		"a short line": strings.Replace(mapped, "\t", "\n", 1),
	} {
		if _, err := readMap(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
