package packets

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema"
)

// TestCheckMetadata: metadata that name a schema fit it, apart from the values that packages read themselves; what is refused is told by its name.
func TestCheckMetadata(t *testing.T) {
	shape, err := schema.NewChecker(json.RawMessage(`{"type":"object","properties":{"order":{"type":"string"}},"required":["order"],"additionalProperties":false}`), "field")
	if err != nil {
		t.Fatal(err)
	}
	s := &Service{Options: Options{Schemas: map[string]string{"refund": "v2", "incident": "v1"}, Shapes: map[string]Shape{"refund": shape}}}
	for _, tt := range []struct{ metadata, want string }{
		{`{}`, ""},
		{`{"schema":"refund","order":"7","pii":true,"vault":{"a":"vault:kv/ci"}}`, ""},
		{`{"schema":"incident","order":7}`, ""},
		{`{"schema":"refund"}`, "metadata is no refund v2: missing required field \"order\""},
		{`{"schema":"refund","order":7}`, "must be a string"},
		{`{"schema":"other"}`, "there is no context schema"},
		{`{"schema":[]}`, "metadata.schema cannot be meant"},
	} {
		var m map[string]json.RawMessage
		if err := json.Unmarshal([]byte(tt.metadata), &m); err != nil {
			t.Fatal(err)
		}
		err := s.CheckMetadata(t.Context(), m)
		if tt.want == "" && err != nil || tt.want != "" && (ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.metadata, err, tt.want)
		}
	}
}
