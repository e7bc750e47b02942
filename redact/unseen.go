package redact

import (
	"strings"
	"unicode/utf8"
)

// Characters that nobody sees, and letters in another width, hide a name or a value from who compares bytes: they are
// taken out, or read as the ASCII for which they stand, before a text is scanned again.

// unseenRanges are the characters that show nothing: of Default_Ignorable_Code_Point (Unicode Character Database,
// DerivedCoreProperties.txt), in order. Unassigned ones are left out, but for the planes that are reserved for them.
var unseenRanges = []struct{ first, last rune }{
	{0x00AD, 0x00AD}, {0x034F, 0x034F}, {0x061C, 0x061C}, {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},
	{0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF},
	{0xFFA0, 0xFFA0}, {0xFFF0, 0xFFF8}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
}

// unseen is the byte for a character that shows nothing.
const unseen = 0

// plainer returns the byte of ASCII as which a character reads that hides one, unseen for one that shows nothing. It
// reports false for every other character.
func plainer(r rune) (byte, bool) {
	switch {
	case r >= '！' && r <= '～': // full width
		return byte(r - '！' + '!'), true
	case r == 0xA0 || r >= 0x2000 && r <= 0x200A || r == 0x202F || r == 0x205F || r == 0x3000:
		return ' ', true
	case r == 0x2028 || r == 0x2029:
		return '\n', true
	}
	for _, u := range unseenRanges {
		if r <= u.last {
			return unseen, r >= u.first
		}
	}
	return 0, false
}

// unseenAnchors are such characters, one for each first byte, and their escapes in JSON, HTML and URLs. An automaton does not
// tell the bytes apart that follow the first, and plainer does.
var unseenAnchors = []string{
	"\u00ad", "\u034f", "\u061c", "\u2060", "\U0001bca0", "\U000e0000", "\u3000", "\u115f", "\uff01",
	`\u`, "&zw", "&shy;", "&nbsp;", "&lrm;", "&rlm;",
}

// unseenEntities are those of HTML by name.
var unseenEntities = []struct {
	text string
	b    byte
}{
	{"&zwnj;", unseen}, {"&zwj;", unseen}, {"&zwsp;", unseen}, {"&shy;", unseen}, {"&lrm;", unseen}, {"&rlm;", unseen}, {"&nbsp;", ' '},
	{"&ZeroWidthSpace;", unseen},
}

// plainRune reads the character at i, or its escape, that hides a byte or shows nothing. It returns the length of all, 0 if none begins there.
func plainRune(s string, i int) (b byte, n int) {
	r := rune(utf8.RuneError)
	switch c := s[i]; {
	case c >= utf8.RuneSelf:
		r, n = utf8.DecodeRuneInString(s[i:])
	case c == '&':
		return unseenEntity(s, i)
	default:
		r, n = runeEscape(s, i)
	}
	if r == utf8.RuneError || n == 0 {
		return 0, 0
	}
	if b, ok := plainer(r); ok {
		return b, n
	}
	return 0, 0
}

// runeEscape reads the escape at i of a character beyond ASCII: \u00f1, %C3%B1, \xc3\xb1. It returns its length, 0 if none
// begins there.
func runeEscape(s string, i int) (r rune, n int) {
	switch {
	case s[i] == '%':
		return byteEscapes(s, i, "%")
	case s[i] == '\\' && i+1 < len(s) && s[i+1] == 'x':
		return byteEscapes(s, i, `\x`)
	case s[i] == '\\':
		return escapedRune(s, i)
	}
	return utf8.RuneError, 0
}

// escapedRune reads \u200b.
func escapedRune(s string, i int) (rune, int) {
	if i+6 > len(s) || s[i] != '\\' || s[i+1] != 'u' {
		return utf8.RuneError, 0
	}
	r, ok := hexRune(s[i+2 : i+6])
	if !ok || r < utf8.RuneSelf {
		return utf8.RuneError, 0
	}
	return r, 6
}

// byteEscapes reads the bytes of a character, each behind the mark.
func byteEscapes(s string, i int, mark string) (rune, int) {
	var text [utf8.UTFMax]byte
	each := len(mark) + 2
	for size := 0; size < len(text) && i+each <= len(s) && s[i:i+len(mark)] == mark; {
		c, ok := hexRune(s[i+len(mark) : i+each])
		if !ok || c < utf8.RuneSelf {
			break
		}
		text[size] = byte(c)
		size, i = size+1, i+each
		if r, n := utf8.DecodeRune(text[:size]); r != utf8.RuneError && n == size {
			return r, size * each
		}
	}
	return utf8.RuneError, 0
}

// hexRune reads hexadecimal digits.
func hexRune(text string) (r rune, ok bool) {
	for i := range len(text) {
		d := hexValues[text[i]]
		if d >= 16 {
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}

// unseenEntity reads an entity of HTML, by name or by number: &#8203; or &#x200b;.
func unseenEntity(s string, i int) (b byte, n int) {
	for _, e := range unseenEntities {
		if strings.HasPrefix(s[i:], e.text) {
			return e.b, len(e.text)
		}
	}
	if !strings.HasPrefix(s[i:], "&#") {
		return 0, 0
	}
	end := alnum.run(s, i+2, i+10)
	if end >= len(s) || s[end] != ';' {
		return 0, 0
	}
	r, ok := numberedRune(s[i+2 : end])
	if b, hides := plainer(r); ok && r >= utf8.RuneSelf && hides {
		return b, end + 1 - i
	}
	return 0, 0
}

// numberedRune reads the number of a character: 8203 or x200b.
func numberedRune(text string) (r rune, ok bool) {
	if text != "" && text[0]|0x20 == 'x' {
		return hexRune(text[1:])
	}
	for i := range len(text) {
		if !digits[text[i]] {
			return 0, false
		}
		r = r*10 + rune(text[i]-'0')
	}
	return r, true
}
