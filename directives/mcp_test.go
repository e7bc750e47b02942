package directives

import (
	"encoding/json"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

func compact(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestArguments: values take the types that the tool names.
func TestArguments(t *testing.T) {
	types := map[string]string{"zip": "string", "n": "integer", "tags": "array"}
	for query, want := range map[string]string{
		"zip=00123&n=3": `{"n":3,"zip":"00123"}`, "q=two words": `{"q":"two words"}`, "q=a%26b": `{"q":"a\u0026b"}`, "": `{}`,
		"tags=a": `{"tags":["a"]}`, "tags=a&tags=b": `{"tags":["a","b"]}`, `tags=["a","b"]`: `{"tags":["a","b"]}`,
		"on=true": `{"on":true}`, `{"q":{"deep":[1]}}`: `{"q":{"deep":[1]}}`,
	} {
		got, err := arguments(query, types)
		if text := compact(t, got); text != want || err != nil {
			t.Errorf("arguments(%q) = %s, %v, want %s", query, text, err, want)
		}
	}
	for _, query := range []string{"{", `{"a":}`, "a=%zz", "a;b=c"} {
		if _, err := arguments(query, nil); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
			t.Errorf("arguments(%q) = %v, want invalid", query, err)
		}
	}
}
