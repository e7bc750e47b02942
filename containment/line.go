package containment

import (
	"context"
	"strings"
	"unicode"
)

// OneLine returns text without line breaks, control characters and invisible characters, so that it stays within its line, of a prompt or
// of a terminal. A run of line breaks and control characters becomes one space.
func OneLine(text string) string {
	if clean, removed, _ := strip(context.Background(), text); removed.any() { // this context does not end
		text = clean
	}
	if strings.IndexFunc(text, breaks) < 0 {
		return text
	}
	return strings.Join(strings.FieldsFunc(text, breaks), " ")
}

// breaks reports whether a rune ends a line or moves a cursor: Cc with the separators of lines and paragraphs.
func breaks(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// Origin returns the name of where a text is from, as it may stand in a delimiter: on one line and without brackets. A
// character that would break out becomes an underscore.
func Origin(name string) string {
	name, _, _ = strip(context.Background(), name) // this context does not end
	return strings.Map(func(r rune) rune {
		if breaks(r) || strings.ContainsRune(openers+closers, r) {
			return '_'
		}
		return r
	}, name)
}

// lineEnds are the ways in which a line of a text ends, the longest first.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// Lines returns the lines of a text, however they end.
func Lines(text string) []string { return strings.Split(lineEnds.Replace(text), "\n") }
