package ijson

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	tests := []struct{ text, want string }{
		{`{"a":"plain é 日本 😀"}`, ""},
		{`"\ud83d\ude00"`, ""},
		{`"\uD83D\uDE00\n\\"`, ""},
		{`"\\ud83d"`, ""},
		{`"\ufffd"`, ""},
		{`"\ud83d"`, `the escape \ud83d at byte 1 is half of a surrogate pair`},
		{`"\ud83dx"`, `the escape \ud83d at byte 1 is half of a surrogate pair`},
		{`"\ud83d\n"`, `the escape \ud83d at byte 1 is half of a surrogate pair`},
		{`"ab\ude00\ud83d"`, `the escape \ude00 at byte 3 is half of a surrogate pair`},
		{`"\ud83d\ud83d\ude00"`, `the escape \ud83d at byte 1 is half of a surrogate pair`},
		{`{"\udc00":1}`, `the escape \udc00 at byte 2 is half of a surrogate pair`},
		{"\"a\xff\"", "invalid UTF-8 at byte 2"},
		{"\"\xed\xa0\xbd\"", "invalid UTF-8 at byte 1"},
		{`\`, ""},
		{`"\u12`, ""},
		{"", ""},
	}
	for _, tt := range tests {
		got := ""
		if err := Check([]byte(tt.text)); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("Check(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// FuzzCheck holds the reason for the check: a string that passes is decoded without a replacement, one that does not
// pass is decoded with one.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{`a`, `\ud83d\ude00`, `\ud83d`, `\\ud83d`, "\xff", `\ude00`, `\u0041\ud83dA`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, inside string) {
		text := []byte(`"` + inside + `"`)
		var decoded string
		if json.Unmarshal(text, &decoded) != nil || strings.Contains(inside, "\ufffd") ||
			bytes.Contains(bytes.ToLower(text), []byte(`\ufffd`)) {
			return
		}
		replaced := strings.Contains(decoded, "\ufffd")
		if err := Check(text); (err != nil) != replaced {
			t.Errorf("Check(%q) = %v, but encoding/json decodes it as %q", text, err, decoded)
		}
	})
}
