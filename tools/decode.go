package tools

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// decode reads arguments that have passed the schema. Content that is large is taken out first, and read once: a decoder looks at every byte
// of its input several times.
func decode(arguments json.RawMessage, in any) error {
	rest, taken := arguments, []taken(nil)
	if len(arguments) >= largeArguments {
		rest, taken = takeLarge(arguments, reflect.TypeOf(in).Elem())
	}
	d := json.NewDecoder(bytes.NewReader(rest))
	d.DisallowUnknownFields()
	if err := d.Decode(in); err != nil {
		return unreadable(err).WithHint("check the form of times and the size of numbers")
	}
	for _, t := range taken {
		if err := t.set(reflect.ValueOf(in).Elem()); err != nil {
			return unreadable(err)
		}
	}
	return nil
}

func unreadable(err error) *ctxmcp.Error {
	return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the arguments cannot be read").WithCause(err)
}

// largeContent is the size in bytes from which an argument is read by itself.
const largeContent = 16 << 10

// taken is an argument that was taken out, with the field that it is for.
type taken struct {
	field reflect.StructField
	value json.RawMessage
}

// takeLarge parts an object from its large members that are text or any JSON. An object that has a name twice, in any case, stays whole.
func takeLarge(object json.RawMessage, t reflect.Type) (rest json.RawMessage, out []taken) {
	fields := takeable(t)
	seen := map[string]bool{}
	small := []byte{'{'}
	for quoted, value := range ijson.Members(object) {
		name, err := ijson.Unquote(quoted)
		folded := strings.ToLower(name)
		if err != nil || seen[folded] {
			return object, nil
		}
		seen[folded] = true
		if f, can := fields[name]; can && len(value) >= largeContent {
			out = append(out, taken{f, value})
			continue
		}
		if len(small) > 1 {
			small = append(small, ',')
		}
		small = append(append(append(small, quoted...), ':'), value...)
	}
	if len(out) == 0 {
		return object, nil
	}
	return append(small, '}'), out
}

// takeable returns the fields of a type, by the names of their arguments, that hold text or any JSON.
func takeable(t reflect.Type) map[string]reflect.StructField {
	fields := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch f.Type {
		case reflect.TypeFor[string](), reflect.TypeFor[*string](), reflect.TypeFor[json.RawMessage]():
			fields[name] = f
		}
	}
	return fields
}

// set puts the argument into its field.
func (t taken) set(in reflect.Value) error {
	field := in.FieldByIndex(t.field.Index)
	if t.field.Type == reflect.TypeFor[json.RawMessage]() {
		field.SetBytes(t.value)
		return nil
	}
	text, err := ijson.Text(t.value)
	if err != nil {
		return err
	}
	if t.field.Type.Kind() == reflect.Pointer {
		field.Set(reflect.ValueOf(&text))
		return nil
	}
	field.SetString(text)
	return nil
}
