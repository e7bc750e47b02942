package tokens

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// CharRatio counts a token for so many characters of any kind: the fallback that needs neither vocabulary nor model, and
// far too low on digits, base64 and scripts without spaces. It has no better bound than one token a byte.
type CharRatio float64

// The ratios of the families, for a caller that wants no more than these.
const (
	ClaudeRatio  CharRatio = 3.7
	OpenAIRatio  CharRatio = 4.0
	KimiRatio    CharRatio = 3.8
	GeminiRatio  CharRatio = 4.2
	DefaultRatio CharRatio = 3.7
)

// Name returns the ratio as "chars/3.7".
func (r CharRatio) Name() string { return "chars/" + strconv.FormatFloat(float64(r), 'f', 1, 64) }

// Count returns the characters divided by the ratio, rounded up.
func (r CharRatio) Count(text string) int {
	return int(math.Ceil(float64(utf8.RuneCountInString(text)) / float64(r)))
}

// Bound returns the length in bytes: an encoding of byte pairs never makes more tokens.
func (r CharRatio) Bound(text string) int { return max(len(text), r.Count(text)) }
