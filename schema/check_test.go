package schema

import (
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

type sample struct {
	Content string            `json:"content"`
	Limit   int               `json:"limit,omitempty" jsonschema:"minimum=1"`
	Type    ctxmcp.ObjectType `json:"type,omitempty"`
	Scope   *ctxmcp.Scope     `json:"scope,omitempty"`
	Tags    []string          `json:"tags,omitempty"`
}

func TestCheck(t *testing.T) {
	c, err := NewChecker(Input(reflect.TypeFor[sample](), nil), "argument")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ raw, want string }{
		{`{"content":"x"}`, ""},
		{`{"content":"x","scope":{"project":"p"},"tags":["a"],"type":"preference","limit":3}`, ""},
		{`{}`, `missing required argument "content"; known are: content, `},
		{`{"content":"x","colour":1}`, `unknown argument "colour"; known are: content, limit, scope, tags, type`},
		{`{"content":"x","b":1,"a":2}`, `unknown argument "a", "b"; known are: `},
		{`{"content":"x","a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}`, `unknown argument "a", "b", "c", "d", "e" and 2 more; known are: `},
		{`{"content":"x","scope":{"team":"p"}}`, `unknown argument "scope.team"; known are: project, session, task, user`},
		{`{"content":7}`, `argument "content" must be a string, not a number`},
		{`{"content":"x","limit":1.5}`, `argument "limit" must be an integer, not a number`},
		{`{"content":"x","limit":0}`, `argument "limit" is below 1`},
		{`{"content":"x","tags":["a",2]}`, `argument "tags[1]" must be a string, not a number`},
		{`{"content":"x","type":"secret-word"}`, `argument "type" is not a known word; use one of: preference, `},
		{`{"content":"a\u0000b"}`, `argument "content" holds a NUL character`},
		{`{"content":"x","limit":1e9999999}`, `argument "limit" is out of the range of numbers`},
		{`{"content":"x","limit":1e-9999999}`, `argument "limit" is out of the range of numbers`},
		{`{"content":null}`, `argument "content" must be a string, not null`},
		{`[1]`, `the set of arguments must be an object, not an array`},
		{`{"content"`, `not valid JSON`},
	}
	for _, tt := range tests {
		got := ""
		var e *ctxmcp.Error
		if err := c.Check(t.Context(), []byte(tt.raw)); errors.As(err, &e) {
			got = e.Message
			if e.Hint != "" {
				got += "; " + e.Hint
			}
		} else if err != nil {
			t.Errorf("Check(%s) = %v, want a ctxmcp.Error", tt.raw, err)
		}
		if got != tt.want && (tt.want == "" || !strings.HasPrefix(got, tt.want)) {
			t.Errorf("Check(%s) = %q, want %q", tt.raw, got, tt.want)
		}
		if strings.Contains(got, "secret-word") {
			t.Errorf("Check(%s) quotes a value: %q", tt.raw, got)
		}
	}
}

// TestMalformedTag: a tag that the reflector cannot read stops the program instead of publishing an empty schema.
func TestMalformedTag(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a schema without its properties was published")
		}
	}()
	type inner struct {
		A string `json:"a,omitempty"`
		B string
		C func() `json:"c"`
	}
	Input(reflect.TypeFor[inner](), nil)
}

// TestDeepArgumentsAreCheap: the memory that a check takes grows with the depth of the JSON, and the place of a problem is right on every branch.
func TestDeepArgumentsAreCheap(t *testing.T) {
	c, err := NewChecker(Input(reflect.TypeFor[sample](), nil), "argument")
	if err != nil {
		t.Fatal(err)
	}
	deep := func(n int) []byte {
		return []byte(`{"content":` + strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) + `}`)
	}
	held := func(n int) uint64 {
		var before, after runtime.MemStats
		text := deep(n)
		runtime.ReadMemStats(&before)
		_ = c.Check(t.Context(), text) // it is refused
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := held(500), held(4000); many > 16*few {
		t.Errorf("checking JSON of depth 500 allocates %d bytes, of depth 4000 %d: more than in proportion", few, many)
	}
	err = c.Check(t.Context(), []byte(`{"content":"x","tags":["a","b","c\u0000"],"scope":{"project":{"a":{"b":1}},"session":["x",{"y":"\u0000"}]}}`))
	if err == nil || !strings.Contains(err.Error(), `"scope.session[1].y" holds a NUL`) {
		t.Errorf("Check = %v, want the place of the first NUL", err)
	}
}
