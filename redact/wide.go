package redact

import (
	"strings"
	"unicode/utf8"
)

// A width is how many bytes a character has, and in which order.
type width int

const (
	utf8Width    width = iota
	littleEndian       // UTF-16, the low byte first
	bigEndian          // UTF-16, the high byte first
)

const minUnits = 8 // characters of UTF-16 in a row that are no chance

// wideText scans the text that stands in UTF-16, with a mark at its beginning or without. Every character of ASCII has
// a zero beside it there, which leads to the runs.
func (t *scan) wideText() {
	if t.depth >= maxDepth {
		return
	}
	for i := 0; i < len(t.s) && !t.ended(); {
		n := strings.IndexByte(t.s[i:], 0)
		if n < 0 {
			return
		}
		i = t.wideRun(i, i+n)
	}
}

// wideRun scans the run that holds the zero at i, and begins at from or later. It returns where to go on.
func (t *scan) wideRun(from, i int) int {
	for _, try := range []struct {
		order width
		start int
	}{{bigEndian, i}, {littleEndian, i - 1}} {
		if try.start < from || try.order == bigEndian && evenLittle(t.s, from, i) ||
			try.start+2 > len(t.s) || !plainUnit(try.order.unit(t.s, try.start)) {
			continue
		}
		start := wideStart(t.s, from, try.start, try.order)
		end := wideEnd(t.s, try.start, try.order)
		if end-start < 2*minUnits {
			continue
		}
		text, at := narrow(t.s, start, end, try.order)
		t.viewIn(text, try.order, func(a, b int) stretch { return stretch{at[a], at[b]} })
		return end
	}
	return i + 1
}

// evenLittle reports whether the zero at i is the second byte of a unit, by the mark of the text or by the place.
func evenLittle(s string, from, i int) bool {
	if i == from {
		return false
	}
	mark := strings.HasPrefix(s, "\xfe\xff")
	return !mark && s[i-1] >= ' ' && s[i-1] < 0x7f && (i < 2 || s[i-2] == 0 || i%2 == 1)
}

// unit returns the character of UTF-16 at i.
func (w width) unit(s string, i int) rune {
	if w == littleEndian {
		return rune(s[i]) | rune(s[i+1])<<8
	}
	return rune(s[i])<<8 | rune(s[i+1])
}

// plainUnit reports whether the character is of ASCII, and one of texts.
func plainUnit(u rune) bool {
	return u >= ' ' && u < 0x7f || u == '\n' || u == '\r' || u == '\t'
}

// wideEnd returns where the run of UTF-16 ends that begins at i.
func wideEnd(s string, i int, order width) int {
	for strange := 0; i+2 <= len(s); i += 2 {
		switch u := order.unit(s, i); {
		case plainUnit(u):
			strange = 0
		case u < 0xA0 || strange == maxStrange:
			return i - 2*strange
		default:
			strange++
		}
	}
	return i
}

// maxStrange is the number of characters beyond ASCII that may stand in a row: other bytes read as such.
const maxStrange = 64

// wideStart returns where the run begins that holds the unit at i, at from or later.
func wideStart(s string, from, i int, order width) int {
	start := i
	for strange := 0; i-2 >= from && strange < maxStrange; {
		i -= 2
		switch u := order.unit(s, i); {
		case plainUnit(u):
			start, strange = i, 0
		case u < 0xA0:
			return start
		default:
			strange++
		}
	}
	return start
}

// narrow returns the text in UTF-8, and where each of its bytes stands, and where the text ends.
func narrow(s string, start, end int, order width) (string, []int) {
	text, at := make([]byte, 0, end-start), make([]int, 0, end-start)
	for i := start; i < end; i += 2 {
		size := len(text)
		text = utf8.AppendRune(text, order.unit(s, i))
		for range len(text) - size {
			at = append(at, i)
		}
	}
	return string(text), append(at, end)
}

// widen writes the text in UTF-16.
func widen(text string, order width) string {
	if order == utf8Width {
		return text
	}
	out := make([]byte, 0, 2*len(text))
	for i := range len(text) { // a placeholder is of ASCII
		if order == littleEndian {
			out = append(out, text[i], 0)
		} else {
			out = append(out, 0, text[i])
		}
	}
	return string(out)
}
