package brief

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// leastWord is the length of a word that tells what a memory is about, in characters.
const leastWord = 4

// Words returns words by which the objects are found, one for each of them, in their order, and no more than most. It is the
// longest word of an object that no earlier one gave.
func Words(objects []ctxmcp.ContextObject, most int) []string {
	var words, terms []string
	for _, o := range objects {
		if len(words) == most {
			break
		}
		if w, term := longest(o.Content, terms); w != "" {
			words, terms = append(words, w), append(terms, term)
		}
	}
	return words
}

// longest returns the longest word of a text with its term, the first of those that are as long, but for those with one of the terms.
func longest(text string, but []string) (found, term string) {
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		n := utf8.RuneCountInString(w)
		if n < leastWord || n <= utf8.RuneCountInString(found) {
			continue
		}
		if t := language.Query(w); len(t) == 1 && !slices.Contains(but, t[0]) {
			found, term = w, t[0]
		}
	}
	return found, term
}
