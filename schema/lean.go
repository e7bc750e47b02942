package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// PublishedInput returns an Input schema as clients get it, short, because every model that has the tool pays for it. It leaves
// out the constraints that its Checker refuses in words anyway: the bounds of numbers and texts, the form of times, and the word
// that closes each inner object. The words of JSON Schema that every client understands are left.
func PublishedInput(input json.RawMessage) json.RawMessage {
	return leaned(input, func(s map[string]any, depth int) {
		drop(s, "minimum", "maximum", "minLength", "format")
		if depth > 0 {
			drop(s, "additionalProperties")
			nameTexts(s)
		}
	})
}

// nameTexts says of an object that holds optional texts alone, such as a scope, which stands in nearly every tool, their names and no
// more.
func nameTexts(s map[string]any) {
	properties, _ := s["properties"].(map[string]any)
	for _, p := range properties {
		if p, ok := p.(map[string]any); !ok || len(p) != 1 || p["type"] != "string" {
			return
		}
	}
	if s["required"] == nil && s["description"] == nil && len(properties) > 0 {
		s["description"] = strings.Join(slices.Sorted(maps.Keys(properties)), ", ")
		drop(s, "properties")
	}
}

// PublishedOutput returns an Output schema with the names and types at the top alone: the result shows the inside of
// a list or an object.
func PublishedOutput(output json.RawMessage) json.RawMessage {
	return leaned(output, func(s map[string]any, depth int) {
		if depth > 0 {
			drop(s, "properties", "items", "additionalProperties", "description")
		}
	})
}

// leaned returns a schema after lean has shortened it and every schema inside it, outer ones first. depth is 0 for the
// whole.
func leaned(raw json.RawMessage, lean func(s map[string]any, depth int)) json.RawMessage {
	var s map[string]any
	mustUnmarshal(raw, &s)
	walk(s, 0, lean)
	return mustMarshal(s)
}

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
