package ctxmcp_test

import (
	"encoding/json"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

func TestVerdictStrictness(t *testing.T) {
	ordered := ctxmcp.Verdicts()
	for i, v := range ordered {
		for j, w := range ordered {
			if got, want := v.Stricter(w), i > j; got != want {
				t.Errorf("%s.Stricter(%s) = %t, want %t", v, w, got, want)
			}
		}
	}
	if ctxmcp.Deny.Stricter("of a newer version") {
		t.Error("deny is stricter than an unknown verdict, want an unknown one as strict")
	}
}

// TestDataClass: the two spellings are one ordering, and an unknown word is the highest in both.
func TestDataClass(t *testing.T) {
	for i, c := range ctxmcp.DataClasses() {
		if c.Rank() != i || c.Classification().Rank() != i || c.Classification().DataClass() != c {
			t.Errorf("%s has rank %d and is %s, want rank %d and back again", c, c.Rank(), c.Classification(), i)
		}
	}
	for _, unknown := range []string{"", "public ", "SECRET"} {
		if got := ctxmcp.DataClass(unknown).Classification(); got != ctxmcp.HighlyRestricted {
			t.Errorf("data class %q is %s, want highly_restricted", unknown, got)
		}
		if got := ctxmcp.Classification(unknown).DataClass(); got != ctxmcp.RestrictedData {
			t.Errorf("classification %q is %s, want RESTRICTED", unknown, got)
		}
	}
}

func TestSpanJSON(t *testing.T) {
	want := ctxmcp.Span{Start: 3, End: 17}
	text, err := json.Marshal(want)
	var got ctxmcp.Span
	if err != nil || string(text) != "[3,17]" || json.Unmarshal(text, &got) != nil || got != want {
		t.Errorf("a span is %s, %v, and back %v", text, err, got)
	}
}
