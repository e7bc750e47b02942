package relations

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
)

// element is a part of a form: one of some words, each for all its inflected forms, and "#" for numbers; any word, "_"; or up
// to widest words, "...".
type element struct {
	words []string
	kind  elementKind
}

type elementKind int

const (
	oneOf elementKind = iota
	anyWord
	gap
)

// widest is how many words a gap may have.
const widest = 3

// parseForm reads a form: elements with spaces between, and words of one element with "/" between.
func parseForm(written string) ([]element, error) {
	var elements []element
	for _, part := range strings.Fields(written) {
		switch part {
		case "_":
			elements = append(elements, element{kind: anyWord})
		case "...":
			elements = append(elements, element{kind: gap})
		default:
			words := strings.Split(part, "/")
			for _, w := range words {
				if w != numeral && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz0123456789") != "" || w == "" {
					return nil, fmt.Errorf("%q in %q is not one word as texts have it", w, written)
				}
			}
			elements = append(elements, element{words: words})
		}
	}
	if len(elements) == 0 || elements[0].kind == anyWord || elements[0].kind == gap || elements[len(elements)-1].kind == gap {
		return nil, fmt.Errorf("the form %q begins or ends with no word", written)
	}
	return elements, nil
}

// token is a word of a text with its base forms, and "#" if it is a number.
type token []string

const numeral = "#"

var numerals = strings.Fields("two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty hundred thousand million dozen half")

// tokensOf returns the words of a text. A sign of money becomes a word.
func tokensOf(text string) []token {
	words := language.Words(currencies.Replace(text))
	tokens := make([]token, len(words))
	for i, w := range words {
		tokens[i] = append(token{w}, lexicon.Look(w).Bases()...)
		if strings.ContainsAny(w, "0123456789") || slices.Contains(numerals, w) {
			tokens[i] = append(tokens[i], numeral)
		}
	}
	return tokens
}

var currencies = strings.NewReplacer("$", " dollar ", "€", " euro ", "£", " pound ", "%", " percent ", "@", " at ")

func (t token) is(words []string) bool {
	return slices.ContainsFunc(t, func(w string) bool { return slices.Contains(words, w) })
}

// matches reports whether the tokens begin with the elements.
func matches(elements []element, tokens []token) bool {
	for i, e := range elements {
		if e.kind == gap {
			for skip := 0; skip <= min(widest, len(tokens)); skip++ {
				if matches(elements[i+1:], tokens[skip:]) {
					return true
				}
			}
			return false
		}
		if len(tokens) == 0 || e.kind == oneOf && !tokens[0].is(e.words) {
			return false
		}
		tokens = tokens[1:]
	}
	return true
}

// indexed is a form of a relation.
type indexed struct {
	form
	relation int
}

// index holds forms by their first words.
type index map[string][]indexed

func (x index) add(forms []form, relation int) {
	for _, f := range forms {
		for _, w := range f.elements[0].words {
			x[w] = append(x[w], indexed{f, relation})
		}
	}
}
