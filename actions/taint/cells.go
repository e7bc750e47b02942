package taint

import (
	"encoding/json"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// cell is one value of a result: of a field, of an item of a list, or a run of plain text.
type cell struct {
	start, end int // in the text of the result, in bytes
	key        string
	record     int // which record of the result it belongs to
}

// field reports whether the cell has the name of a field: one word. What stands before a colon in several words may be half of a sentence.
func (c cell) field() bool { return c.key != "" && !strings.Contains(strings.TrimSpace(c.key), " ") }

// reader finds the cells of a result. It knows JSON, the literals of Python, YAML and plain text by their looks, and never
// fails: a text that it cannot take apart is plain text.
type reader struct {
	text    string
	cells   []cell
	parents []int // of each record: the one that it stands in, -1 for none
	depth   int   // of texts nested in a string
	// unclosed are the quotes that close no value of many lines any more: to search for one again would take the whole text for each line.
	unclosed map[byte]bool
}

// maxNested is the depth to which texts may be nested in strings; a deeper one is plain.
const maxNested = 64

// cellsOf returns the cells of a text, in order, and of each record the one that it stands in.
func cellsOf(text string) ([]cell, []int) {
	r := &reader{text: text, parents: []int{-1}, unclosed: map[byte]bool{}}
	start := len(text) - len(strings.TrimLeft(text, " \t\r\n<"))
	if start < len(text) && strings.IndexByte("{[", text[start]) >= 0 {
		r.nested(start, len(text), 0)
	} else if !r.table() {
		r.mixed()
	}
	return r.cells, r.parents
}

// mixed reads plain text, in which JSON may stand that begins a line: "3 tickets:", and then a list.
func (r *reader) mixed() {
	const mostFailed = 4 // beginnings of what is no JSON: each may go over the whole text
	from, failed := 0, 0
	for at := 0; at < len(r.text) && failed < mostFailed; {
		line, _, _ := strings.Cut(r.text[at:], "\n")
		start := at + len(line) - len(strings.TrimLeft(line, " \t\r"))
		at += len(line) + 1
		if start >= len(r.text) || strings.IndexByte("{[", r.text[start]) < 0 {
			continue
		}
		var value json.RawMessage
		d := json.NewDecoder(strings.NewReader(r.text[start:]))
		if d.Decode(&value) != nil || strings.IndexByte("{[", value[0]) < 0 || len(value) < 3 {
			failed++
			continue
		}
		end := start + int(d.InputOffset())
		r.lines(from, start)
		r.nested(start, end, 0)
		from, at = end, end
	}
	r.lines(from, len(r.text))
}

func (r *reader) add(start, end int, key string, record int) {
	for start < end && strings.IndexByte(" \t\r\n", r.text[start]) >= 0 {
		start++
	}
	for start < end && strings.IndexByte(" \t\r\n", r.text[end-1]) >= 0 {
		end--
	}
	if start < end {
		r.cells = append(r.cells, cell{start, end, key, record})
	}
}

func (r *reader) newRecord(parent int) int {
	r.parents = append(r.parents, parent)
	return len(r.parents) - 1
}

// nested reads objects, lists and calls: {"a": 1, 'b': [x, y], Name(c="d")}. Every object is a record, but for one that is the value of a field: it
// is of the record that has the field, unless the name of the field has a digit, so that it may be a code, and the whole a list by codes.
func (r *reader) nested(at, end, record int) {
	records, key := []int{record}, ""
	for at < end {
		switch c := r.text[at]; {
		case c == '{' || c == '(':
			of := records[len(records)-1]
			if c == '(' || key == "" || len(records) == 1 || !r.isValue(at) || strings.ContainsAny(key, "0123456789") {
				of = r.newRecord(of)
			}
			records, key = append(records, of), ""
			at++
		case c == '}' || c == ')':
			if len(records) > 1 {
				records = records[:len(records)-1]
			}
			at++
		case c == '"' || c == '\'':
			close := r.quoteEnd(at, end)
			next := skipSpace(r.text, min(close+1, end), end)
			inner := max(at+1, close-r.escapes(at)) // before the signs that escape the end
			if next < end && r.text[next] == ':' {
				key, at = r.text[at+1:inner], next+1
				continue
			}
			r.content(at+1, inner, key, records[len(records)-1])
			at = close + 1
		case c == '\\' && at+1 < end && strings.IndexByte("nrt", r.text[at+1]) >= 0:
			at += 2
		case c == '\\':
			at++
		case strings.IndexByte(" \t\r\n,[]:", c) >= 0:
			at++
		default:
			at = r.bare(at, end, &key, records[len(records)-1])
		}
	}
}

// isValue reports whether there is the sign of a field before a place.
func (r *reader) isValue(at int) bool {
	for at--; at >= 0 && strings.IndexByte(" \t\r\n", r.text[at]) >= 0; at-- {
	}
	return at >= 0 && r.text[at] == ':'
}

// quoteEnd returns where the string that begins at the quote ends: at the next such quote that something of the structure
// follows.
func (r *reader) quoteEnd(at, end int) int {
	quote, level := r.text[at], r.escapes(at)
	for i := at + 1; i < end; i++ {
		switch {
		case r.text[i] == '\\' && level == 0:
			i++
		case r.text[i] == quote && (level == 0 || r.escapes(i) == level):
			next := skipSpace(r.text, i+1, end)
			if next == end || strings.IndexByte(",:}])", r.text[next]) >= 0 {
				return i
			}
		}
	}
	return end
}

// escapes returns the number of signs of escape before a place: a quote in a text within a string has some.
func (r *reader) escapes(at int) int {
	n := 0
	for at-n > 0 && r.text[at-n-1] == '\\' {
		n++
	}
	return n
}

// content adds the content of a string: a cell, or what is nested in it.
func (r *reader) content(start, end int, key string, record int) {
	if r.depth < maxNested && end > start+1 && strings.IndexByte("{[", r.text[start]) >= 0 && strings.ContainsAny(r.text[start:end], "'\"") {
		r.depth++
		r.nested(start, end, record)
		r.depth--
		return
	}
	r.add(start, end, key, record)
}

// bare reads a number, a word or a name before a sign of equality or a bracket.
func (r *reader) bare(at, end int, key *string, record int) int {
	i := at
	for i < end && strings.IndexByte(",{}[]()=\n", r.text[i]) < 0 {
		i++
	}
	if i < end && r.text[i] == '=' {
		*key = strings.TrimSpace(r.text[at:i])
		return i + 1
	}
	if i == end || r.text[i] != '(' {
		r.add(at, i, *key, record)
	}
	return max(i, at+1)
}

func skipSpace(text string, at, end int) int {
	for at < end && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
		at++
	}
	return at
}

