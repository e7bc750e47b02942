package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/containment"
)

// told is an output that says itself in lines of its own. Every other output is said by Lines.
type told interface {
	// lines returns all that a model needs of the output, without a line break at its end. The texts of others stand last, or
	// are indented: none of their lines can be taken for one of ours.
	lines() string
}

// inLines returns the text block of an output.
func inLines(out any, raw json.RawMessage) (string, error) {
	if t, ok := out.(told); ok {
		return t.lines(), nil
	}
	return Lines(raw)
}

// Lines returns JSON as plain lines: each field on a line in its order, its inside indented, texts of several lines behind a
// bar, and no empty field.
func Lines(raw json.RawMessage) (string, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	v, err := parse(d)
	if err != nil {
		return "", fmt.Errorf("say an output in lines: %w", err)
	}
	var b strings.Builder
	say(&b, "", v)
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// field is a field of an object, with a value as parse returns it.
type field struct {
	name  string
	value any
}

// parse reads a value: []field for an object, []any for an array, or what encoding/json makes of it.
func parse(d *json.Decoder) (any, error) {
	token, err := d.Token()
	delim, nested := token.(json.Delim)
	if err != nil || !nested {
		return token, err
	}
	var fields []field
	items := []any{}
	for d.More() {
		name := ""
		if delim == '{' {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			name = key.(string)
		}
		v, err := parse(d)
		if err != nil {
			return nil, err
		}
		fields, items = append(fields, field{name, v}), append(items, v)
	}
	_, err = d.Token()
	if delim == '{' {
		return fields, err
	}
	return items, err
}

// say writes a value at an indent, a line each.
func say(b *strings.Builder, indent string, v any) {
	switch v := v.(type) {
	case []field:
		for _, f := range v {
			if !empty(f.value) {
				sayField(b, indent, f)
			}
		}
	case []any:
		for _, item := range v {
			sayItem(b, indent, item)
		}
	default:
		for _, line := range containment.Lines(fmt.Sprint(v)) {
			b.WriteString(indent + "| " + line + "\n")
		}
	}
}

func sayField(b *strings.Builder, indent string, f field) {
	if line, ok := inline(f.value); ok {
		b.WriteString(indent + f.name + ": " + line + "\n")
		return
	}
	b.WriteString(indent + f.name + ":\n")
	say(b, indent+"  ", f.value)
}

// sayItem writes an item of a list: behind a dash, which an object's first field stands behind too.
func sayItem(b *strings.Builder, indent string, v any) {
	if line, ok := inline(v); ok {
		b.WriteString(indent + "- " + line + "\n")
		return
	}
	var inner strings.Builder
	say(&inner, indent+"  ", v)
	b.WriteString(indent + "- " + strings.TrimPrefix(inner.String(), indent+"  "))
}

// mostInline is how long a list may be, in bytes, that stands on one line.
const mostInline = 120

// inline returns a value that has its place on one line.
func inline(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, len(containment.Lines(v)) == 1
	case []field:
		return "none", len(v) == 0
	case []any:
		var parts []string
		size := 0
		for _, item := range v {
			part, ok := inline(item)
			if _, list := item.([]any); !ok || list || strings.Contains(part, ",") {
				return "", false
			}
			if _, object := item.([]field); object {
				return "", false
			}
			parts = append(parts, part)
			size += len(part)
		}
		if len(parts) == 0 {
			return "none", true
		}
		return strings.Join(parts, ", "), size <= mostInline
	default:
		return fmt.Sprint(v), true
	}
}

// empty reports whether a value says nothing. An empty list says that there is none.
func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []field:
		return len(v) == 0
	default:
		return false
	}
}
