package redact

import (
	"encoding/json"
	"strings"
)

// fitJSON moves the spans so that text which is JSON, as a whole or line by line, still is when they are replaced. A
// span within a string stays; one that reaches over several strings is parted; a bare number or word is taken whole
// and its placeholder quoted. Outside JSON, a bare value after a quoted key is quoted too. doc is a walker at the
// beginning of s, if s is a part of a document; nil: it is all of it.
func fitJSON(s string, spans []span, doc *walker) []span {
	if len(spans) == 0 {
		return nil
	}
	out := make([]span, 0, len(spans))
	w := walker{s: s}
	switch {
	case doc != nil && doc.valid:
		w = walker{s: s, end: len(s), valid: true, inString: doc.inString}
	case doc == nil && isJSON(s):
		w = walker{s: s, end: len(s), valid: true}
	}
	for _, sp := range spans {
		if sp.start >= w.end {
			w = lineWalker(s, sp.start)
		}
		if !w.valid || sp.end > w.end {
			sp.quote = keyQuote(s, sp)
			out = append(out, sp)
			continue
		}
		out = w.fit(out, sp)
	}
	return out
}

// A walker goes through one JSON text and knows its tokens by their places.
type walker struct {
	s        string
	at, end  int
	valid    bool // the stretch up to end is JSON
	inString bool // at stands in a string
}

// lineWalker returns a walker for the line that holds i.
func lineWalker(s string, i int) walker {
	start := strings.LastIndexByte(s[:i], '\n') + 1
	end := len(s)
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		end = i + n
	}
	return walker{s: s, at: start, end: end, valid: isJSON(s[start:end])}
}

// isJSON reports whether the text is an object, an array or a string of JSON.
func isJSON(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	return text != "" && strings.IndexByte("{[\"", text[0]) >= 0 && json.Valid([]byte(text))
}

// fit appends the part of each string and each bare value that sp covers.
func (w *walker) fit(out []span, sp span) []span {
	for w.at < sp.end {
		start := w.at
		switch {
		case w.inString && w.s[start] == '"':
			w.at++
			w.inString = false
		case w.inString:
			w.at += w.unit()
			if w.at > sp.start {
				for w.at < sp.end && w.s[w.at] != '"' {
					w.at += w.unit()
				}
				piece := span{start: start, end: w.at, label: sp.label}
				if q := keyQuote(w.s, piece); q != `"` { // JSON in JSON; a quote without backslash is this string's own
					piece.quote = q
				}
				out = append(out, piece)
			}
		case w.s[start] == '"':
			w.at++
			w.inString = true
		default:
			w.at = max(start+1, bareJSON.run(w.s, start, w.end))
			if w.at > sp.start && (digits[w.s[start]] || w.s[start] == '-') {
				out = append(out, span{start: start, end: w.at, label: sp.label, quote: `"`})
			}
		}
	}
	return out
}

// unit returns the length of the character or escape at w.at, in a string.
func (w *walker) unit() int {
	switch {
	case w.s[w.at] != '\\':
		return 1
	case w.s[w.at+1] == 'u':
		return 6
	}
	return 2
}

var bareJSON = classOf("0-9A-Za-z.+-")

// keyQuote returns the quote, with its backslashes, of the key before a bare value, and "" if there is none: the value
// of "pin": 12345678 has to become a string.
func keyQuote(s string, sp span) string {
	if !parts(s, sp.end) {
		return ""
	}
	i := sp.start
	for i > 0 && blanks[s[i-1]] {
		i--
	}
	if i == 0 || s[i-1] != ':' {
		return ""
	}
	for i--; i > 0 && blanks[s[i-1]]; {
		i--
	}
	if i == 0 || s[i-1] != '"' && s[i-1] != '\'' {
		return ""
	}
	start := i - 1
	for start > 0 && s[start-1] == '\\' {
		start--
	}
	return s[start:i]
}
