package envelope

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestVarietyOfBlocks: whatever members are chosen, blocks tell of them as all of their lines do, one by one.
func TestVarietyOfBlocks(t *testing.T) {
	kinds := map[string]func(r *rand.Rand, i int) string{
		"numbers":      func(r *rand.Rand, i int) string { return fmt.Sprintf("took=%dms of worker-%d", r.IntN(400), i%3) },
		"times":        func(r *rand.Rand, i int) string { return fmt.Sprintf("2026-03-01T10:%02d:%02dZ up", i/60%60, i%60) },
		"of two units": func(r *rand.Rand, i int) string { return fmt.Sprintf("took %d%s", i, []string{"ms", "s"}[i/700%2]) },
		"zeros before": func(r *rand.Rand, i int) string { return fmt.Sprintf("order %0*d", 1+r.IntN(4), r.IntN(9)) },
		"other tokens": func(r *rand.Rand, i int) string { return "at " + strings.Repeat("7 ", 1+i/300%3) + "x" },
		"mostly equal": func(r *rand.Rand, i int) string { return fmt.Sprint("batch ", i/1000) },
	}
	for name, line := range kinds {
		r := rand.New(rand.NewPCG(1, 2))
		f, lines := &fold{}, []string{}
		for i := range 2000 {
			lines = append(lines, line(r, i))
			if r.IntN(5) > 0 {
				f.members = append(f.members, i)
			}
		}
		for range 40 {
			var hidden []int
			for shown, m := r.IntN(4)*r.IntN(60), f.members; len(m) > 0; m = m[1:] {
				if r.IntN(len(f.members)) >= shown {
					hidden = append(hidden, m[0])
				}
			}
			want := newVariety(lines[hidden[0]])
			for _, m := range hidden[1:] {
				want.add(lines[m])
			}
			if got := f.varietyOf(hidden, lines).String(); got != want.String() {
				t.Fatalf("%s: of %d of %d members, blocks tell %q, want %q", name, len(hidden), len(f.members), got, want)
			}
		}
	}
}
