package envelope

import (
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// A lexicon finds words of a list in a text, in one pass and in any case. A word begins and ends where letters and
// digits do, or with a capital within: Failed stands in FailedScheduling, and error in ValueError. A word that ends
// at an underscore goes on: error_rate is another word.
type lexicon struct{ words func() *byLetter }

// byLetter holds words by the letter that they begin with.
type byLetter ['z' - 'a' + 1][]string

// lexiconOf returns a lexicon of lists of words in lower case, which begin with a letter. They are read at the first use.
func lexiconOf(lists ...*language.Set) *lexicon {
	return &lexicon{sync.OnceValue(func() *byLetter {
		var words byLetter
		for _, l := range lists {
			for _, w := range l.All() {
				words[w[0]-'a'] = append(words[w[0]-'a'], w)
			}
		}
		return &words
	})}
}

// MatchString reports whether one of the words stands in the text.
func (l *lexicon) MatchString(text string) bool {
	words := l.words()
	for i := range len(text) {
		c := text[i] | 0x20
		if c < 'a' || c > 'z' || len(words[c-'a']) == 0 || !begins(text, i) {
			continue
		}
		for _, w := range words[c-'a'] {
			if n := len(w); n <= len(text)-i && strings.EqualFold(text[i:i+n], w) && closes(text, i+n) && !denied(text, i, i+n) {
				return true
			}
		}
	}
	return false
}

func lower(c byte) bool { return 'a' <= c && c <= 'z' }

func upper(c byte) bool { return 'A' <= c && c <= 'Z' }

// begins reports whether a word can begin at i: there, or behind the backslash of an escape.
func begins(text string, i int) bool {
	if i == 0 {
		return true
	}
	before := text[i-1]
	switch {
	case lower(before):
		return upper(text[i]) || i > 1 && text[i-2] == '\\'
	case upper(before):
		return upper(text[i]) && i+1 < len(text) && lower(text[i+1])
	}
	return before < '0' || before > '9'
}

// closes reports whether a word can end before i.
func closes(text string, i int) bool {
	if i == len(text) {
		return true
	}
	c := text[i]
	return !lower(c) && (!upper(c) || lower(text[i-1])) && c != '_' && (c < '0' || c > '9')
}

// denied reports whether what stands around a word says that there is none of it: no errors, 0 failed, error=null.
func denied(text string, begin, end int) bool {
	return noneBefore.MatchString(text[max(0, begin-10):begin]) || noneAfter.MatchString(text[end:min(len(text), end+12)])
}

var (
	noneBefore = language.NewPattern(`(?i)(^|[^\w.:])(no|zero|without|0) $`)
	noneAfter  = language.NewPattern(`(?i)^["']?[:=][ "']*(0|null|none|nil|false|\[\]|\{\})($|[ ,;)}\]"'\r\n\t|])`)
)

// Words of failure, as programs write them.
var (
	failureWord = lexiconOf(language.Messages.Row("failure"))
	failureHint = lexiconOf(language.Messages.Row("failure"), language.Messages.Row("failure_field"), language.Messages.Row("exit_key"))
	exitKey     = language.NewPattern(`(?i)^%s$`, language.Messages.Row("exit_key"))
	failureKey  = language.NewPattern(`(?i)^%s$`, language.Messages.Row("failure_field"))
	warningWord = lexiconOf(language.Messages.Row("warning"))

	oddWords     = language.Oddities.By(language.LightStem)
	greatestWord = language.Extremes.Row("greatest")
	leastWord    = language.Extremes.Row("least")
)
