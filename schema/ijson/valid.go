package ijson

import "bytes"

// mostDepth is how deep values may stand in each other, as in encoding/json.
const mostDepth = 10_000

// Valid reports whether a text is one well-formed value, as json.Valid does. Long strings cost it little.
func Valid(text []byte) bool {
	v := validator{text: text}
	v.space()
	for wanted := aValue; ; {
		switch wanted = v.step(wanted); wanted {
		case nothing:
			return v.at == len(text)
		case failed:
			return false
		}
	}
}

// validator reads JSON from left to right.
type validator struct {
	text []byte
	at   int
	open []byte // the brackets that are open
}

// next is one of the things that may follow.
type next int

const (
	failed       next = iota
	nothing           // the text is read
	aValue            // any value
	aValueOrEnd       // the first element of an array
	aNameOrEnd        // the first member of an object
	aName             // a further member
	commaOrClose      // behind a value
)

// step reads one thing, and the white space behind it.
func (v *validator) step(wanted next) next {
	if v.at == len(v.text) {
		if wanted == commaOrClose && len(v.open) == 0 {
			return nothing
		}
		return failed
	}
	switch c := v.text[v.at]; wanted {
	case commaOrClose:
		return v.behind(c)
	case aNameOrEnd, aName:
		if c == '}' && wanted == aNameOrEnd {
			return v.closed()
		}
		return v.name(c)
	case aValueOrEnd:
		if c == ']' {
			return v.closed()
		}
	}
	return v.value()
}

// behind reads the sign behind a value.
func (v *validator) behind(c byte) next {
	if len(v.open) == 0 {
		return failed
	}
	inner := v.open[len(v.open)-1]
	switch {
	case c == ',':
		v.at++
		v.space()
		if inner == '{' {
			return aName
		}
		return aValue
	case c == '}' && inner == '{', c == ']' && inner == '[':
		return v.closed()
	}
	return failed
}

// closed reads a closing bracket.
func (v *validator) closed() next {
	v.open = v.open[:len(v.open)-1]
	v.at++
	v.space()
	return commaOrClose
}

// name reads the name of a member and the colon behind it.
func (v *validator) name(c byte) next {
	if c != '"' || !v.string() {
		return failed
	}
	v.space()
	if v.at == len(v.text) || v.text[v.at] != ':' {
		return failed
	}
	v.at++
	v.space()
	return aValue
}

// value reads a value, of an object or an array the bracket that opens it.
func (v *validator) value() next {
	ok := false
	switch c := v.text[v.at]; c {
	case '{', '[':
		if v.open = append(v.open, c); len(v.open) > mostDepth {
			return failed
		}
		v.at++
		v.space()
		if c == '{' {
			return aNameOrEnd
		}
		return aValueOrEnd
	case '"':
		ok = v.string()
	case 't':
		ok = v.literal("true")
	case 'f':
		ok = v.literal("false")
	case 'n':
		ok = v.literal("null")
	default:
		ok = v.number()
	}
	if !ok {
		return failed
	}
	v.space()
	return commaOrClose
}

func (v *validator) space() { v.at = afterSpace(v.text, v.at) }

func (v *validator) literal(word string) bool {
	ok := bytes.HasPrefix(v.text[v.at:], []byte(word))
	v.at += len(word)
	return ok
}

// string reads a string, eight bytes at a time where they are plain.
func (v *validator) string() bool {
	text, at := v.text, v.at+1
	for at < len(text) {
		at = afterPlain(text, at)
		if at == len(text) {
			break
		}
		switch c := text[at]; {
		case c == '"':
			v.at = at + 1
			return true
		case c < ' ':
			return false
		}
		n := escapeLength(text[at:])
		if n == 0 {
			return false
		}
		at += n
	}
	return false
}

// escapeLength returns the bytes of the escape at the start of text; 0 if there is none.
func escapeLength(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := unicodeEscape(text); ok {
			return 6
		}
	}
	return 0
}

// number reads a number.
func (v *validator) number() bool {
	if v.peek() == '-' {
		v.at++
	}
	if v.peek() == '0' {
		v.at++
	} else if !v.digits() {
		return false
	}
	if v.peek() == '.' {
		if v.at++; !v.digits() {
			return false
		}
	}
	if v.peek()|0x20 == 'e' {
		if v.at++; v.peek() == '+' || v.peek() == '-' {
			v.at++
		}
		return v.digits()
	}
	return true
}

// peek returns the next byte; 0 at the end.
func (v *validator) peek() byte {
	if v.at < len(v.text) {
		return v.text[v.at]
	}
	return 0
}

// digits reads digits, one at the least.
func (v *validator) digits() bool {
	begin := v.at
	for v.peek()-'0' <= 9 {
		v.at++
	}
	return v.at > begin
}
