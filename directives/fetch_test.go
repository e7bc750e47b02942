package directives

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

// A document is as sensitive as the most sensitive of its sources; one that has no source here is public.
func TestClassificationIsThatOfTheMostSensitiveSource(t *testing.T) {
	for _, test := range []struct {
		of   []ctxmcp.Classification
		want ctxmcp.Classification
	}{
		{nil, ctxmcp.Public},
		{[]ctxmcp.Classification{ctxmcp.Restricted, ctxmcp.HighlyRestricted, ctxmcp.Confidential}, ctxmcp.HighlyRestricted},
	} {
		var r Retrieved
		for _, class := range test.of {
			r.Sources = append(r.Sources, packets.Source{Classification: class})
		}
		if got := r.Classification(); got != test.want {
			t.Errorf("of %v: %s, want %s", test.of, got, test.want)
		}
	}
}
