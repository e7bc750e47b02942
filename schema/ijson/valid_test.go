package ijson

import (
	"encoding/json"
	"strings"
	"testing"
)

var validity = []string{
	``, ` `, `null`, ` true `, `false`, `nul`, `nulls`, `truefalse`, `"a"`, `"a`, `"`, `"a"b`, `"a" "b"`, "\"a\nb\"", "\"\x1f\"", "\"12345678\x1f\"", "\"\x7f\xff\"",
	`"\n\t\b\f\r\/\\\""`, `"\x"`, `"\`, `"\u12"`, `"\u12g4"`, `"\u+123"`, `"\ud83d\ude00\ud83d"`, `"\ud83d\u0041é"`, `"plain and long enough \"quoted\" é"`,
	`0`, `-0`, `00`, `01`, `-`, `1.`, `.5`, `1.5e`, `1.5e+`, `1.5E-7`, `1e5x`, `+1`, `0x1`, `[]`, `{}`, `[`, `{`, `]`, `}`, `[}`, `{]`, `[,]`, `[1,]`, `[1 2]`, `[1,[2,{}]]`, `[1]]`,
	`{"a":1}`, `{"a":1,}`, `{"a"}`, `{a:1}`, `{"a":}`, `{"a" : [ 1 , { "b" : null } ] }`, `{,}`, `{"a":1 "b":2}`, `{"a":1}x`, "\v1", "\ufeff1",
}

// TestDepth holds the bound on the depth beside that of encoding/json.
func TestDepth(t *testing.T) {
	for _, depth := range []int{mostDepth - 1, mostDepth, mostDepth + 1} {
		text := []byte(strings.Repeat("[", depth) + strings.Repeat("]", depth))
		if got, want := Valid(text), json.Valid(text); got != want {
			t.Errorf("Valid of %d arrays = %t, want %t", depth, got, want)
		}
	}
}

// FuzzValid compares with encoding/json: what is well-formed, and the text of a string.
func FuzzValid(f *testing.F) {
	for _, s := range validity {
		f.Add([]byte(s))
		f.Add([]byte(`{"` + s + `": ["some text that is long", ` + s + `]}`))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		valid := Valid(text)
		if want := json.Valid(text); valid != want {
			t.Fatalf("Valid(%q) = %t, want %t", text, valid, want)
		}
		var want string
		if !valid || text[0] != '"' || text[len(text)-1] != '"' || json.Unmarshal(text, &want) != nil {
			return
		}
		if got, err := Unquote(text); err != nil || got != want {
			t.Errorf("Unquote(%q) = %q, %v, want %q", text, got, err, want)
		}
	})
}

// BenchmarkLong reads a text of a megabyte in one string.
func BenchmarkLong(b *testing.B) {
	text := []byte(`{"content":"` + strings.Repeat(`2026-01-02 03:04:05 INFO request 4711 served in 12 ms\n`, 20_000) + `"}`)
	b.Run("valid", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			Valid(text)
		}
	})
	b.Run("unquote", func(b *testing.B) {
		quoted := text[len(`{"content":`) : len(text)-1]
		b.SetBytes(int64(len(quoted)))
		for b.Loop() {
			if _, err := Unquote(quoted); err != nil {
				b.Fatal(err)
			}
		}
	})
}
