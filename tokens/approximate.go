package tokens

import (
	"math"
	"unicode"
)

// Approximate estimates tokens from the classes of the characters, without a vocabulary: prose in English is counted
// within some ten per cent of a modern byte-pair encoding, other text less well.
type Approximate struct{}

// Name returns "approximate".
func (Approximate) Name() string { return "approximate" }

// The weight of a character of each class, in tokens.
const (
	letterWeight  = 0.21
	spaceWeight   = 0.12
	digitWeight   = 0.40
	signWeight    = 0.55
	foreignWeight = 0.24 // letters beyond ASCII in scripts with spaces
	hanWeight     = 0.60 // ideographs, kana and other scripts without spaces
)

// Count returns the estimate, at least 1 for a text that is not empty.
func (Approximate) Count(text string) int {
	sum := 0.0
	for _, r := range text {
		if r < unicode.MaxASCII {
			sum += plainWeights[r]
		} else {
			sum += weight(r)
		}
	}
	return int(math.Ceil(sum))
}

// plainWeights are the weights of the characters of ASCII.
var plainWeights = func() (weights [unicode.MaxASCII]float64) {
	for r := range weights {
		weights[r] = weight(rune(r))
	}
	return weights
}()

func weight(r rune) float64 {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		return letterWeight
	case r == ' ', r == '\n', r == '\t', r == '\r':
		return spaceWeight
	case r >= '0' && r <= '9':
		return digitWeight
	case r < 0x80:
		return signWeight
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Hangul):
		return hanWeight
	case unicode.IsLetter(r):
		return foreignWeight
	default:
		return 1
	}
}
