package envelope

import (
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// longestPlaceholder bounds a placeholder of redact in bytes.
const longestPlaceholder = 64

// first returns at most n bytes of text, ending between characters and in no placeholder.
func first(text string, n int) string {
	if n >= len(text) {
		return text
	}
	n = max(n, 0)
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:aside(text, n)]
}

// aside moves a cut at n to before the placeholder that it would cut.
func aside(text string, n int) int {
	if n >= len(text) {
		return n
	}
	from := max(0, n-longestPlaceholder)
	open := strings.LastIndexByte(text[from:n], '[')
	if open < 0 {
		return n
	}
	at := placeholder.FindStringIndex(text[from+open : min(len(text), from+open+longestPlaceholder)])
	if at != nil && at[0] == 0 && from+open+at[1] > n {
		return from + open
	}
	return n
}

// placeholder is the form that redact writes.
var placeholder = language.NewPattern(`\[([A-Z0-9_]{1,40}):REDACTED(?:#([a-z0-9]{8}))?\]`)
