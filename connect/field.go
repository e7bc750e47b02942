package connect

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Fields are the named values of an entry, in the order in which they are written.
type Fields []Field

// Field is a named value: a string, a bool, a number, a list ([]string or []any), Fields, or a map, which is written in the order of its names.
type Field struct {
	Name  string
	Value any
}

// fieldsOf returns an object as Fields; the names of a map are sorted.
func fieldsOf(v any) (Fields, bool) {
	switch v := v.(type) {
	case Fields:
		return v, true
	case map[string]string:
		return sorted(v), true
	case map[string]any:
		return sorted(v), true
	}
	return nil, false
}

func sorted[V any](m map[string]V) Fields {
	var all Fields
	for _, name := range slices.Sorted(maps.Keys(m)) {
		all = append(all, Field{name, m[name]})
	}
	return all
}

// elementsOf returns a list as a list of any values.
func elementsOf(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case []string:
		all := make([]any, len(v))
		for i, s := range v {
			all[i] = s
		}
		return all, true
	}
	return nil, false
}

// plain returns a value as a decoder of JSON would, to compare it with that of a file.
func plain(v any) any {
	var out any
	if err := json.Unmarshal([]byte(oneLine(v)), &out); err != nil {
		return nil // only a value that this package did not make
	}
	return out
}

// oneLine returns a value as JSON in one line.
func oneLine(v any) string {
	if fields, ok := fieldsOf(v); ok {
		parts := make([]string, len(fields))
		for i, f := range fields {
			parts[i] = oneLine(f.Name) + ": " + oneLine(f.Value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	if list, ok := elementsOf(v); ok {
		parts := make([]string, len(list))
		for i, e := range list {
			parts[i] = oneLine(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "null"
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// indented returns a value as JSON on lines: objects and lists of objects are spread, lists of plain values stand in one line. The first line
// has no indentation, the others begin with indent.
func indented(v any, indent, unit string) string {
	if fields, ok := fieldsOf(v); ok && len(fields) > 0 {
		parts := make([]string, len(fields))
		for i, f := range fields {
			parts[i] = indent + unit + oneLine(f.Name) + ": " + indented(f.Value, indent+unit, unit)
		}
		return "{\n" + strings.Join(parts, ",\n") + "\n" + indent + "}"
	}
	if list, ok := elementsOf(v); ok && slices.ContainsFunc(list, nested) {
		parts := make([]string, len(list))
		for i, e := range list {
			parts[i] = indent + unit + indented(e, indent+unit, unit)
		}
		return "[\n" + strings.Join(parts, ",\n") + "\n" + indent + "]"
	}
	return oneLine(v)
}

func nested(v any) bool {
	_, object := fieldsOf(v)
	_, list := elementsOf(v)
	return object || list
}
