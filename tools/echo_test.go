package tools

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// shape is what of a published schema the planting needs.
type shape struct {
	Type       any              `json:"type"`
	Enum       []any            `json:"enum"`
	Properties map[string]shape `json:"properties"`
	Required   []string         `json:"required"`
	Items      *shape           `json:"items"`
}

// UnmarshalJSON reads true too, the schema of anything.
func (s *shape) UnmarshalJSON(raw []byte) error {
	type plain shape
	if string(raw) == "true" {
		return nil
	}
	return json.Unmarshal(raw, (*plain)(s))
}

// TestErrorsHoldNoSecret: whatever argument of whatever tool a secret is written into, whole or where a quotation is cut short,
// no error holds any of it.
func TestErrorsHoldNoSecret(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	s := services(t)
	s.Memory.NewID = s.Artifacts.NewID // each its own
	s.provide(t)
	failed := map[string]int{}
	for _, tool := range All() {
		var schema shape
		if err := json.Unmarshal(tool.MCP.RawInputSchema, &schema); err != nil {
			t.Fatal(err)
		}
		places := places(schema, nil)
		for _, text := range plants(tool.Name, token) {
			for _, place := range append(places, []string{text}) {
				arguments, err := json.Marshal(planted(schema, place, text))
				if err != nil {
					t.Fatal(err)
				}
				result := callTool(t, s, tool.Name, string(arguments))
				if !result.IsError {
					continue
				}
				failed[tool.Name]++
				raw, err := json.Marshal(result)
				if err != nil {
					t.Fatal(err)
				}
				for i := len("ghp_"); i+8 <= len(token); i++ {
					if part := token[i : i+8]; strings.Contains(string(raw), part) {
						t.Errorf("%s(%s) = %s, which holds %q of the secret", tool.Name, arguments, raw, part)
						break
					}
				}
			}
		}
		if failed[tool.Name] == 0 {
			t.Errorf("%s refused nothing of what was planted", tool.Name)
		}
	}
}

// plants are what is planted in a tool's arguments: the token, cut where errors cut, and in what the schemes of directives read.
func plants(tool, token string) []string {
	all := []string{token, strings.Repeat("x", 45) + " " + token}
	if tool == "retrieve_context" {
		all = append(all, strings.Repeat("x", 185)+" "+token, "artifact:"+token, "https://"+token+".example.org/", "off:"+token,
			"filesystem:"+strings.Repeat("y/", 20)+token)
	}
	return all
}

// places are the paths of the strings that a schema takes; "[]" is an item.
func places(s shape, at []string) (list [][]string) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		list = append(list, places(s.Properties[name], append(slices.Clone(at), name))...)
	}
	switch {
	case s.Items != nil:
		list = append(list, places(*s.Items, append(slices.Clone(at), "[]"))...)
	case len(s.Properties) == 0 && (s.Type == "string" || s.Type == nil):
		list = append(list, at)
	}
	return list
}

// planted returns arguments with the text at a place, and no more than is required beside it. A place that the schema does not
// have is a name.
func planted(s shape, place []string, text string) any {
	if len(place) == 0 {
		return text
	}
	if s.Items != nil {
		return []any{planted(*s.Items, place[1:], text)}
	}
	v := map[string]any{place[0]: 1}
	for _, name := range s.Required {
		v[name] = least(s.Properties[name])
	}
	if below, known := s.Properties[place[0]]; known {
		v[place[0]] = planted(below, place[1:], text)
	}
	return v
}

// least returns a value that fits a schema.
func least(s shape) any {
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type == "array":
		return []any{least(*s.Items)}
	case s.Type == "object":
		v := map[string]any{}
		for _, name := range s.Required {
			v[name] = least(s.Properties[name])
		}
		return v
	case s.Type == "integer" || s.Type == "number":
		return 1
	case s.Type == "boolean":
		return true
	}
	return "something"
}

// TestErrorsAreShort: an error that quotes a long argument is cut, also where one character takes several bytes.
func TestErrorsAreShort(t *testing.T) {
	err := services(t).redactError(t.Context(), "local", "", ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no %s", strings.Repeat("é", 2*maxErrorText)))
	if got := []rune(err.Error()); len(got) != maxErrorText+1 || got[maxErrorText] != '…' {
		t.Errorf("the error has %d characters, want %d and a mark that it was cut", len(got), maxErrorText)
	}
}
