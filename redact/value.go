package redact

import "strings"

// A form is how a value is tied to its key.
type form int

const (
	none     form = iota
	assigned      // key=value, key := value
	colon         // key: value
	element       // <key>value</key>
	phrase        // "key is value", "key value", | key | value |
	argument      // set("key", "value")
)

const (
	maxBlanks = 32   // between a key, its separator and its value
	maxQuoted = 4096 // bytes in which a closing quote is looked for
	maxOwner  = 48   // bytes of "for bob is"
)

// A value is the text after a key, without its quotes.
type value struct {
	start, end int // a bare value is cut after the bytes that are judged
	form       form
	quoted     bool
	tight      bool // nothing stands between key, sign and value
}

// valueAt returns the value that begins at i, with the quote if it has one.
func valueAt(s string, i int, f form) value {
	v := value{start: i, form: f, tight: i > 0 && s[i-1] == '='}
	if f == element {
		v.end, v.quoted = elementEnd(s, i), true
		v.start = min(skipGaps(s, i), v.end)
		v.end = trimGaps(s, v.start, v.end)
		return v
	}
	i = unwrapped(s, i)
	if i+1 < len(s) && (letters[s[i]] || s[i] == '@') && opensQuote(s, i+1) { // b"bytes", r'raw', @"verbatim"
		i++
	}
	if block := max(blockAt(s, i, f), heredocAt(s, i)); block > 0 {
		v.start, v.end, v.quoted = block, block, true
		for !endsLine(s, v.end) && v.end < block+maxQuoted {
			v.end++
		}
		return v
	}
	if start, end, ok := quotedAt(s, i); ok {
		v.start, v.end, v.quoted = start, end, true
		return v
	}
	v.start = quotes.run(s, v.start, v.start+1)
	v.end = bareEnd(s, v.start, v.start+looked)
	return v
}

// blockAt returns where the text of a block of YAML begins whose sign stands at i: | or >, with + or -, and the text in
// the next line, indented. It returns 0 if there is none.
func blockAt(s string, i int, f form) int {
	if f != colon || i >= len(s) || s[i] != '|' && s[i] != '>' {
		return 0
	}
	n := blockSigns.run(s, i+1, i+3)
	line := breakLen(s, n)
	text := blanks.run(s, n+line, n+line+maxBlanks)
	if line == 0 || text == n+line {
		return 0
	}
	return text
}

// heredocAt returns where the text of a here-document begins whose sign stands at i: <<EOT, <<-EOT, <<~'EOT'. It returns 0 if
// there is none.
func heredocAt(s string, i int) int {
	if !strings.HasPrefix(s[min(i, len(s)):], "<<") {
		return 0
	}
	n := heredocSigns.run(s, i+2, i+maxKey)
	line := breakLen(s, n)
	if n == i+2 || line == 0 {
		return 0
	}
	return blanks.run(s, n+line, n+line+maxBlanks)
}

// unwrapped returns where the quoted text begins that a call at i makes a string or bytes of, or i.
func unwrapped(s string, i int) int {
	if i >= len(s) {
		return i
	}
	for _, call := range stringCalls[s[i]] {
		if strings.HasPrefix(s[i:], call) && opensQuote(s, i+len(call)) {
			return i + len(call)
		}
	}
	return i
}

// stringCalls make a string or bytes of a literal, in several languages.
var stringCalls = beginnings("String::from(", "SecretString::from(", "SecretString(", "String(", "[]byte(", "str(", "bytes(", "Some(",
	"Buffer.from(")

var heredocSigns = classOf("A-Za-z0-9_'\"~-")

var blockSigns = classOf("0-9+-")

// elementEnd returns where the text of an element ends: before the tag that closes it, whose signs JSON may have escaped.
// Without one there is no value.
func elementEnd(s string, i int) int {
	for j := i; j < len(s) && j < i+maxQuoted && s[j] != '"'; j++ {
		if n := max(escapedSign(s[j:], "u003c"), len(s[j:j+1])); s[j] == '<' || n > 1 {
			if n = slashes.run(s, j+n, j+n+maxSlashes); n < len(s) && (s[n] == '/' || s[n] == '!') {
				return j
			}
			return i
		}
	}
	return i
}

