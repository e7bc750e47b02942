package ijson

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/canceltest"
)

var seeds = []string{
	`{"a":[1,2],"b":"x,y:[{"}`, `"\\\""`, `[[],[{}]]`, ` { "a" : null , "a\u0062" : -1.5e3 } `, `[ ]`, `{}`, `true`, ` 12 `, `"é\ud83d"`,
	`"\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\u0000 é😀"`, `"a\ud83d\ude00b\n"`, `"\n\ude00"`, `"\u000a"`, "\"a\\n\xff\"", `[1, "a" , {"b" :[ ] }]`, `{"a":1,"a":2}`, `[1,]`, `{"a" 1}`, `[`, ``, `1 2`,
}

// decoded is the value that encoding/json makes of a text.
func decoded(text []byte) (v any, err error) {
	if !json.Valid(text) {
		return nil, errNotJSON
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// FuzzDecode: a text is read as encoding/json reads it, and its parts make up the whole.
func FuzzDecode(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want, wrong := decoded([]byte(text))
		got, err := Decode(t.Context(), []byte(text))
		if (err != nil) != (wrong != nil) || !reflect.DeepEqual(got, want) {
			t.Fatalf("Decode(%q) = %#v, %v, want %#v, %v", text, got, err, want, wrong)
		}
		if err != nil {
			return
		}
		object := map[string]any{}
		for name, value := range Members([]byte(text)) {
			n, _ := Unquote(name)
			if object[n], err = decoded(value); err != nil {
				t.Fatalf("Members(%q) yields %q", text, value)
			}
		}
		if _, is := want.(map[string]any); is && !reflect.DeepEqual(any(object), want) {
			t.Fatalf("Members(%q) yields %v", text, object)
		}
		array := []any{}
		for element := range Elements([]byte(text)) {
			v, err := decoded(element)
			if err != nil {
				t.Fatalf("Elements(%q) yields %q", text, element)
			}
			array = append(array, v)
		}
		if _, is := want.([]any); is && !reflect.DeepEqual(any(array), want) {
			t.Fatalf("Elements(%q) yields %v", text, array)
		}
	})
}

// TestDecodeEndsWithItsContext holds for wide JSON, and for deep JSON.
func TestDecodeEndsWithItsContext(t *testing.T) {
	var members []string
	for i := range 30_000 {
		members = append(members, fmt.Sprintf(`"m%d":[%d]`, i, i))
	}
	for name, text := range map[string]string{
		"wide": "{" + strings.Join(members, ",") + "}",
		"deep": "[" + strings.Repeat(strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+",", 30) + "1]",
	} {
		t.Run(name, func(t *testing.T) {
			canceltest.Law{Bytes: len(text), Every: 2 * lookEvery, Work: func(ctx context.Context) error {
				_, err := Decode(ctx, []byte(text))
				return err
			}}.Check(t)
		})
	}
}
