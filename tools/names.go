package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// The strings among the arguments are of two sorts, by the tag "holds" on their field, which holds for all below it:
//
//	holds:"text"    content. Its secrets are hidden before it rests anywhere, or it rests nowhere.
//	holds:"values"  a table: its values are content, its keys are names.
//	(no tag)        a name: an id, a key, a word. It is kept as it is given, and so it is refused where it looks like a secret.
//
// A new argument is a name until it is marked, so that forgetting the mark refuses too much and leaks nothing.
const holdsTag = "holds"

// checkNames returns a CodeInvalid Error for the first name among the arguments that secret knows, in the order of the fields of t. It
// never quotes a name: one that looks like a secret may be one. Content is passed over unread.
func checkNames(t reflect.Type, arguments json.RawMessage, secret func(string) (bool, error)) error {
	return nameCheck{secret}.value(t, arguments, "")
}

// nameCheck walks arguments along the type that they are read into.
type nameCheck struct{ secret func(string) (bool, error) }

func (c nameCheck) value(t reflect.Type, raw json.RawMessage, at string) error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch raw = bytes.TrimSpace(raw); {
	case len(raw) == 0:
	case raw[0] == '"':
		var text string
		if err := readArgument(raw, &text); err != nil {
			return err
		}
		return c.name(text, fmt.Sprintf("argument %q", at))
	case raw[0] == '[' && t.Kind() == reflect.Slice:
		var all []json.RawMessage
		if err := readArgument(raw, &all); err != nil {
			return err
		}
		for i, one := range all {
			if err := c.value(t.Elem(), one, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case raw[0] == '{' && t.Kind() == reflect.Struct:
		return c.fields(t, raw, at)
	}
	return nil
}

func (c nameCheck) fields(t reflect.Type, raw json.RawMessage, at string) error {
	in, err := ijson.ByName(raw)
	if err != nil {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the arguments cannot be read").WithCause(err)
	}
	for _, f := range fieldsOf(t) {
		v, given := in[f.name]
		if !given {
			continue
		}
		where := strings.TrimPrefix(at+"."+f.name, ".")
		switch f.holds {
		case "text":
		case "values":
			err = c.keys(v, where)
		default:
			err = c.value(f.of, v, where)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// namedField is a field of arguments.
type namedField struct {
	name  string // of the argument
	of    reflect.Type
	holds string // see holdsTag
}

// knownFields holds the fields of the types of arguments, which each call has: reflection makes them anew each time.
var knownFields sync.Map // reflect.Type -> []namedField

// fieldsOf returns the fields of a type of arguments, in their order.
func fieldsOf(t reflect.Type) []namedField {
	if known, ok := knownFields.Load(t); ok {
		return known.([]namedField)
	}
	var fields []namedField
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); !f.Anonymous {
			fields = append(fields, namedField{name, f.Type, f.Tag.Get(holdsTag)})
		}
	}
	knownFields.Store(t, fields)
	return fields
}

// readArgument reads a part of the arguments that has passed the schema.
func readArgument(raw json.RawMessage, into any) error {
	if err := json.Unmarshal(raw, into); err != nil {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the arguments cannot be read").WithCause(err)
	}
	return nil
}

func (c nameCheck) keys(raw json.RawMessage, at string) error {
	var in map[string]json.RawMessage
	if err := readArgument(raw, &in); err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(in)) {
		if err := c.name(key, fmt.Sprintf("a name in argument %q", at)); err != nil {
			return err
		}
	}
	return nil
}

func (c nameCheck) name(text, called string) error {
	found, err := c.secret(text)
	if err != nil || !found {
		return err
	}
	return ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s looks like a secret", called).
		WithHint("ids, keys and names are kept as they are given: use one that tells nothing")
}

// checkMarks panics if a type of arguments holds any JSON that is not marked as content: it has no names that could be told apart.
func checkMarks(t reflect.Type) {
	for _, f := range reflect.VisibleFields(t) {
		inner := f.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice && inner != reflect.TypeFor[json.RawMessage]() {
			inner = inner.Elem()
		}
		switch mark := f.Tag.Get(holdsTag); {
		case mark != "" && mark != "text" && mark != "values":
			panic(fmt.Sprintf("%v.%s: there is no mark %q", t, f.Name, mark))
		case mark != "" || f.Anonymous:
		case inner == reflect.TypeFor[json.RawMessage](), inner.Kind() == reflect.Map, inner.Kind() == reflect.Interface:
			panic(fmt.Sprintf("%v.%s: any JSON must be marked as content", t, f.Name))
		case inner.Kind() == reflect.Struct && !isTime(inner):
			checkMarks(inner)
		}
	}
}

func isTime(t reflect.Type) bool { return t == reflect.TypeFor[Time]() }
