package hook

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// texts returns the strings in a result that a model reads, in order, and what puts others in their place.
func texts(raw json.RawMessage) (all []string, put func([]string) (json.RawMessage, error), err error) {
	var v any
	if len(raw) == 0 {
		raw = json.RawMessage("null")
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, nil, fmt.Errorf("read a result: %w", err)
	}
	each(v, func(s string) string { all = append(all, s); return s })
	return all, func(other []string) (json.RawMessage, error) {
		i := 0
		return json.Marshal(each(v, func(string) string { i++; return other[i-1] }))
	}, nil
}

// each returns a value with a function done to each of its strings, but for those that say of what kind a part is.
func each(v any, do func(string) string) any {
	switch v := v.(type) {
	case string:
		return do(v)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = each(e, do)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, name := range sortedNames(v) {
			if name == "type" || name == "mimeType" || name == "data" || name == "blob" {
				out[name] = v[name]
				continue
			}
			out[name] = each(v[name], do)
		}
		return out
	}
	return v
}

func sortedNames(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// asText returns a result as one text: a string itself, else the texts of its content. Content that is no text is left out, and that is said.
func asText(whole json.RawMessage) string {
	var v any
	if json.Unmarshal(whole, &v) != nil {
		return string(whole)
	}
	if o, ok := v.(map[string]any); ok {
		for _, name := range []string{"content", "llmContent"} {
			if inner, has := o[name]; has {
				v = inner
				break
			}
		}
	}
	switch v := v.(type) {
	case string:
		return v
	case []any:
		return joinedParts(v)
	}
	return string(whole)
}

func joinedParts(parts []any) string {
	var lines []string
	others := 0
	for _, p := range parts {
		o, _ := p.(map[string]any)
		if text, ok := o["text"].(string); ok {
			lines = append(lines, text)
		} else {
			others++
		}
	}
	if others > 0 {
		lines = append(lines, saidNoText.With(strconv.Itoa(others)))
	}
	return strings.Join(lines, "\n")
}
