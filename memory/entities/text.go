package entities

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// text is a text that is searched for names, cut into words once.
type text struct {
	raw   string
	words []word
	// german tells that nouns have capitals: a capital says little then.
	german bool
	// shouting tells that most words stand in capitals: they say nothing then.
	shouting bool
}

// word is a run of letters and digits, with hyphens and apostrophes between letters.
type word struct {
	start, end int
	folded     string // without a possessive
	capital    bool   // begins with one
	upper      bool   // has two letters or more, and no small one
	opens      bool   // a sentence
}

func newText(raw string) *text {
	t := &text{raw: raw}
	for at := 0; at < len(raw); {
		r, size := utf8.DecodeRuneInString(raw[at:])
		if !inWord(r) {
			at += size
			continue
		}
		end := wordEnd(raw, at)
		t.add(at, end)
		at = end
	}
	t.judge()
	return t
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// wordEnd returns where the word that begins at start ends.
func wordEnd(raw string, start int) int {
	end := start
	for end < len(raw) {
		r, size := utf8.DecodeRuneInString(raw[end:])
		if !inWord(r) {
			next, _ := utf8.DecodeRuneInString(raw[end+size:])
			if r != '-' && r != '\'' && r != '’' && r != '+' && r != '#' || r != '+' && r != '#' && !inWord(next) {
				break
			}
			if (r == '+' || r == '#') && end-start > 2 {
				break
			}
		}
		end += size
	}
	return end
}

func (t *text) add(start, end int) {
	w := t.raw[start:end]
	for _, s := range []string{"'s", "’s", "'S", "’S"} {
		if bare, found := strings.CutSuffix(w, s); found && bare != "" {
			w = bare
		}
	}
	r, _ := utf8.DecodeRuneInString(w)
	upper := utf8.RuneCountInString(w) > 1 && strings.ToUpper(w) == w && strings.ToLower(w) != w
	t.words = append(t.words, word{
		start: start, end: start + len(w), folded: fold(w), capital: unicode.IsUpper(r), upper: upper, opens: t.opens(start),
	})
}

// opens reports whether a sentence begins at the byte.
func (t *text) opens(at int) bool {
	before := strings.TrimRight(t.raw[:at], " \t\"'“”‘’«»(*_-–—•>¿¡[")
	if before == "" || strings.HasSuffix(before, "\n") {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	if last == '.' && len(t.words) > 0 {
		w := t.words[len(t.words)-1]
		abbreviated := titles.Has(w.folded) || w.end-w.start == 1 && w.capital
		return !(abbreviated && w.end == len(before)-1)
	}
	return strings.ContainsRune(".!?…。！？:", last)
}

// judge looks at the words as a whole.
func (t *text) judge() {
	upper := 0
	var guess language.Guess
	for _, w := range t.words {
		if w.upper {
			upper++
		}
		guess.Add(w.folded)
	}
	t.shouting = upper > 2 && 2*upper > len(t.words)
	t.german = guess.IsGerman()
}

// gap returns the text between two words.
func (t *text) gap(a, b word) string { return t.raw[a.end:b.start] }

// original returns a word as it is written.
func (t *text) original(w word) string { return t.raw[w.start:w.end] }

// key returns the key of the words from i to before j.
func (t *text) key(i, j int) string { return nameKey(t.raw[t.words[i].start:t.words[j-1].end]) }
