package envelope

import (
	"encoding/json"
	"strings"
)

// These functions find where values end in text that is known to be valid JSON, and check nothing.

// between returns the place of the next value or key at or after i.
func between(s string, i int) int {
	for i < len(s) && strings.IndexByte(" \t\r\n,:", s[i]) >= 0 {
		i++
	}
	return i
}

// valueEnd returns the place behind the value that begins at i.
func valueEnd(s string, i int) int {
	if i >= len(s) {
		return i
	}
	switch s[i] {
	case '"':
		return stringEnd(s, i)
	case '{', '[':
		return bodyEnd(s, i)
	}
	for i < len(s) && strings.IndexByte(" \t\r\n,:]}", s[i]) < 0 {
		i++
	}
	return i
}

func stringEnd(s string, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

func bodyEnd(s string, i int) int {
	for depth := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			i = stringEnd(s, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// unquote returns what a string in JSON says.
func unquote(src string) string {
	if strings.IndexByte(src, '\\') < 0 {
		return src[1 : len(src)-1]
	}
	var text string
	if err := json.Unmarshal([]byte(src), &text); err != nil {
		return src // not reached with valid JSON
	}
	return text
}
