package fields

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A reader reads a path whose form has been checked: it only has to tell its parts apart.
type reader struct {
	s string
	i int
}

// readQuery returns the query of a path that is well formed.
func readQuery(text string) *query {
	r := &reader{s: text}
	q := r.query()
	return &q
}

// space passes over blanks.
func (r *reader) space() {
	for r.i < len(r.s) && strings.IndexByte(" \t\r\n", r.s[r.i]) >= 0 {
		r.i++
	}
}

// sees reports whether the text goes on with a word, and passes over it if so.
func (r *reader) sees(word string) bool {
	if !strings.HasPrefix(r.s[r.i:], word) {
		return false
	}
	r.i += len(word)
	return true
}

func (r *reader) query() query {
	q := query{relative: r.s[r.i] == '@'}
	r.i++
	for {
		before := r.i
		r.space()
		switch {
		case r.sees(".."):
			q.segments = append(q.segments, r.segment(true))
		case r.sees("."):
			q.segments = append(q.segments, segment{picks: []pick{r.short()}})
		case strings.HasPrefix(r.s[r.i:], "["):
			q.segments = append(q.segments, r.segment(false))
		default:
			r.i = before
			return q
		}
	}
}

func (r *reader) segment(descend bool) segment {
	s := segment{descend: descend}
	if !r.sees("[") {
		s.picks = []pick{r.short()}
		return s
	}
	for {
		r.space()
		s.picks = append(s.picks, r.pick())
		r.space()
		if r.sees("]") {
			return s
		}
		r.i++ // the comma
	}
}

// short reads the name or the star after a dot.
func (r *reader) short() pick {
	if r.sees("*") {
		return pick{kind: pickAll}
	}
	return pick{kind: pickName, name: r.word()}
}

// word reads letters, digits, underscores and characters beyond ASCII.
func (r *reader) word() string {
	start := r.i
	for r.i < len(r.s) {
		c := r.s[r.i]
		if c < utf8.RuneSelf && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			break
		}
		r.i++
	}
	return r.s[start:r.i]
}

func (r *reader) pick() pick {
	switch c := r.s[r.i]; {
	case c == '\'' || c == '"':
		return pick{kind: pickName, name: r.quoted()}
	case r.sees("*"):
		return pick{kind: pickAll}
	case r.sees("?"):
		return pick{kind: pickFilter, filter: r.or()}
	}
	p := pick{kind: pickIndex, step: 1}
	first := r.integer()
	r.space()
	if !r.sees(":") {
		p.index = *first
		return p
	}
	p.kind, p.start = pickSlice, first
	r.space()
	p.end = r.integer()
	r.space()
	if r.sees(":") {
		r.space()
		if step := r.integer(); step != nil {
			p.step = *step
		}
	}
	return p
}

// integer reads a number, or nil where none stands.
func (r *reader) integer() *int {
	start := r.i
	r.sees("-")
	for r.i < len(r.s) && r.s[r.i] >= '0' && r.s[r.i] <= '9' {
		r.i++
	}
	n, err := strconv.Atoi(r.s[start:r.i])
	if err != nil {
		return nil
	}
	return &n
}

// quoted reads a string in quotes of either kind.
func (r *reader) quoted() string {
	quote := r.s[r.i]
	var b strings.Builder
	b.WriteByte('"')
	for r.i++; r.s[r.i] != quote; r.i++ {
		switch c := r.s[r.i]; {
		case c == '"':
			b.WriteString(`\"`)
		case c == '\\' && r.s[r.i+1] == '\'':
			r.i++
			b.WriteByte('\'')
		case c == '\\':
			r.i++
			b.WriteString(r.s[r.i-1 : r.i+1])
		default:
			b.WriteByte(c)
		}
	}
	r.i++
	b.WriteByte('"')
	var text string
	_ = json.Unmarshal([]byte(b.String()), &text) // the escapes are those of JSON
	return text
}

func (r *reader) or() condition {
	list := anyOf{r.and()}
	for r.space(); r.sees("||"); r.space() {
		list = append(list, r.and())
	}
	return list
}

func (r *reader) and() condition {
	list := allOf{r.basic()}
	for r.space(); r.sees("&&"); r.space() {
		list = append(list, r.basic())
	}
	return list
}

// basic reads a comparison, a test, or an expression in parentheses.
func (r *reader) basic() condition {
	r.space()
	if r.sees("!") {
		return not{r.basic()}
	}
	if r.sees("(") {
		c := r.or()
		r.space()
		r.i++ // the parenthesis
		return c
	}
	left, test := r.operand()
	if test != nil {
		return test
	}
	r.space()
	for _, op := range []string{"==", "!=", "<=", ">=", "<", ">"} {
		if r.sees(op) {
			r.space()
			right, _ := r.operand()
			return comparison{left, op, right}
		}
	}
	q, _ := left.(query)
	return exists{q}
}

// operand reads a literal, a query or a function; one that gives a truth and no value is a condition.
func (r *reader) operand() (operand, condition) {
	switch c := r.s[r.i]; {
	case c == '@' || c == '$':
		return r.query(), nil
	case c == '"' || c == '\'':
		return literal{kind: '"', text: r.quoted()}, nil
	case c == '-' || c >= '0' && c <= '9':
		return r.number(), nil
	}
	name := r.word()
	if name == "true" || name == "false" || name == "null" {
		return literal{kind: name[0]}, nil
	}
	return r.call(name)
}

func (r *reader) number() literal {
	start := r.i
	for r.i < len(r.s) && strings.IndexByte("+-.0123456789eE", r.s[r.i]) >= 0 {
		r.i++
	}
	n, _ := strconv.ParseFloat(r.s[start:r.i], 64) // infinity if it is too large
	return literal{kind: '0', number: n}
}

// call reads the arguments of a function. Their number and their types have been checked.
func (r *reader) call(name string) (operand, condition) {
	r.i++ // the parenthesis
	var given []operand
	for {
		r.space()
		arg, _ := r.operand()
		given = append(given, arg)
		r.space()
		if r.sees(")") {
			break
		}
		r.i++ // the comma
	}
	q, _ := given[0].(query)
	switch name {
	case "length":
		return length{given[0]}, nil
	case "count":
		return counted{q}, nil
	case "value":
		return single{q}, nil
	}
	return nil, matches{given[0], given[1], name == "match"}
}
