package wordvec

import (
	_ "embed" // for words.bin
	"encoding/binary"
	"math"
	"sort"
	"strings"
)

//go:embed words.bin
var table string

// The layout of words.bin: the magic, the number of words as 4 bytes (little endian), then for each word, in alphabetical order, the end of
// its text among the texts as 4 bytes; the texts, one behind the other; a weight a word as 1 byte; and Dims signed bytes a word.
const (
	// Magic begins the table.
	Magic = "wordvec1"
	// Dims is the number of dimensions of a vector.
	Dims = 100
)

// The parts of words.bin.
var (
	count   = int(binary.LittleEndian.Uint32([]byte(table[len(Magic):][:4])))
	texts   = table[len(Magic)+4+4*count:][:endOf(count-1)]
	weights = table[len(Magic)+4+4*count+len(texts):][:count]
	vectors = table[len(table)-Dims*count:]
)

// endOf returns the place behind the text of the word with the number.
func endOf(n int) int {
	if n < 0 {
		return 0
	}
	at := len(Magic) + 4 + 4*n
	return int(table[at]) | int(table[at+1])<<8 | int(table[at+2])<<16 | int(table[at+3])<<24
}

// find returns the number of a word in lower case.
func find(word string) (int, bool) {
	n := sort.Search(count, func(i int) bool { return texts[endOf(i-1):endOf(i)] >= word })
	return n, n < count && texts[endOf(n-1):endOf(n)] == word
}

// Sum is the weighed sum of the vectors of words, with its length. The zero Sum is that of no word.
type Sum struct {
	of     [Dims]int32
	length float64
	words  int
}

// Of returns the sum of the words, which are in lower case, each counted once. A possessive counts as its noun.
func Of(words []string) Sum {
	var s Sum
	seen := make(map[int]bool, len(words))
	for _, word := range words {
		n, known := find(strings.TrimSuffix(word, "'s"))
		if !known || seen[n] {
			continue
		}
		seen[n] = true
		s.words++
		weight := int32(weights[n])
		for d, x := range []byte(vectors[n*Dims : (n+1)*Dims]) {
			s.of[d] += weight * int32(int8(x))
		}
	}
	s.length = math.Sqrt(float64(s.dot(&s)))
	return s
}

// Words returns the number of the words of the sum that the table has.
func (s *Sum) Words() int { return s.words }

// Known reports whether the table has any of the words of the sum.
func (s *Sum) Known() bool { return s.length > 0 }

// Likeness returns the cosine of two sums in [-1, 1]: 0 where either has no known word.
func (s *Sum) Likeness(other *Sum) float64 {
	if !s.Known() || !other.Known() {
		return 0
	}
	return float64(s.dot(other)) / (s.length * other.length)
}

func (s *Sum) dot(other *Sum) int64 {
	var sum int64
	for d, x := range s.of {
		sum += int64(x) * int64(other.of[d])
	}
	return sum
}
