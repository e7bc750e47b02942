package compiler

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// attribute is a statement as a quantity of one thing: "Kayaks cost 15 euros an hour" is [kayak cost] 15 [euro] [hour].
type attribute struct {
	of    []string // stems before the quantity, without articles and the like
	value string
	unit  string   // the stem behind it
	rest  []string // the stems that follow
}

// leastNamed is how many words must name what a quantity is of.
const leastNamed = 2

// light are words that neither name a thing nor restrict a quantity.
var light = map[string]bool{
	"a": true, "an": true, "the": true, "is": true, "are": true, "be": true, "will": true, "now": true, "currently": true, "today": true, "only": true,
	"just": true, "per": true, "about": true, "exactly": true, "of": true, "our": true, "its": true, "at": true, "on": true, "in": true, "for": true, "to": true,
}

// numerals are the quantities that are written as words.
var numerals = map[string]string{
	"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}

// reasoned matches what gives a reason or a beginning, and restricts nothing: what follows is left out.
var reasoned = language.NewPattern(`(?i)[,;(]|\b(since|because|so that|as of|starting|until further)\b|\bthis (year|season|month|summer|winter|spring|autumn|term)\b|\bfrom (now|today)\b`)

// onceOnly matches a statement about a single event: its quantities belong to that event, and a later one does not replace them.
var onceOnly = language.NewPattern(`(?i)\b(%s|%s|yesterday|tomorrow|ago|last|next|\d{4}-\d\d-\d\d)\b`, language.Months, language.Weekdays)

// attributeOf reads a statement as a quantity of one thing; without a value where it is none.
func attributeOf(text string) attribute {
	text = strings.TrimRight(strings.TrimSpace(text), ".!")
	if strings.ContainsAny(text, "?!\n") || strings.Contains(text, ". ") || !counts(text) || onceOnly.MatchString(text) {
		return attribute{}
	}
	if cut := reasoned.FindStringIndex(text); cut != nil {
		text = text[:cut[0]]
	}
	var a attribute
	words := strings.Fields(strings.ToLower(text))
	for i, w := range words {
		value, is := quantity(w)
		if w == "every" && i+1 < len(words) {
			if _, counted := quantity(words[i+1]); !counted {
				a.of, value, is = appendStem(a.of, w), "1", true // every year is every one year
			}
		}
		switch {
		case is && a.value == "" && i+1 < len(words) && light[words[i+1]] && w != "every":
			return attribute{} // "room 4 is": a name
		case is && a.value == "":
			a.value = value
		case a.value == "":
			a.of = appendStem(a.of, w)
		case a.unit == "" && a.rest == nil && !is:
			a.unit, a.rest = phraseStem(w), []string{}
		default:
			a.rest = appendStem(a.rest, w)
		}
	}
	if len(a.of) < leastNamed {
		return attribute{}
	}
	return a
}

// counts reports whether a text has a quantity at all: to look for one costs less than to look for what it belongs to.
func counts(text string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(text)), func(word string) bool {
		_, is := quantity(word)
		return is || word == "every"
	})
}

// quantity returns the number that a word is.
func quantity(word string) (string, bool) {
	if n, is := numerals[word]; is {
		return n, true
	}
	word = strings.ReplaceAll(strings.Trim(word, "$€£%"), ",", "")
	if word == "" || word[0] > '9' && word[0] != 'i' && word[0] != 'n' { // no digit, sign or point, and neither inf nor nan
		return word, false
	}
	_, err := strconv.ParseFloat(word, 64)
	return word, err == nil
}

func phraseStem(word string) string { return strings.Join(phraseOf(word), " ") }

func appendStem(to []string, word string) []string {
	if light[word] {
		return to
	}
	return append(to, phraseStem(word))
}

// differs reports whether two quantities are of one thing, in one unit and under the same conditions, and not equal.
func (a attribute) differs(b attribute) bool {
	return a.value != "" && b.value != "" && a.value != b.value && a.unit == b.unit && slices.Equal(a.of, b.of) && slices.Equal(a.rest, b.rest)
}
