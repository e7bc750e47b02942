package embed

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/sashabaranov/go-openai"
)

// TestCheckRefusesWhatIsNotFinite covers values that JSON cannot carry today.
func TestCheckRefusesWhatIsNotFinite(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		rows := []openai.Embedding{{Embedding: []float32{1, float32(x)}}}
		got, err := check(rows, 1, 0)
		if got != nil || ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
			t.Errorf("check(%v) = %v, %v, want nil, unavailable", x, got, err)
		}
	}
}

func TestNullElement(t *testing.T) {
	for text, want := range map[string]bool{
		`{"data":[{"embedding":[1, null]}]}`: true,
		"[\n\tnull]":                         true,
		`[[],null]`:                          true,
		`["\\",null]`:                        true,
		`{"usage":null,"data":[1,2]}`:        false,
		`["null","[null]",",null"]`:          false,
		`["\"[null",1]`:                      false,
		`[{"a":"x","null":null}]`:            false,
		`null`:                               false,
		``:                                   false,
		`["\`:                                false,
	} {
		if got := nullElement([]byte(text)); got != want {
			t.Errorf("nullElement(%s) = %t, want %t", text, got, want)
		}
	}
}

// FuzzNullElement holds the scan to the result of a parse of the same JSON.
func FuzzNullElement(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":[" \"[null",null]}]}`))
	f.Add([]byte(`[ "\\" , null ]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var v any
		if json.Unmarshal(text, &v) != nil {
			t.Skip()
		}
		// Of two equal keys the parse keeps the last only, so it may miss a null.
		if got, want := nullElement(text), holdsNull(v); want && !got {
			t.Errorf("nullElement(%s) = %t, want %t", text, got, want)
		}
		again, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := nullElement(again), holdsNull(v); got != want {
			t.Errorf("nullElement(%s) = %t, want %t", again, got, want)
		}
	})
}

func holdsNull(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.Contains(v, nil) || slices.ContainsFunc(v, holdsNull)
	case map[string]any:
		for _, child := range v {
			if holdsNull(child) {
				return true
			}
		}
	}
	return false
}
