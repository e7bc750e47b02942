package packets

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// TestDifferent: every string of a value is among the different ones, under its name, and none is there twice.
func TestDifferent(t *testing.T) {
	for _, text := range []string{
		`"alone"`, `[]`, `{}`, `7`, `["a","a",["b"]]`, `{"a":"b","c":["a",{"a":"b","d":1,"e":{"f":null,"g":""}}]}`,
		`{"a\"b":"c\\","\\":"\"","x":["\\\\","é\n"],"y":"😀"}`, `[{"k":"v"},{"k":"w"},"k","v"]`, `["a:b",":",{":":":"}]`,
	} {
		canonical, err := Canonical(t.Context(), json.RawMessage(text))
		if err != nil {
			t.Fatal(err)
		}
		v, err := ijson.Parse(canonical)
		if err != nil {
			t.Fatal(err)
		}
		type pair struct{ Name, Text string }
		var want, got []pair
		leaves, err := leavesOf(t.Context(), v)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range leaves {
			want = append(want, pair{l.name, l.text})
		}
		found, err := different(t.Context(), canonical)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range found {
			got = append(got, pair{l.name, l.text})
		}
		order := func(a, b pair) int { return slices.Compare([]string{a.Name, a.Text}, []string{b.Name, b.Text}) }
		slices.SortFunc(want, order)
		slices.SortFunc(got, order)
		if diff := cmp.Diff(slices.Compact(want), got); diff != "" {
			t.Errorf("different(%s) differs (-want +got):\n%s", canonical, diff)
		}
	}
}
