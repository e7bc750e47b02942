package entities

import (
	"unicode/utf8"

	"github.com/adrg/strutil/metrics"
)

// The bounds of a misspelling: the letters of the shortest word that is taken for one, and of the shortest in which two letters may be wrong.
const (
	shortestMisspelt = 4
	longMisspelt     = 7
)

// Misspelt reports whether a word, in small letters, may be a misspelling of another: it begins with the same letter, and one letter is missing, too many or another,
// or two in a long word.
func Misspelt(written, meant string) bool {
	length := min(utf8.RuneCountInString(written), utf8.RuneCountInString(meant))
	first, _ := utf8.DecodeRuneInString(written)
	if other, _ := utf8.DecodeRuneInString(meant); length < shortestMisspelt || first != other || written == meant {
		return false
	}
	wrong := 1
	if length >= longMisspelt {
		wrong = 2
	}
	return metrics.NewLevenshtein().Distance(written, meant) <= wrong
}
