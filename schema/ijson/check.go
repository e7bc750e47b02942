package ijson

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Check returns an error for JSON text with a fault that section 2.1 of RFC 7493 forbids: bytes that are not UTF-8, and a
// \u escape that is half of a surrogate pair. The error says where, and quotes no more than the escape. The grammar of
// JSON is not checked.
func Check(text []byte) error {
	if !utf8.Valid(text) {
		return fmt.Errorf("invalid UTF-8 at byte %d", firstInvalid(text))
	}
	if i := loneSurrogate(text); i >= 0 {
		return fmt.Errorf("the escape %s at byte %d is half of a surrogate pair", text[i:i+6], i)
	}
	return nil
}

// firstInvalid returns the offset of the first byte that is not UTF-8.
func firstInvalid(text []byte) int {
	i := 0
	for i < len(text) {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		i += size
	}
	return i
}

// loneSurrogate returns the offset of the first surrogate escape without its other half, or -1. It looks at backslashes
// only: in valid JSON they stand nowhere but in strings.
func loneSurrogate(text []byte) int {
	for i := 0; i < len(text); {
		next := bytes.IndexByte(text[i:], '\\')
		if next < 0 {
			return -1
		}
		i += next
		r, ok := unicodeEscape(text[i:])
		switch {
		case !ok:
			i += 2
		case !utf16.IsSurrogate(r):
			i += 6
		default:
			low, ok := unicodeEscape(text[i+6:])
			if !ok || utf16.DecodeRune(r, low) == utf8.RuneError {
				return i
			}
			i += 12
		}
	}
	return -1
}

// unicodeEscape reads the \uXXXX at the start of text. ok is false for anything else.
func unicodeEscape(text []byte) (r rune, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}
