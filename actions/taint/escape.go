package taint

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescaped returns JSON with the characters that are written as \u and four digits as themselves, but for those that JSON
// cannot have so.
func unescaped(raw json.RawMessage) string {
	if !bytes.Contains(raw, []byte(`\u`)) {
		return string(raw)
	}
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			b.WriteByte(raw[i])
			continue
		}
		r, n := escapedRune(raw[i:])
		if n == 0 || r < ' ' || r == '"' || r == '\\' || r == utf8.RuneError {
			b.Write(raw[i : i+2]) // the sign behind a backslash never begins an escape
			i++
			continue
		}
		b.WriteRune(r)
		i += n - 1
	}
	return b.String()
}

// escapedRune returns the character that an escape of four digits, or a pair of them, at the beginning of raw stands for, and
// its length: 0 if there is none.
func escapedRune(raw []byte) (r rune, n int) {
	first, ok := escapedUnit(raw)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(first) {
		return first, 6
	}
	second, _ := escapedUnit(raw[6:])
	return utf16.DecodeRune(first, second), 12
}

func escapedUnit(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(raw[2:6]), 16, 16)
	return rune(v), err == nil
}
