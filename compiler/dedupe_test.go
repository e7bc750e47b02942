package compiler

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestMarksHideNoNearText: no pair that the marks of two texts leave out is near, and the pairs that they let pass are counted.
func TestMarksHideNoNearText(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	found := map[bool]int{}
	for range 3000 {
		words := make([]string, 3+r.IntN(400))
		for i := range words {
			words[i] = fmt.Sprint(r.IntN(2000))
		}
		a, b := worded(words), worded(changed(r, words))
		for _, share := range []float64{0.3, 0.6, 0.85, 1} {
			want := jaccard(len(a.words), len(b.words), sharedBy(a, b)) >= share
			if got := near(&a, &b, share); got != want {
				t.Fatalf("near(%q, %q, %v) = %v, want %v", a.text, b.text, share, got, want)
			}
			found[want]++
		}
	}
	if found[true] < 1000 || found[false] < 1000 {
		t.Errorf("%d pairs are near and %d are not: they prove too little", found[true], found[false])
	}
}

func worded(words []string) wording {
	return wordingOf(&item{text: strings.Join(words, " ")})
}

// changed returns words of which some are others, from none to all.
func changed(r *rand.Rand, words []string) []string {
	words = slices.Clone(words)
	share := r.Float64()
	for i := range words {
		if r.Float64() < share*share {
			words[i] = fmt.Sprint(2000 + r.IntN(2000))
		}
	}
	return words
}

// sharedBy counts the words that are in both, one by one.
func sharedBy(a, b wording) (n int) {
	for _, word := range a.words {
		if slices.Contains(b.words, word) {
			n++
		}
	}
	return n
}
