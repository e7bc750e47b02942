package fieldname

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// At most so many letters of an ending follow a word of a name in a text, and so many signs stand between two words.
const (
	mostEnding = 3
	mostSigns  = 3
)

// places returns where words stand in a text one after the other, without case, each with an ending perhaps, as pairs of offsets: at most so many.
func places(text string, words []string, most int) (all [][2]int) {
	for at := 0; at < len(text) && len(all) < most; {
		if end := wordsEnd(text[at:], words); end > 0 {
			all = append(all, [2]int{at, at + end})
			at += end
			continue
		}
		at += nextWord(text[at:])
	}
	return all
}

// nextWord returns where the first letter or digit is that follows something else, or the length of the text.
func nextWord(text string) int {
	within := true
	for i, r := range text {
		is := inWord(r)
		if is && !within {
			return i
		}
		within = is
	}
	return len(text)
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// wordsEnd returns the bytes of the words at the beginning of a text, up to something that is no letter or digit; 0: it does not begin with them.
func wordsEnd(text string, words []string) int {
	n := foldedPrefix(text, words[0])
	if n == 0 {
		return 0
	}
	ends := []int{n}
	for len(ends) <= mostEnding {
		r, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 || !unicode.IsLetter(r) {
			break
		}
		n += size
		ends = append(ends, n)
	}
	for i := len(ends) - 1; i >= 0; i-- {
		if end := ends[i]; len(words) > 1 {
			for signs := endOfSigns(text[end:]); signs >= 0; signs-- {
				if rest := wordsEnd(text[end+signs:], words[1:]); rest > 0 {
					return end + signs + rest
				}
			}
		} else if r, size := utf8.DecodeRuneInString(text[end:]); size == 0 || !inWord(r) {
			return end
		}
	}
	return 0
}

// endOfSigns returns the number of signs at the beginning of a text that may stand between two words.
func endOfSigns(text string) (n int) {
	for n < min(mostSigns, len(text)) && strings.IndexByte(" \t\n\f\r_.-", text[n]) >= 0 {
		n++
	}
	return n
}

// foldedPrefix returns the bytes of a word at the beginning of a text, in any case; 0: it does not begin so.
func foldedPrefix(text, word string) (n int) {
	for _, w := range word {
		r, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 || r != w && !folds(r, w) {
			return 0
		}
		n += size
	}
	return n
}

// folds reports whether two letters differ in case alone.
func folds(a, b rune) bool {
	for f := unicode.SimpleFold(b); f != b; f = unicode.SimpleFold(f) {
		if f == a {
			return true
		}
	}
	return false
}
