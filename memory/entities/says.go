package entities

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Saying finds names in texts, as whole words, in any case and with or without accents.
type Saying struct {
	names []string
	words map[string]bool // of all of them
	full  bool            // one of the names has several words
}

// NewSaying returns the search for the names. An empty one is left out.
func NewSaying(names ...string) Saying {
	s := Saying{words: map[string]bool{}}
	for _, name := range names {
		if name = fold(strings.TrimSpace(name)); name != "" {
			words := strings.Fields(name)
			s.names, s.full = append(s.names, name), s.full || len(words) > 1
			for _, w := range words {
				s.words[w] = true
			}
		}
	}
	return s
}

// In reports whether the text says one of the names.
func (s Saying) In(text string) bool {
	folded := fold(text)
	for _, name := range s.names {
		if saysWhole(folded, name) {
			return true
		}
	}
	return false
}

// Means reports whether the text says one of the names, and not only as a part of a longer name with a word that none of theirs has: beside "Samuel Ortiz"
// and "Sam", "Sam Ortega" is somebody else. Where no full name is known, "Sam Ortega" may be Sam.
func (s Saying) Means(text string) bool {
	if !s.In(text) || !s.full {
		return s.In(text)
	}
	rest := []byte(text)
	for _, m := range Extract(text) {
		words := strings.Fields(m.Key)
		if m.Form == Proper && len(words) > 1 && slices.ContainsFunc(words, func(w string) bool { return !s.words[w] }) && !slices.Contains(s.names, fold(m.Text)) {
			copy(rest[m.Start:m.End], strings.Repeat(" ", m.End-m.Start))
		}
	}
	return s.In(string(rest))
}

// saysWhole reports whether the name stands in the text with no letter or digit beside it; both are folded.
func saysWhole(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		first, _ := utf8.DecodeRuneInString(name)
		last, _ := utf8.DecodeLastRuneInString(name)
		if !(inWord(before) && inWord(first)) && !(inWord(after) && inWord(last)) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[start:])
		at = start + size
	}
}