// escapedSign returns the length of the escape of the code, behind one backslash or more, with which text begins, or
// 0.
func escapedSign(text, code string) int {
	n := slashes.run(text, 0, maxSlashes)
	if n > 0 && strings.HasPrefix(text[n:], code) {
		return n + len(code)
	}
	return 0
}

// quotedAt returns the text between the quote at i and the one that closes it on the same line. In JSON within JSON
// quotes are escaped, by 1, 3, 7 backslashes: one closes if it has as many, not counting those that escape each other.
func quotedAt(s string, i int) (start, end int, ok bool) {
	open := slashes.run(s, i, i+maxSlashes)
	if open >= len(s) || !quotes[s[open]] {
		return 0, 0, false
	}
	depth, quote, behind := open-i, s[open], 0
	start = open + 1
	more := start
	for mark := s[i:start]; strings.HasPrefix(s[more:], mark) && more < start+3*len(mark); { // """text""", ""text"" of CSV
		more += len(mark)
	}
	if !parts(s, more) {
		start = more
	}
	for j := start; j < len(s) && j < start+maxQuoted && s[j] != '\n'; j++ {
		switch c := s[j]; {
		case c == '\\':
			behind++
			continue
		case c == '"' && behind < depth: // the end of a string around this one
			return 0, 0, false
		case c == quote && depth == 0 && behind == 0 && doubled(s, j):
			j++
		case c == quote && behind%(2*depth+2) == depth:
			return start, j - depth, true
		}
		behind = 0
	}
	return 0, 0, false
}

// opensQuote reports whether a quote stands at i, escaped or not.
func opensQuote(s string, i int) bool {
	i = slashes.run(s, i, i+maxSlashes)
	return i < len(s) && quotes[s[i]]
}

// doubled reports whether the quote at j stands for itself, as in the 'it”s' of YAML and SQL.
func doubled(s string, j int) bool {
	return j+2 < len(s) && s[j+1] == s[j] && alnum[s[j+2]] && alnum[s[j-1]]
}

// inValues are the bytes that never end a value without quotes.
var inValues = classOf("!#$%*+/0-9=?@A-Z^_a-z~\x80-\xff-")

// bareEnd returns where the value without quotes that begins at i ends, at most limit. Signs that passwords are made
// of end it only if the text after them shows that they are punctuation.
func bareEnd(s string, i, limit int) int {
	depth := 0
	for limit = min(limit, len(s)); i < limit; i++ {
		if i = inValues.run(s, i, limit); i == limit {
			break
		}
		switch c := s[i]; c {
		case '"', '`':
			return i
		case '\\':
			if i+1 < len(s) && strings.IndexByte(`nrt"'\u`, s[i+1]) >= 0 {
				return i
			}
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 && parts(s, i+1) {
				return i
			}
			depth = max(0, depth-1)
		case ',', ';', '&', '|':
			if parts(s, i+1) || pairAt(s, i+1) {
				return i
			}
		case '<':
			if i+1 < len(s) && (s[i+1] == '/' || s[i+1] == '!' || letters[s[i+1]]) {
				return i
			}
		case '\'', '>', '.', ':':
			if parts(s, i+1) {
				return i
			}
		default:
			if c <= ' ' || c == 0x7f {
				return i
			}
		}
	}
	return i
}

// parts reports whether nothing at i belongs to the value any more.
func parts(s string, i int) bool {
	return i >= len(s) || s[i] <= ' ' || strings.IndexByte("\"'`)]},;<&|\\", s[i]) >= 0
}

// pairAt reports whether another key with its value begins at i, as after the & of a query string.
func pairAt(s string, i int) bool {
	end := nameBytes.run(s, i, i+maxKey)
	return end > i && end < len(s) && (s[end] == '=' || s[end] == ':')
}
