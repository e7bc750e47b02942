package schema

import (
	"encoding/json"
	"slices"
	"strings"
)

// PublishedInput returns an Input schema as clients get it, short, because every model that has the tool pays for it. It leaves
// out the constraints that its Checker refuses in words anyway: the bounds of numbers and texts, the form of times, and the word
// that closes an object. The words of JSON Schema that every client understands are left. It also leaves out the properties at the
// paths of unsaid, such as "scope" or "source.origin", which calls may have all the same.
func PublishedInput(input json.RawMessage, unsaid ...string) json.RawMessage {
	var s map[string]any
	mustUnmarshal(input, &s)
	for _, path := range unsaid {
		without(s, strings.Split(path, "."))
	}
	walk(s, 0, func(s map[string]any, depth int) {
		drop(s, "minimum", "maximum", "minLength", "format", "additionalProperties")
		if depth > 0 {
			dropTexts(s)
		}
	})
	return mustMarshal(s)
}

// without takes the optional property at a path out of a schema.
func without(s map[string]any, path []string) {
	properties, _ := s["properties"].(map[string]any)
	inner, known := properties[path[0]].(map[string]any)
	switch {
	case !known, len(path) == 1 && slices.Contains(texts(s["required"]), path[0]):
		panic("schema: there is no optional property " + path[0])
	case len(path) == 1:
		delete(properties, path[0])
	default:
		without(inner, path[1:])
	}
}

func texts(list any) (all []string) {
	items, _ := list.([]any)
	for _, item := range items {
		all = append(all, item.(string))
	}
	return all
}

// dropTexts takes the names of optional texts out of an object that holds nothing else, such as a scope, which stands in every tool: its
// description says them where they matter, and an error everywhere.
func dropTexts(s map[string]any) {
	properties, _ := s["properties"].(map[string]any)
	for _, p := range properties {
		if p, ok := p.(map[string]any); !ok || len(p) != 1 || p["type"] != "string" {
			return
		}
	}
	if s["required"] == nil {
		drop(s, "properties")
	}
}

// PublishedOutput is the schema of every result as clients get it: an object. The result shows its fields, a description names those that
// its reader needs, and the whole schema, for programs, costs more in every context than anybody there reads of it.
var PublishedOutput = json.RawMessage(`{"type":"object"}`)

// walk has lean shorten a schema and every schema inside it, outer ones first. depth is 0 for the whole.
func walk(s map[string]any, depth int, lean func(s map[string]any, depth int)) {
	lean(s, depth)
	if properties, ok := s["properties"].(map[string]any); ok {
		for name := range properties {
			walkInto(properties, name, depth, lean)
		}
	}
	if s["items"] != nil {
		walkInto(s, "items", depth, lean)
	}
}

// walkInto walks the schema that stands in an object under a name. A schema that takes any JSON is written as {}: providers know
// no schema that is true.
func walkInto(in map[string]any, name string, depth int, lean func(s map[string]any, depth int)) {
	inner, ok := in[name].(map[string]any)
	if !ok {
		inner = map[string]any{}
		in[name] = inner
	}
	walk(inner, depth+1, lean)
}

func drop(s map[string]any, words ...string) {
	for _, word := range words {
		delete(s, word)
	}
}
