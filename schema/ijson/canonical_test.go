package ijson

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gowebpki/jcs"

	"github.com/ctx-mcp/ctx-mcp/storetest/canceltest"
)

// TestCanonical: the form of RFC 8785, with its own samples of names and numbers, and values that have none.
func TestCanonical(t *testing.T) {
	for _, test := range []struct {
		v    any
		want string // empty: an error
	}{
		{json.RawMessage(` {"b": 1, "a": [1e3, "\u00e9", "é", null]} `), `{"a":[1000,"é","é",null],"b":1}`},
		{json.RawMessage(`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`), `{"\r":2,"1":4,"` + "\u0080" + `":6,"ö":7,"€":1,"😀":5,"` + "\ufb33" + `":3}`},
		{json.RawMessage(`[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, -0]`), `[333333333.3333333,1e+30,4.5,0.002,1e-27,0]`},
		{json.RawMessage(`9007199254740993`), `9007199254740992`},
		{map[string]any{"b": "<&>", "a": 0.1}, `{"a":0.1,"b":"<&>"}`},
		{[]byte("bytes"), `"Ynl0ZXM="`},
		{json.RawMessage(`{"a":1,"a":2}`), ""},
		{json.RawMessage(`"\ud800"`), ""},
		{json.RawMessage("\"\xff\""), ""},
		{json.RawMessage(`1e999`), ""},
		{json.RawMessage(`{"a":1} 2`), ""},
		{json.RawMessage(nil), ""},
		{make(chan int), ""},
	} {
		got, err := Canonical(test.v)
		if string(got) != test.want || (err == nil) != (test.want != "") {
			t.Errorf("Canonical(%s) = %s, %v, want %s", test.v, got, err, test.want)
		}
	}
}

// FuzzObject: an object of canonical members is the canonical form of the object.
func FuzzObject(f *testing.F) {
	f.Add("b", "1", "a", `{"x":[1.50]}`)
	f.Add("\U0001F600", `"é"`, "\ufb33", "null")
	f.Fuzz(func(t *testing.T, n1, v1, n2, v2 string) {
		members := map[string]json.RawMessage{}
		for n, v := range map[string]string{n1: v1, n2: v2} {
			form, err := Canonical(json.RawMessage(v))
			if _, bad := Canonical(n); err != nil || bad != nil || !utf8.ValidString(n) {
				return
			}
			members[n] = form
		}
		want, err := Canonical(members)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Object(members); err != nil || string(got) != string(want) {
			t.Errorf("Object(%s) = %s, %v, want %s", members, got, err, want)
		}
	})
}

// FuzzCanonical: the form is that of the reference library, and a value that the library refuses is refused.
func FuzzCanonical(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	for _, s := range []string{
		`{"\u20ac":1,"\ufb33":2,"\ud83d\ude00":3,"\ud83d":4}`, `["\u0000\u001f\u007f\b\f\n\r\t\/\\\"\u2028<&>"]`, `[-0,0,1E21,999999999999999,1234567890123456,1e-7,01]`,
		`{"a":{"b":[{"aa":1,"a":2,"":3}]}}`, `"\ud83d\ude00\udc00"`, `[1e999,1e-999]`, "[\"\xff\"]", "{\"\U0001F600\":1,\"\ue000\":2,\"\ud7ff\":3,\"\u00e9\":4}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Canonical(json.RawMessage(text))
		if !json.Valid([]byte(text)) {
			if err == nil {
				t.Fatalf("Canonical(%q) = %s, want an error", text, got)
			}
			return
		}
		want, refused := jcs.Transform([]byte(text))
		if (err != nil) != (refused != nil) || string(got) != string(want) {
			t.Fatalf("Canonical(%q) = %s, %v, want %s, %v", text, got, err, want, refused)
		}
	})
}

// TestCanonicalEndsWithItsContext holds for an object with many names, which are sorted, and for deep JSON.
func TestCanonicalEndsWithItsContext(t *testing.T) {
	var members []string
	for i := range 30_000 {
		members = append(members, fmt.Sprintf(`"m%d":[%d]`, i*7919%30_011, i))
	}
	for name, text := range map[string]string{
		"wide": "{" + strings.Join(members, ",") + "}",
		"deep": "[" + strings.Repeat(strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+",", 30) + "1]",
	} {
		t.Run(name, func(t *testing.T) {
			canceltest.Law{Bytes: len(text), Every: lookEvery, Work: func(ctx context.Context) error {
				_, err := CanonicalDuring(ctx, json.RawMessage(text))
				return err
			}}.Check(t)
		})
	}
}

func BenchmarkCanonical(b *testing.B) {
	var members []string
	for i := range 30_000 {
		members = append(members, fmt.Sprintf(`"m%d":["a text that goes on for a while %d",%d.5]`, i*7919%30_011, i, i))
	}
	text := json.RawMessage("{" + strings.Join(members, ",") + "}")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Canonical(text); err != nil {
			b.Fatal(err)
		}
	}
}

func TestCompact(t *testing.T) {
	raw, err := Compact(map[string]any{"b": "<&>\u2028", "a": json.Number("1.50")})
	if want := `{"a":1.50,"b":"<&>\u2028"}`; string(raw) != want || err != nil {
		t.Errorf("Compact = %s, %v, want %s", raw, err, want)
	}
}
