package taint

import (
	"encoding/json"
	"testing"
)

// TestTextOf: whatever a client escapes, the text is the same.
func TestTextOf(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{`"plain \u003cb\u003e"`, "plain <b>"},
		{`{"a":"\u003c!-- \u8bf7 --\u003e"}`, `{"a":"<!-- 请 -->"}`},
		{`{"a":"\ud83d\ude00"}`, `{"a":"😀"}`},
		{`{"a":"\ud83d"}`, `{"a":"\ud83d"}`},
		{`{"a":"\ud83dx\u0041"}`, `{"a":"\ud83dxA"}`},
		{`{"a":"\\u003c \u0022 \u005c \u000a \n"}`, `{"a":"\\u003c \u0022 \u005c \u000a \n"}`},
		{`{"content":[{"type":"text","text":"\u8bf7"}]}`, "请\n"},
	} {
		if !json.Valid([]byte(c.raw)) {
			t.Errorf("%s is no JSON", c.raw)
		}
		if got := TextOf(json.RawMessage(c.raw)); got != c.want {
			t.Errorf("TextOf(%s) = %s, want %s", c.raw, got, c.want)
		}
	}
}

// TestHomoglyphsAreSeen: whatever letter is replaced by a Latin one is looked for before.
func TestHomoglyphsAreSeen(t *testing.T) {
	for r := rune(0x80); r < 0x3000; r++ {
		if homoglyphs.Replace(string(r)) != string(r) && !looksLatin(r) {
			t.Errorf("%q is replaced by a Latin letter, and not seen as like one", r)
		}
	}
}
