package redact

import "strings"

// A passphrase of dice is of so many words.
const (
	fewestWords = 4
	mostWords   = 12
)

// phraseWords are the words with which a text says something about a passphrase.
var phraseWords = wordList("phrase_words")

// passphrase returns where the passphrase of small letters at v ends: words with hyphens between them, or with spaces if they have the rest of
// their line to themselves, as in "passphrase: correct horse battery staple". It returns false for any other value.
func passphrase(s string, n name, v value) (end int, ok bool) {
	if n.word != "passphrase" || v.quoted || v.form != colon && v.form != assigned {
		return 0, false
	}
	end = hyphenated.run(s, v.start, v.start+looked)
	whole := parts(s, end)
	if strings.IndexByte(s[v.start:end], '-') < 0 {
		end = spaced.run(s, v.start, v.start+looked)
		whole = endsLine(s, end)
		end = v.start + len(strings.TrimRight(s[v.start:end], " "))
	}
	text := s[v.start:end]
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '-' })
	if !whole || len(words) < fewestWords || len(words) > mostWords || standInWord(text) || captioned(text) {
		return 0, false
	}
	for _, w := range words {
		if len(w) < 2 || functionWords[w] || phraseWords[w] {
			return 0, false
		}
	}
	return end, true
}

var smallLetters, hyphenated, spaced = classOf("a-z"), classOf("a-z-"), classOf("a-z ")
