package redact

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestAutomatonFindsEveryLiteral compares the machine with a search for each literal by itself, on random literals of few letters, which begin and end
// each other, and texts of them.
func TestAutomatonFindsEveryLiteral(t *testing.T) {
	type hit struct {
		at int
		anchor
	}
	random := rand.New(rand.NewPCG(3, 1))
	word := func(most int) string {
		var b strings.Builder
		for range 1 + random.IntN(most) {
			b.WriteByte("abc-"[random.IntN(4)])
		}
		return b.String()
	}
	for range 300 {
		var literals []string
		var anchors []anchor
		for k := range 1 + random.IntN(12) {
			literals = append(literals, word(6))
			anchors = append(anchors, anchor{detector: k % 3, k: k, size: len(literals[k])})
		}
		text := word(400)
		var got, want []hit
		newAutomaton(literals, anchors).each(text, func() bool { return false }, func(i int, who anchor) { got = append(got, hit{i, who}) })
		for k, l := range literals {
			for i := range text {
				if strings.HasPrefix(text[i:], l) {
					want = append(want, hit{i, anchors[k]})
				}
			}
		}
		order := func(a, b hit) int {
			if a.at != b.at {
				return a.at - b.at
			}
			return a.k - b.k
		}
		slices.SortFunc(got, order)
		slices.SortFunc(want, order)
		if !slices.Equal(got, want) {
			t.Fatalf("literals %q in %q: found %v, want %v", literals, text, got, want)
		}
	}
}
