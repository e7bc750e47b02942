package taint

import (
	"unicode"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// unreadable reports whether a text is in a language of which the verbs are not known here, so that it may tell anything: it is in
// another script, or has common words of other languages and none of English.
func unreadable(text string, tokens []token) bool {
	if language.InOtherScript(text) {
		return true
	}
	var guess language.Guess
	for _, t := range tokens {
		if !t.inName {
			guess.Add(t.word)
		}
	}
	return guess.IsForeign()
}

// unbroken reports whether words of the script stand beside each other without a break, so that one ends where it does.
func unbroken(r rune) bool {
	return r > unicode.MaxLatin1 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}
