package language

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxTerm bounds a term, in bytes: a longer one (a hash, a data URI) is cut, in texts and questions alike.
const maxTerm = 64

// Terms returns the terms of text in order, repeats included, as an index holds them. In a text of a language with stems of its
// own the stem of a word follows its term: "wohnungen", "wohnung". It is added and takes no place, so that an index that was
// made without stems finds the same texts as before.
func Terms(text string) []string {
	words := segment(text)
	if len(words) == 0 {
		return nil
	}
	stems := stemsOf(text, words)
	terms := make([]string, 0, len(words))
	for i, w := range words {
		terms = w.appendTerms(terms, true)
		if stems != nil && stems[i] != "" {
			terms = append(terms, stems[i])
		}
	}
	return terms
}

// stemsOf returns the stems of the words that their language adds, or nil for a text without one.
func stemsOf(text string, words []word) []string {
	if f := foreignOf(words); f != nil {
		return f.stems(text, words)
	}
	return nil
}

// Query returns the distinct terms to look for, in order of first appearance, with the stems that Terms adds. Stop words, of
// English and of the language of the text, are left out unless nothing else is asked.
func Query(text string) []string {
	words := segment(text)
	f := foreignOf(words)
	var stems []string
	stop := StopWords.Has
	if f != nil {
		stems, stop = f.stems(text, words), f.stops.Has
	}
	terms := distinct(words, stems, func(w word) bool { return !stop(w.text) })
	if len(terms) == 0 {
		terms = distinct(words, stems, func(word) bool { return true })
	}
	return terms
}

// Term returns the terms of a single word with spaces between, as Query finds them beside others: "" for a stop word.
func Term(word string) string {
	if w := strings.ToLower(word); plainWord(w) {
		if w == "" || StopWords.Has(w) {
			return ""
		}
		return stem(clip(w))
	}
	var terms []string
	for _, w := range segment(word) {
		if !StopWords.Has(w.text) {
			terms = w.appendTerms(terms, false)
		}
	}
	return strings.Join(terms, " ")
}

// Words returns the words of text in order, repeats included, in lower case and without accents, and not stemmed. A run of a
// script that is written without spaces is one word.
func Words(text string) []string {
	words := segment(text)
	if len(words) == 0 {
		return nil
	}
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = w.text
	}
	return all
}

// distinct returns the terms of the words that are kept, each once, with their stems if there are any.
func distinct(words []word, stems []string, keep func(word) bool) []string {
	var terms, own []string
	seen := map[string]bool{"": true}
	for i, w := range words {
		if !keep(w) {
			continue
		}
		own = w.appendTerms(own[:0], false)
		if stems != nil {
			own = append(own, stems[i])
		}
		for _, t := range own {
			if !seen[t] {
				seen[t] = true
				terms = append(terms, t)
			}
		}
	}
	return terms
}

// script says how a run of characters is cut into terms.
type script int

const (
	none     script = iota // not part of a word
	spaced                 // words are written apart: one run, one word
	unspaced               // words are run together: overlapping bigrams
	symbol                 // an emoji or the like stands for itself
)

// word is a maximal run of characters of one script, folded.
type word struct {
	text   string
	script script
}

// appendTerms appends the terms of the word. An index holds the single characters of unspaced scripts beside the bigrams, so
// that a question of one character finds them; a question of more uses the bigrams only.
func (w word) appendTerms(terms []string, index bool) []string {
	if w.script != unspaced {
		return append(terms, stem(clip(w.text)))
	}
	runes := []rune(w.text)
	if len(runes) == 1 {
		return append(terms, w.text)
	}
	for i := range runes {
		if index {
			terms = append(terms, string(runes[i]))
		}
		if i+1 < len(runes) {
			terms = append(terms, string(runes[i:i+2]))
		}
	}
	return terms
}

// segment folds text and cuts it into words.
func segment(text string) []word {
	if text = fold(text); isPlain(text) {
		return cutPlain(text)
	}
	return cut([]rune(text))
}

// isPlain reports whether a text is in ASCII.
func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// bytesOfWord is less than the letters of a word with the space behind it, on average.
const bytesOfWord = 5

// cutPlain is cut for a text in ASCII. A word is a part of it, unless an apostrophe stood in the word.
func cutPlain(text string) []word {
	words := make([]word, 0, len(text)/bytesOfWord+1)
	start, joined := -1, []byte(nil) // where the word begins, -1 between words; its letters so far, once an apostrophe was left out
	for i := 0; i <= len(text); i++ {
		switch {
		case i < len(text) && scriptOf(rune(text[i])) == spaced:
			if start < 0 {
				start = i
			}
			if joined != nil {
				joined = append(joined, text[i])
			}
		case i < len(text) && text[i] == '\'':
			if start >= 0 && joined == nil {
				joined = []byte(text[start:i])
			}
			if possessivePlain(text[i+1:]) {
				i++
			}
		case start >= 0:
			if joined == nil {
				words = append(words, word{text[start:i], spaced})
			} else {
				words = append(words, word{string(joined), spaced})
			}
			start, joined = -1, nil
		}
	}
	return words
}

// possessivePlain is possessive for a text in ASCII.
func possessivePlain(after string) bool {
	return after != "" && after[0] == 's' && (len(after) == 1 || scriptOf(rune(after[1])) != spaced)
}

// cut cuts a text into words.
func cut(text []rune) []word {
	var words []word
	var run []rune
	var kind script
	flush := func() {
		if len(run) > 0 {
			words = append(words, word{string(run), kind})
		}
		run = run[:0]
	}
	for i := 0; i < len(text); i++ {
		r := text[i]
		k := scriptOf(r)
		if r == '\'' || r == '’' {
			if possessive(text[i+1:]) {
				i++
			}
			continue // "don't" and "dont" are one word
		}
		if k != kind || k == symbol {
			flush()
		}
		kind = k
		if k != none {
			run = append(run, r)
		}
	}
	flush()
	return words
}

// possessive reports whether an apostrophe is followed by the s that ends a word.
func possessive(after []rune) bool {
	return len(after) > 0 && after[0] == 's' && (len(after) == 1 || scriptOf(after[1]) != spaced)
}

// fold returns text in lower case, in compatibility form, without accents.
func fold(text string) string {
	decomposed := norm.NFKD.String(strings.ToLower(text))
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if r >= 0x300 && r <= 0x36f { // combining diacritical marks; marks of other scripts carry meaning
			return -1
		}
		return unicode.ToLower(r)
	}, decomposed))
}

func scriptOf(r rune) script {
	switch {
	case r < 0x80:
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return spaced
		}
		return none
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar, unicode.Tibetan) && !unicode.IsPunct(r):
		return unspaced
	case unicode.Is(unicode.Hangul, r):
		return unspaced
	case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r) && !variation(r):
		return spaced
	case unicode.In(r, unicode.So, unicode.Sk):
		return symbol
	default:
		return none
	}
}

// variation reports whether r only chooses how its neighbour is drawn.
func variation(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

// clip cuts a term to maxTerm bytes at a character boundary.
func clip(t string) string {
	if len(t) <= maxTerm {
		return t
	}
	end := maxTerm
	for end > 0 && t[end]&0xc0 == 0x80 {
		end--
	}
	return t[:end]
}
