package weights_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp/weights"
)

// TestWriteAndParse: a table that is written reads as it was.
func TestWriteAndParse(t *testing.T) {
	var b strings.Builder
	if err := weights.Write(&b, "two weights", []weights.Row{{"one", 0.5, "by hand"}, {"kind: x", -3, "a fit"}}); err != nil {
		t.Fatal(err)
	}
	got, err := weights.Parse(b.String(), []string{"one", "kind: x"})
	if diff := cmp.Diff(map[string]float64{"one": 0.5, "kind: x": -3}, got); err != nil || diff != "" {
		t.Errorf("Parse (-want +got), %v:\n%s", err, diff)
	}
}

// TestBrokenTables: a table lacks no feature, has none twice and no other, and no row without a source.
func TestBrokenTables(t *testing.T) {
	for _, text := range []string{"", "a\t1\tx", "a\t1\tx\na\t1\tx\nb\t1\tx", "a\t1\tx\nb\t1\t", "a\t1\tx\nb\tone\tx", "a\t1\tx\nb\t1", "a\t1\tx\nb\t1\tx\nc\t1\tx"} {
		if got, err := weights.Parse(text, []string{"a", "b"}); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", text, got)
		}
	}
}

// TestInOrder: the weights of an embedded table come in the order of the names, and not of the rows.
func TestInOrder(t *testing.T) {
	got := weights.MustInOrder("a\t1\tx\nb\t2\tx", []string{"b", "a"})
	if diff := cmp.Diff([]float64{2, 1}, got); diff != "" {
		t.Errorf("MustInOrder (-want +got):\n%s", diff)
	}
}
