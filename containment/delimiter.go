package containment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// openers are the signs that a reader may take for the opening bracket of a delimiter, closers for its end.
const (
	openers = "[［【〔〖〘〚⟦❲⁅﹝︹︻「『｢⦋⦍⦏"
	closers = "]］】〕〗〙〛⟧❳⁆﹞︺︼」』｣⦌⦎⦐"
)

// words are how the delimiters and the lines of a digest begin, in lower case and without spaces. A word that ends in a
// space must be followed by something that ends a word.
var words = []string{
	"data ", "/data ", "enddata ", "endofdata", "endofreducedhistory", "reducedhistory:", "namesthatalsooccurred", "summarybyamodel",
	"wordsoftheuser", "wordsoftheagent", "linesofcallsandresults",
}

// longestWord is how many characters behind a bracket are looked at, spaces included.
const longestWord = 80

// imitatesDelimiter reports whether a text that begins with a bracket looks like one of our delimiters: in any case, with any spaces, in letters that
// only look like those. The bracket becomes a round one.
func imitatesDelimiter(text string) (hit, bool) {
	_, n := utf8.DecodeRuneInString(text)
	return hit{0, n, "("}, beginsDelimiter(text[n:])
}

// beginsDelimiter reports whether a text reads like a delimiter behind its bracket.
func beginsDelimiter(text string) bool {
	if !mayBegin(text) {
		return false
	}
	read, spaced := "", false
	seen := 0
	for _, r := range text {
		seen++
		r = unicode.ToLower(plainLetter(r))
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			spaced = true
		case strings.ContainsRune(fillers, r):
		case spaced && atWord(read):
			return true
		default:
			read, spaced = read+string(r), false
		}
		if fullWord(read) {
			return true
		}
		if !beginsWord(read) || seen >= longestWord {
			return false
		}
	}
	return spaced && atWord(read)
}

// fillers may stand between the letters of an imitation.
const fillers = "_-*~`"

// mayBegin reports whether the text behind a bracket may begin with one of the words: a quick look at the first sign.
func mayBegin(text string) bool {
	if text == "" || text[0] >= 0x80 || text[0] <= ' ' || strings.IndexByte(fillers, text[0]) >= 0 {
		return true
	}
	return strings.IndexByte("d/ernsDERNS", text[0]) >= 0
}

// atWord reports whether read is a word that must be followed by a space.
func atWord(read string) bool { return has(read, func(w string) bool { return w == read+" " }) }

// fullWord reports whether read is a word that may be followed by anything.
func fullWord(read string) bool { return has(read, func(w string) bool { return w == read }) }

func beginsWord(read string) bool {
	return has(read, func(w string) bool { return strings.HasPrefix(w, read) })
}

func has(read string, match func(string) bool) bool {
	for _, w := range words {
		if match(w) {
			return true
		}
	}
	return false
}

// lookalikes are letters of other scripts that look like those of the delimiters, each behind the one that it looks like.
var lookalikes = map[rune]rune{}

func init() {
	for plain, others := range map[rune]string{
		'a': "аɑα", 'b': "ЬƄ", 'c': "сϲ", 'd': "ԁɗ", 'e': "еҽε", 'f': "ƒ", 'h': "һհ", 'i': "іιɩ", 'm': "м", 'n': "ոη", 'o': "оοօ", 'r': "гɾ",
		's': "ѕ", 't': "тτ", 'u': "υս", 'y': "уγ", ':': "：∶ː",
	} {
		for _, r := range others {
			lookalikes[r] = plain
		}
	}
}

// plainLetter returns the ASCII character that a rune looks like, or the rune.
func plainLetter(r rune) rune {
	switch {
	case r < 0x80:
		return r
	case r >= 0xFF01 && r <= 0xFF5E: // full width
		return r - 0xFF01 + '!'
	case r >= 0x1D400 && r <= 0x1D6A3: // mathematical alphabets of 26 capitals and 26 small letters
		return 'a' + (r-0x1D400)%26
	}
	if plain, known := lookalikes[unicode.ToLower(r)]; known {
		return plain
	}
	return r
}
