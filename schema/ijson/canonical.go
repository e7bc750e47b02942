package ijson

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
)

// Canonical returns the JSON of v in the form of RFC 8785, in which equal values have equal bytes. JSON itself is passed as a
// json.RawMessage. Numbers are those of IEEE 754, so a number with more digits loses them. It returns an error for a value without such a
// form: a name twice in an object, half of a surrogate pair, bytes that are not UTF-8.
func Canonical(v any) ([]byte, error) { return CanonicalDuring(context.Background(), v) }

// CanonicalDuring is Canonical while ctx lasts; then it returns the error of ctx. A value that is no json.RawMessage is written as
// JSON first, without a look at ctx: pass the input of a caller as JSON.
func CanonicalDuring(ctx context.Context, v any) ([]byte, error) {
	raw, is := v.(json.RawMessage)
	if !is {
		var err error
		if raw, err = json.Marshal(v); err != nil {
			return nil, err
		}
	} else if !Valid(raw) {
		return nil, errNotJSON
	}
	if err := errors.Join(ctx.Err(), Check(raw)); err != nil {
		return nil, err
	}
	return arrange(ctx, raw)
}

// Encode returns the canonical form of a value as Decode reads it, while ctx lasts, and then the error of ctx. Its strings are UTF-8.
func Encode(ctx context.Context, v any) ([]byte, error) {
	w := canonicalWriter{ctx: ctx}
	if err := w.value(v); err != nil {
		return nil, err
	}
	return w.out, nil
}

// Object returns the canonical form of an object whose members are in canonical form each.
func Object(members map[string]json.RawMessage) ([]byte, error) {
	out := []byte{'{'}
	for i, name := range slices.SortedFunc(maps.Keys(members), compareNames[string]) {
		if i > 0 {
			out = append(out, ',')
		}
		written, err := Canonical(name)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, written...), ':'), members[name]...)
	}
	return append(out, '}'), nil
}

// Compact returns the JSON of v on one line, the members of a map in order. Signs such as < and & stay as they are: a model pays for their
// escapes.
func Compact(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// Parse reads the first JSON value of a text, with its numbers as they are written (json.Number).
func Parse(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}