// keyed is a line that begins a field, perhaps of a new item of a list.
var keyed = language.NewPattern(`^([ <]*)((?:(?:-|\d{1,3}[.)]) +)*)(['"]?[*]{0,2}[\p{L}_][\p{L}\p{N}_ ./&-]{0,40}?[*]{0,2}['"]?) ?:[*]{0,2}(?:\s+(.*))?$`)

// mayBeKeyed reports whether a text has white space or its end behind its first colon, as whatever keyed matches.
func mayBeKeyed(text string) bool {
	at := strings.IndexByte(text, ':')
	for at > 0 && at+1 < len(text) && text[at+1] == '*' {
		text = text[:at+1] + text[at+2:]
	}
	return at > 0 && (at+1 == len(text) || strings.IndexByte(" \t\r\n\f", text[at+1]) >= 0)
}

var item = language.NewPattern(`^[ <]*(?:- +)`)

const maxKeyWords = 4

// lines reads YAML and plain text.
func (r *reader) lines(from, to int) {
	record, base := 0, -1
	open := cell{start: -1}
	flush := func(end int) {
		if open.start >= 0 {
			r.content(skipSpace(r.text, open.start, end), end, open.key, open.record)
		}
		open.start = -1
	}
	for at := from; at < to; {
		line, _, _ := strings.Cut(r.text[at:to], "\n")
		next := at + len(line) + 1
		var m []int
		if mayBeKeyed(line) {
			m = keyed.FindStringSubmatchIndex(line)
		}
		switch {
		case m != nil && isLabel(line[m[6]:m[7]]):
			flush(at)
			if indent := m[3] - m[2]; m[5] > m[4] && (base < 0 || indent <= base) {
				record, base = r.newRecord(0), indent
			}
			start := at + len(line)
			if m[8] >= 0 {
				start = at + m[8]
			}
			open = cell{start: start, key: strings.Trim(line[m[6]:m[7]], `'"*`), record: record}
			if close := r.quoted(start, next); close > next {
				next = close
			}
		case strings.HasPrefix(strings.TrimLeft(line, " <"), "- "):
			key := open.key
			flush(at)
			open = cell{start: at + len(item.FindString(line)), key: key, record: record}
		case open.start < 0 && strings.TrimSpace(line) != "":
			open = cell{start: at, record: record}
		}
		at = next
	}
	flush(to)
}

// quoted returns where the line begins that follows a quoted value of many lines, or 0 for another value.
func (r *reader) quoted(start, next int) int {
	if start >= len(r.text) || r.text[start] != '\'' && r.text[start] != '"' {
		return 0
	}
	quote := r.text[start]
	limit := len(r.text)
	if r.unclosed[quote] { // only the quotes at the start themselves can close it
		for limit = start; limit < len(r.text) && r.text[limit] == quote; {
			limit++
		}
	}
	for i := start + 1; i < limit; i++ {
		switch {
		case r.text[i] == '\\' && quote == '"':
			i++
		case r.text[i] != quote:
		case i+1 < len(r.text) && r.text[i+1] == quote && quote == '\'':
			i++
		default:
			end := skipBlanks(r.text, i+1)
			if end == len(r.text) || r.text[end] == '\n' {
				return min(end+1, len(r.text))
			}
		}
	}
	r.unclosed[quote] = true
	return 0
}

func skipBlanks(text string, at int) int {
	for at < len(text) && strings.IndexByte(" \t\r>", text[at]) >= 0 {
		at++
	}
	return at
}
