package tokens

import (
	"unicode"
	"unicode/utf8"
)

// class is the set of classes of a character that the regular expressions of the encodings ask for.
type class uint8

const (
	upper   class = 1 << iota // upper and title case, modifiers, letters without case, marks
	lower                     // lower case, modifiers, letters without case, marks
	letter                    // any letter
	number                    // any number
	space                     // any blank
	newline                   // CR and LF
	sign                      // neither blank, letter nor number
	prefix                    // neither CR, LF, letter nor number
)

func (c class) is(of class) bool { return c&of != 0 }

// classAt returns the class of the first character and its length in bytes; of "" no class.
func classAt(text string) (class, int) {
	if text == "" {
		return 0, 0
	}
	if text[0] < utf8.RuneSelf {
		return ascii[text[0]], 1
	}
	r, size := utf8.DecodeRuneInString(text)
	return classOf(r), size
}

var ascii = func() (table [utf8.RuneSelf]class) {
	for r := range table {
		table[r] = classOf(rune(r))
	}
	return table
}()

func classOf(r rune) class {
	switch {
	case r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3: // most characters without case, without looking them up
		return letter | upper | lower
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return letter | upper
	case unicode.Is(unicode.Ll, r):
		return letter | lower
	case unicode.IsLetter(r):
		return letter | upper | lower
	case unicode.IsMark(r):
		return sign | prefix | upper | lower
	case unicode.IsNumber(r):
		return number
	case r == '\r', r == '\n':
		return space | newline
	case unicode.IsSpace(r):
		return space | prefix
	default:
		return sign | prefix
	}
}
