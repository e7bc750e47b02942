package fields

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/theory/jsonpath"

	"github.com/ctx-mcp/ctx-mcp"
)

const store = `{
  "title": "Forecast", "a.b": 1, "big": 12345678901234567890,
  "items": [{"url": "u0", "n": 1}, {"n": 2}, {"url": "u2", "n": 3, "deep": {"url": "u3"}}],
  "market": {"size": "$832B", "regions": {"eu": 1, "us": 2}}
}`

func document(text string) Document { return func() io.Reader { return strings.NewReader(text) } }

func TestSelect(t *testing.T) {
	tests := []struct{ document, selector, want, path string }{
		{store, "title", `"Forecast"`, `$['title']`},
		{store, "a.b", `1`, `$['a.b']`},
		{store, "big", `12345678901234567890`, `$['big']`},
		{store, "market.size", `"$832B"`, `$['market']['size']`},
		{store, "items[*].url", `["u0","u2"]`, `$['items'][0]['url']`},
		{store, "$.items[1].n", `2`, `$['items'][1]['n']`},
		{store, "$.items[-1].n", `3`, `$['items'][2]['n']`},
		{store, "$..url", `["u0","u3","u2"]`, `$['items'][0]['url']`},
		{store, "$.items[?@.n > 1].n", `[2,3]`, `$['items'][1]['n']`},
		{store, "$.items[0:2].n", `[1,2]`, `$['items'][0]['n']`},
		{store, "$['market'].regions.*", `[1,2]`, `$['market']['regions']['eu']`},
		{store, "nothing", ``, ``},
		{store, "$.items[7]", ``, ``},
		{store, "$.title.size", ``, ``},
		{`[{"x":1},{"y":2},{"y":3}]`, "y", `2`, `$[1]['y']`},
		{`[1,"s",{"y":{"z":[1, 2]}}]`, "y", `{"z":[1,2]}`, `$[2]['y']`},
		{`"scalar"`, "y", ``, ``},
		{`null`, "$", `null`, `$`},
	}
	for _, tt := range tests {
		s, err := Parse(tt.selector)
		if err != nil {
			t.Errorf("Parse(%s): %v", tt.selector, err)
			continue
		}
		v, err := s.Select(t.Context(), document(tt.document))
		if err != nil {
			t.Errorf("%s: %v", tt.selector, err)
			continue
		}
		if v == nil {
			v = &Value{}
		}
		if string(v.JSON) != tt.want || v.Path != tt.path {
			t.Errorf("%s = %s at %s, want %s at %s", tt.selector, v.JSON, v.Path, tt.want, tt.path)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "$.[", "$[", "$.items[?", strings.Repeat("a", maxSelector+1)} {
		if _, err := Parse(text); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
			t.Errorf("Parse(%.20q) = %v, want invalid", text, err)
		}
	}
}

// TestNotJSON: a document that is not JSON is an error, as far as it has to be read.
func TestNotJSON(t *testing.T) {
	for _, text := range []string{"", "plain text", `{"a":`, `{"a" 1}`, `[1,}`, `{"x":[`} {
		s, err := Parse("b")
		if err != nil {
			t.Fatal(err)
		}
		if v, err := s.Select(t.Context(), document(text)); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
			t.Errorf("Select of %q = %v, %v, want invalid", text, v, err)
		}
	}
}

// TestReadsOnlyWhatItNeeds: nothing after the wanted part is read.
func TestReadsOnlyWhatItNeeds(t *testing.T) {
	s, err := Parse("$.items[1].n")
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Select(t.Context(), document(`{"items":[{"n":1},{"n":2},`+strings.Repeat(" ", 10_000)+`BROKEN`))
	if err != nil || string(v.JSON) != "2" {
		t.Errorf("Select = %v, %v, want 2", v, err)
	}
}

// TestLines: the records of JSON Lines are the elements of an array, however they are set.
func TestLines(t *testing.T) {
	for text, want := range map[string]string{
		"{\"a\":1}\n{\"a\":2}\n":         `[{"a":1},{"a":2}]`,
		"\n{\"a\":1}\r\n\r\n  {\"b\":2}": `[{"a":1},{"b":2}]`,
		"{\"a\":\n1}":                    ``, // not one record a line
		"1":                              `[1]`,
		"":                               `[]`,
	} {
		raw, err := io.ReadAll(Lines(document(text))())
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			if json.Valid(raw) {
				t.Errorf("Lines(%q) = %s, want what is not JSON", text, raw)
			}
			continue
		}
		var got, wanted any
		if json.Unmarshal(raw, &got) != nil || json.Unmarshal([]byte(want), &wanted) != nil || !cmp.Equal(got, wanted) {
			t.Errorf("Lines(%q) = %s, want %s", text, raw, want)
		}
	}
}

// FuzzSelect: the walk through the stream finds the same as the library in the whole document, and nothing panics.
func FuzzSelect(f *testing.F) {
	for _, path := range []string{"$.items[*].url", "$..url", "$.items[?@.n>1].url", "$[0]", "$.*", "$['a.b']", "$.market.regions.*", "$[-1:]", "$"} {
		f.Add(path, store)
		f.Add(path, `[[1,[2]],{"url":{"url":[]}}]`)
	}
	f.Fuzz(func(t *testing.T, path, text string) {
		s, err := Parse(path)
		if err != nil || !strings.HasPrefix(path, "$") || !json.Valid([]byte(text)) || len(text) > 4096 {
			return
		}
		var whole any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if d.Decode(&whole) != nil {
			return
		}
		again, err := json.Marshal(whole)
		if err != nil {
			return
		}
		nodes, ok := byLibrary(jsonpath.MustParse(path), whole)
		if !ok || strings.Contains(path, "?") { // filters are compared in TestAgainstTheLibrary
			return
		}
		v, err := s.Select(t.Context(), document(string(again)))
		if err != nil {
			t.Fatalf("Select: %v", err)
		}
		if len(nodes) == 0 != (v == nil) {
			t.Fatalf("%s of %s: found %v, the library %d nodes", path, again, v, len(nodes))
		}
		if v == nil || s.path.single() {
			return
		}
		var got []any
		if err := json.Unmarshal(v.JSON, &got); err != nil || len(got) != len(nodes) {
			t.Fatalf("%s of %s: %d nodes, %v, want %d", path, again, len(got), err, len(nodes))
		}
	})
}
