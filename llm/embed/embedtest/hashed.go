package embedtest

import (
	"hash/fnv"
	"math"
	"strings"
	"unicode"
)

// Hashed returns a deterministic bag of words: a function that counts each lower-cased word of a text in one of dims
// places, found by the word's FNV-1a hash, and divides by the length. Texts that share words are near each other, and word
// order has no effect. No vector is zero: a text without words counts as one word. It panics if dims is not positive.
func Hashed(dims int) func(string) []float32 {
	if dims <= 0 {
		panic("embedtest: dims must be positive")
	}
	return func(text string) []float32 {
		counts := make([]float64, dims)
		for _, word := range words(text) {
			counts[place(word, dims)]++
		}
		return unit(counts)
	}
}

func words(text string) []string {
	split := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if found := strings.FieldsFunc(strings.ToLower(text), split); len(found) > 0 {
		return found
	}
	return []string{text}
}

func place(word string, dims int) int {
	h := fnv.New64a()
	_, _ = h.Write([]byte(word))
	return int(h.Sum64() % uint64(dims))
}

func unit(counts []float64) []float32 {
	var sum float64
	for _, n := range counts {
		sum += n * n
	}
	v := make([]float32, len(counts))
	for i, n := range counts {
		v[i] = float32(n / math.Sqrt(sum))
	}
	return v
}
