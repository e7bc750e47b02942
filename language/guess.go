package language

import (
	"slices"
	"unicode"
)

var (
	englishWords = list("en/function_words.txt")
	anyWords     = everywhere("function_words.txt") // of all languages, English among them
	germanWords  = newSet(func() []string {
		words := list("de/frequent.txt")
		return append(slices.Clone(words.All()), words.By(fold).All()...)
	})
)

// Guess gathers the evidence of words for the language of their text. The zero value has seen none.
//
// It asks two lists of German: a text whose nouns have capitals is told by few and sure words (de/frequent.txt), one that is
// not English by the commonest (de/function_words.txt). Merged they would find other entities, and judge other actions.
type Guess struct{ words, english, any, german int }

// Add counts a word in lower case. Words that are to tell German may be without accents.
func (g *Guess) Add(word string) {
	g.words++
	g.german += count(germanWords, word)
	g.english += count(englishWords, word)
	g.any += count(anyWords, word)
}

// IsFunctionWord reports whether a word in lower case is one of the commonest of English, which carry no subject.
func IsFunctionWord(word string) bool { return englishWords.Has(word) }

func count(s *Set, word string) int {
	if s.Has(word) {
		return 1
	}
	return 0
}

// IsGerman reports whether one word in eight is frequent in German and rare elsewhere: a capital says little then.
func (g *Guess) IsGerman() bool { return g.german > 0 && 8*g.german >= g.words }

// IsForeign reports whether the text has common words of other languages, and none of English.
func (g *Guess) IsForeign() bool { return g.english == 0 && g.any >= 2 }

// foreignLetters is how many letters of another script make a text one in another script: a name has fewer.
const foreignLetters = 6

// scripts are those in which no word of English is written.
var scripts = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Cyrillic, unicode.Greek, unicode.Arabic, unicode.Hebrew,
	unicode.Devanagari, unicode.Thai, unicode.Bengali, unicode.Tamil, unicode.Telugu, unicode.Georgian, unicode.Armenian,
}

// InOtherScript reports whether a text, or a part of it, is written in another script than English.
func InOtherScript(text string) bool {
	letters := 0
	for _, r := range text {
		if r > unicode.MaxLatin1 && unicode.In(r, scripts...) {
			letters++
		}
	}
	return letters >= foreignLetters
}

// IsEnglishGrammar reports whether a word, in lower case, is one of the commonest of English.
func IsEnglishGrammar(word string) bool { return englishWords.Has(word) }
