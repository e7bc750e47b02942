package fit_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/weights"
)

// TestTableIsReadBack: fitted weights are written with two decimals and their target, in the form that package weights reads.
func TestTableIsReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "weights.tsv")
	if err := fit.WriteTable(path, "Some weights.", fit.Rows("fit-some", []string{"bias", "slot"}, []float64{-1.234, 0.5})); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []weights.Row{{Name: "bias", Weight: -1.23, Source: "fitted by make fit-some"}, {Name: "slot", Weight: 0.5, Source: "fitted by make fit-some"}}
	if got, err := weights.Rows(string(text)); err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("the table is %v, %v, want %v", got, err, want)
	}
}
