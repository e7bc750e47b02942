package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// NameWords splits a name into words in lower case: at everything but letters and digits, and where capitals begin.
func NameWords(name string) []string {
	var words []string
	start := -1 // of the word that is open
	end := func(at int) {
		if start >= 0 {
			words = append(words, strings.ToLower(name[start:at]))
			start = -1
		}
	}
	var before rune
	for i, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end(i)
		} else {
			if unicode.IsUpper(r) && start >= 0 && (unicode.IsLower(before) || unicode.IsUpper(before) && lowerFollows(name[i:])) {
				end(i)
			}
			if start < 0 {
				start = i
			}
		}
		before = r
	}
	end(len(name))
	return words
}

// lowerFollows reports whether the second letter of a text is a small one.
func lowerFollows(text string) bool {
	_, size := utf8.DecodeRuneInString(text)
	second, _ := utf8.DecodeRuneInString(text[size:])
	return unicode.IsLower(second)
}
