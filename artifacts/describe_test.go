package artifacts

import (
	"slices"
	"strings"
	"testing"
)

// TestKeys: the names of the first object, however far into the text it stands, and none of a string that looks like one.
func TestKeys(t *testing.T) {
	for text, want := range map[string][]string{
		`{"a":1,"b":{"c":2}}`: {"a", "b"},
		`[1,"{\"x\":1}","\\",[[{"a":[{"b":1}],"d":0}]],{"e":1}]`: {"a", "d"},
		"[" + strings.Repeat("0,", 100_000) + `{"far":1}]`:       {"far"},
		"[1]\n{\"a\":1}\n{\"b\":2}\n":                            {"a"},
		`[]`:                                                     {}, `["{"]`: {}, `{}`: {}, `[{}, {"a":1}]`: {},
	} {
		if got := keys(text); !slices.Equal(got, want) {
			t.Errorf("keys(%.60q) = %q, want %q", text, got, want)
		}
	}
}
