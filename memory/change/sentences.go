package change

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// plainOf returns the sentences of a text that state something, and whether these are all of it: a question, a call, a word to
// somebody, and a sentence that only goes on about the one before state nothing that could be replaced.
func plainOf(text string) (sentences []string, whole bool) {
	whole = true
	for _, s := range cut(text) {
		if isPlain(s) {
			sentences = append(sentences, s)
		} else {
			whole = false
		}
	}
	return sentences, whole
}

func isPlain(sentence string) bool {
	if strings.HasSuffix(sentence, "?") || strings.HasSuffix(sentence, "!") {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' })
	if len(words) < fewestWords || calls.Has(words[0]) || pointers.Has(words[0]) && !ofSpeaker(words) {
		return false
	}
	for _, w := range words {
		if addressed.Has(w) {
			return false
		}
	}
	return true
}

// ofSpeaker reports whether a sentence that begins with a pointer says something of the speaker's all the same: "they raised my salary", "it turned out
// that I have no ticket".
func ofSpeaker(words []string) bool {
	return words[0] == "they" && slices.ContainsFunc(words, mine.Has) || len(words) > 2 && words[0] == "it" && (words[1] == "turned" || words[1] == "turns") && words[2] == "out"
}

// fewestWords is the least number of words of a statement.
const fewestWords = 2

// The words by which a sentence speaks to somebody, begins a call, or points at what was said before.
var (
	addressed = language.Changes.Row("addressed")
	calls     = language.Changes.Row("call")
	pointers  = language.Changes.Row("pointer")
)

// cut splits a text after the marks that end a sentence, and at line ends.
func cut(text string) []string {
	var all []string
	from := 0
	add := func(to int) {
		if s := strings.TrimSpace(text[from:to]); s != "" {
			all = append(all, s)
		}
		from = to
	}
	for i, r := range text {
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		ends := strings.ContainsRune(".!?…", r) && (next == utf8.RuneError || unicode.IsSpace(next)) && !abbreviated(text[from:i])
		if ends || r == '\n' {
			add(i + utf8.RuneLen(r))
		}
	}
	add(len(text))
	return all
}

func abbreviated(text string) bool {
	return language.Abbreviations.Has(text[strings.LastIndexByte(text, ' ')+1:])
}
