package ijson

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gowebpki/jcs"
)

// canonicalWriter writes a decoded value in the form of RFC 8785, while ctx lasts.
type canonicalWriter struct {
	ctx  context.Context
	out  []byte
	next int // length of out at which it looks at the context again
}

// look returns the error of the context, at which it looks once in a while.
func (w *canonicalWriter) look() error {
	if len(w.out) < w.next {
		return nil
	}
	w.next = len(w.out) + lookEvery
	return w.ctx.Err()
}

func (w *canonicalWriter) value(v any) error {
	if err := w.look(); err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
		w.out = append(w.out, "null"...)
	case bool:
		w.out = strconv.AppendBool(w.out, v)
	case string:
		w.out = appendQuoted(w.out, v)
	case json.Number:
		return w.number(string(v))
	case []any:
		return w.array(v)
	case map[string]any:
		return w.object(v)
	default:
		return fmt.Errorf("%T is not of JSON", v)
	}
	return nil
}

// number writes a number as ECMAScript does; a whole one of few digits is written like this already.
func (w *canonicalWriter) number(text string) error {
	if len(text) <= 15 && strings.Trim(text, "0123456789") == "" { // below 2⁵³
		w.out = append(w.out, text...)
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return err
	}
	written, err := jcs.NumberToJSON(f)
	w.out = append(w.out, written...)
	return err
}

func (w *canonicalWriter) array(list []any) error {
	w.out = append(w.out, '[')
	for i, v := range list {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if err := w.value(v); err != nil {
			return err
		}
	}
	w.out = append(w.out, ']')
	return nil
}

func (w *canonicalWriter) object(members map[string]any) error {
	names := slices.Collect(maps.Keys(members))
	if err := SortDuring(w.ctx, names, compareNames[string]); err != nil {
		return err
	}
	w.out = append(w.out, '{')
	for i, name := range names {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.out = append(appendQuoted(w.out, name), ':')
		if err := w.value(members[name]); err != nil {
			return err
		}
	}
	w.out = append(w.out, '}')
	return nil
}

// compareNames orders names by their UTF-16 units. That is the order of their bytes, but for the characters beyond U+FFFF, whose units
// stand before U+E000.
func compareNames[T string | []byte](a, b T) int {
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		if beyond := a[i] >= 0xF0; a[i] >= 0xEE && b[i] >= 0xEE && beyond != (b[i] >= 0xF0) {
			return cmp.Compare(b[i], a[i])
		}
		return cmp.Compare(a[i], b[i])
	}
	return cmp.Compare(len(a), len(b))
}

// appendQuoted appends a string as RFC 8785 writes it: escaped is no more than has to be.
func appendQuoted[T string | []byte](out []byte, text T) []byte {
	const escaped, letters, hexadecimal = "\"\\\b\f\n\r\t", `"\bfnrt`, "0123456789abcdef"
	out = append(out, '"')
	done := 0
	for i := range len(text) {
		b := text[i]
		if b >= 0x20 && b != '"' && b != '\\' {
			continue
		}
		out = append(out, text[done:i]...)
		if at := strings.IndexByte(escaped, b); at >= 0 {
			out = append(out, '\\', letters[at])
		} else {
			out = append(out, '\\', 'u', '0', '0', hexadecimal[b>>4], hexadecimal[b&0xF])
		}
		done = i + 1
	}
	return append(append(out, text[done:]...), '"')
}
