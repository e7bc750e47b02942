package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"hash"
	"io"
	"strings"
	"unicode/utf8"
)

// A placeholder reads [LABEL:REDACTED] or [LABEL:REDACTED#k7m2q9xa]. Its form is stored: do not change it.
const (
	redacted     = ":REDACTED"
	markAlphabet = "abcdefghijkmnpqrstuvwxyz23456789" // 32 letters and digits; no l, o, 0, 1
	markLen      = 8
	minMarked    = 16 // characters; a shorter secret can be guessed by trying, so it gets no mark
	maxLabel     = 40
)

var (
	labelByte = classOf("A-Z0-9_")
	markByte  = classOf(markAlphabet)
)

// A marker makes the fingerprints of one text.
type marker struct {
	key []byte
	mac hash.Hash // nil: none has been made
}

// mark returns the fingerprint of the secret, "" if it gets none. It depends on the secret alone, so that a reader can
// tell that two places hold the same one, whichever label it was found under.
func (m *marker) mark(label, secret string) string {
	if len(m.key) == 0 || len(secret) < minMarked || kinds[label].Unmarked || utf8.RuneCountInString(secret) < minMarked {
		return ""
	}
	if m.mac == nil {
		m.mac = hmac.New(sha256.New, m.key)
	}
	var sum [sha256.Size]byte
	m.mac.Reset()
	io.WriteString(m.mac, "secret\x00")
	io.WriteString(m.mac, secret)
	return shorten(m.mac.Sum(sum[:0]))
}

// placeholder returns the text that stands in place of a secret.
func placeholder(label, mark string) string {
	if mark == "" {
		return "[" + label + redacted + "]"
	}
	return "[" + label + redacted + "#" + mark + "]"
}

// shorten writes the first 40 bits of sum.
func shorten(sum []byte) string {
	bits := uint64(0)
	for _, b := range sum[:5] {
		bits = bits<<8 | uint64(b)
	}
	var out [markLen]byte
	for i := range out {
		out[markLen-1-i] = markAlphabet[bits&31]
		bits >>= 5
	}
	return string(out[:])
}

// placeholderLen returns the length of the placeholder with which s begins, and 0 if it begins with none. Only labels
// of the table count: a text cannot hide something by writing it as a label.
func placeholderLen(s string) int {
	if s == "" || s[0] != '[' {
		return 0
	}
	end := labelByte.run(s, 1, 1+maxLabel)
	if _, known := kinds[s[1:end]]; !known || !strings.HasPrefix(s[end:], redacted) {
		return 0
	}
	end += len(redacted)
	if end < len(s) && s[end] == '#' && markByte.run(s, end+1, end+1+markLen) == end+1+markLen {
		end += 1 + markLen
	}
	if end < len(s) && s[end] == ']' {
		return end + 1
	}
	return 0
}

// Placeholders returns where the placeholders of a text stand, from and until, in order. They are those of labels that are known here: a text
// cannot pass something else off as a secret.
func Placeholders(text string) (places [][2]int) {
	for _, p := range placeholders(text) {
		places = append(places, [2]int{p.start, p.end})
	}
	return places
}

// placeholders returns where the placeholders of s stand, in order.
func placeholders(s string) []span {
	var list []span
	for from := 0; ; {
		at := strings.Index(s[from:], redacted[1:]) // its first letter is rarer than the colon before it
		if at < 0 {
			return list
		}
		if at += from - 1; at < from || s[at] != ':' {
			from = at + len(redacted)
			continue
		}
		open := at
		for open > from && open > at-maxLabel && labelByte[s[open-1]] {
			open--
		}
		from = at + len(redacted)
		if open == 0 {
			continue
		}
		if n := placeholderLen(s[open-1:]); n > 0 {
			list = append(list, span{start: open - 1, end: open - 1 + n})
			from = open - 1 + n
		}
	}
}
