package ijson

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// lookEvery is the number of bytes that are read between two looks at the context.
const lookEvery = 64 << 10

var (
	errNotJSON = errors.New("not one well-formed value")
	errTwice   = errors.New("an object has a name twice")
)

// Decode reads JSON as encoding/json does into an any, with numbers as json.Number, while ctx lasts. It returns the error of
// ctx, or one for a text that is not one well-formed value.
func Decode(ctx context.Context, text []byte) (any, error) {
	if !Valid(text) {
		return nil, errNotJSON
	}
	d := decoder{ctx: ctx, text: text}
	return d.value()
}

// decoder reads well-formed JSON.
type decoder struct {
	ctx  context.Context
	text []byte
	at   int
	next int // where it looks at the context again
}

// value reads the next value.
func (d *decoder) value() (any, error) {
	if err := d.look(); err != nil {
		return nil, err
	}
	switch d.at = afterSpace(d.text, d.at); d.text[d.at] {
	case '{':
		return d.object()
	case '[':
		return d.array()
	case '"':
		return d.string()
	}
	begin := d.at
	d.at = endOfValue(d.text, begin)
	switch literal := string(d.text[begin:d.at]); literal {
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "null":
		return nil, nil
	default:
		return json.Number(literal), nil
	}
}

func (d *decoder) look() error {
	if d.at < d.next {
		return nil
	}
	d.next = d.at + lookEvery
	return d.ctx.Err()
}

// more reports whether a member or an element follows, and goes to where it begins.
func (d *decoder) more(end byte) bool {
	d.at = afterSpace(d.text, d.at)
	sign := d.text[d.at]
	if sign != end && sign != ',' {
		return true // the first
	}
	d.at = afterSpace(d.text, d.at+1)
	return sign == ','
}

func (d *decoder) object() (any, error) {
	object := map[string]any{}
	for d.at++; d.more('}'); {
		name, err := d.string()
		if err != nil {
			return nil, err
		}
		d.at = afterSpace(d.text, d.at) + 1 // behind the colon
		if object[name], err = d.value(); err != nil {
			return nil, err
		}
	}
	return object, nil
}

func (d *decoder) array() (any, error) {
	array := []any{}
	for d.at++; d.more(']'); {
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		array = append(array, v)
	}
	return array, nil
}

// string reads a string, as which also names are written.
func (d *decoder) string() (string, error) {
	begin := d.at
	d.at = endOfString(d.text, begin+1) + 1
	return Unquote(d.text[begin:d.at])
}

// Unquote returns the text of a string of well-formed JSON. It reads characters that I-JSON does not allow as encoding/json does.
func Unquote(quoted []byte) (text string, err error) {
	inner := quoted[1 : len(quoted)-1]
	next := bytes.IndexByte(inner, '\\')
	if !utf8.Valid(inner) {
		err = json.Unmarshal(quoted, &text)
		return text, err
	}
	if next < 0 {
		return string(inner), nil
	}
	var b strings.Builder
	b.Grow(len(inner))
	for ; next >= 0; next = bytes.IndexByte(inner, '\\') {
		b.Write(inner[:next])
		r, size := escaped(inner[next:])
		if size == 0 { // half of a character
			err = json.Unmarshal(quoted, &text)
			return text, err
		}
		b.WriteRune(r)
		inner = inner[next+size:]
	}
	b.Write(inner)
	return b.String(), nil
}

// shortEscapes are the letters behind a backslash, each with its character behind it.
const shortEscapes = "n\nt\tr\rb\bf\f"

// escaped returns the character of the escape that a text begins with, and the bytes of the escape; none for half of a surrogate pair, whatever
// follows it.
func escaped(text []byte) (r rune, size int) {
	if text[1] == 'u' {
		if r, _ = unicodeEscape(text); utf16.IsSurrogate(r) {
			return 0, 0
		}
		return r, len(`\u0000`)
	}
	if i := strings.IndexByte(shortEscapes, text[1]); i >= 0 {
		return rune(shortEscapes[i+1]), 2
	}
	return rune(text[1]), 2
}
