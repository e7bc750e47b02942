package connect

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonc is JSON, in which comments and trailing commas are welcome where there are some.
type jsonc struct {
	head string // a new file begins with it
}

func (jsonc) read(text string) (map[string]any, error) {
	if strings.TrimSpace(text) == "" {
		return map[string]any{}, nil
	}
	root, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	root = root.Clone()
	root.Standardize()
	var out map[string]any
	if err := json.Unmarshal(root.Pack(), &out); err != nil || out == nil {
		return nil, broken(1, 1, "the file holds no object")
	}
	return out, nil
}

var hujsonPlace = regexp.MustCompile(`^hujson: line (\d+), column (\d+): `)

func parseJSON(text string) (hujson.Value, error) {
	root, err := hujson.Parse([]byte(text))
	if err == nil {
		return root, nil
	}
	why, line, column := err.Error(), 1, 1
	if m := hujsonPlace.FindStringSubmatch(why); m != nil {
		line, _ = strconv.Atoi(m[1])
		column, _ = strconv.Atoi(m[2])
		why = strings.TrimPrefix(why, m[0])
	}
	return root, broken(line, column, why)
}

func (f jsonc) begin() string { return f.head }

func (jsonc) show(e edit) string {
	return indented(wrapped(e, e.at), "", "  ") + "\n"
}

// wrapped returns the entry inside of the containers at.
func wrapped(e edit, at []string) any {
	if len(at) > 0 {
		return Fields{{at[0], wrapped(e, at[1:])}}
	}
	if e.mine != nil {
		return []any{e.want}
	}
	return Fields{{e.name, e.want}}
}

func (f jsonc) apply(text string, e edit) (string, error) {
	if strings.TrimSpace(text) == "" {
		return f.show(e), nil
	}
	root, err := parseJSON(text)
	if err != nil {
		return "", err
	}
	box := boxOf(text, root)
	for i, name := range e.at {
		n := box.index(name)
		if n < 0 {
			return box.insert(quotedName(name), wrapped(e, e.at[i+1:])), nil
		}
		if box, err = box.open(n, name); err != nil {
			return "", err
		}
	}
	return box.set(e)
}

func quotedName(name string) string { return oneLine(name) + ": " }

// box is an object or a list in a text: the spans of its members, and where it begins and ends.
type box struct {
	text       string
	start, end int // of the braces: text[start] opens, text[end-1] closes
	list       bool
	names      []string // of an object
	values     []hujson.Value
	spans      []span // of each member, from its name on
}

type span struct{ from, to int }

func boxOf(text string, v hujson.Value) *box {
	b := &box{text: text, start: v.StartOffset, end: v.EndOffset}
	switch v := v.Value.(type) {
	case *hujson.Object:
		for _, m := range v.Members {
			lit, _ := m.Name.Value.(hujson.Literal)
			b.names = append(b.names, lit.String())
			b.values = append(b.values, m.Value)
			b.spans = append(b.spans, span{m.Name.StartOffset, m.Value.EndOffset})
		}
	case *hujson.Array:
		b.list = true
		for _, m := range v.Elements {
			b.values = append(b.values, m)
			b.spans = append(b.spans, span{m.StartOffset, m.EndOffset})
		}
	}
	return b
}

func (b *box) index(name string) int { return slices.Index(b.names, name) }

// open returns the container that is the member n.
func (b *box) open(n int, name string) (*box, error) {
	if slices.Contains(b.names[n+1:], name) {
		line, column := lineColumn(b.text, b.spans[n].from)
		return nil, broken(line, column, fmt.Sprintf("%q stands twice in one object", name))
	}
	switch b.values[n].Value.(type) {
	case *hujson.Object, *hujson.Array:
		return boxOf(b.text, b.values[n]), nil
	}
	line, column := lineColumn(b.text, b.values[n].StartOffset)
	return nil, broken(line, column, fmt.Sprintf("%q is neither an object nor a list", name))
}

// set makes the edit among the members.
func (b *box) set(e edit) (string, error) {
	if b.list != (e.mine != nil) {
		line, column := lineColumn(b.text, b.start)
		return "", broken(line, column, "an object is expected where a list is, or the other way round")
	}
	n := b.member(e)
	switch {
	case n < 0 && b.list:
		return b.insert("", e.want), nil
	case n < 0:
		return b.insert(quotedName(e.name), e.want), nil
	case !b.list && slices.Contains(b.names[n+1:], e.name):
		_, err := b.open(n, e.name)
		return "", err
	case e.want == nil:
		return b.remove(n), nil
	}
	v := b.values[n]
	return b.text[:v.StartOffset] + b.render(e.want, indentAt(b.text, b.spans[n].from)) + b.text[v.EndOffset:], nil
}

// member returns the index of the entry, -1 if there is none.
func (b *box) member(e edit) int {
	if !b.list {
		return b.index(e.name)
	}
	return slices.IndexFunc(b.values, func(v hujson.Value) bool {
		v = v.Clone()
		v.Standardize()
		var value any
		return json.Unmarshal(v.Pack(), &value) == nil && e.isMine(value)
	})
}

// minified reports whether the text is in one line.
func (b *box) minified() bool { return !strings.Contains(strings.TrimSpace(b.text), "\n") }

func (b *box) render(v any, indent string) string {
	if b.minified() {
		return oneLine(v)
	}
	return indented(v, indent, unitOf(b.text))
}

// insert returns the text with one more member at the end of the container.
func (b *box) insert(name string, v any) string {
	outer := indentAt(b.text, b.start)
	indent := outer + unitOf(b.text)
	if n := len(b.spans); n > 0 && strings.TrimSpace(b.text[strings.LastIndexByte(b.text[:b.spans[n-1].from], '\n')+1:b.spans[n-1].from]) == "" {
		indent = indentAt(b.text, b.spans[n-1].from)
	}
	member := name + b.render(v, indent)
	comma, at := b.tail()
	head, rest := b.text[:at], b.text[at:b.end-1]
	if comma >= 0 && b.text[comma] != ',' {
		head = b.text[:comma] + "," + b.text[comma:at]
	} else if comma >= 0 {
		member += ","
	}
	if b.minified() {
		space := ""
		if comma >= 0 {
			space = " "
		}
		return head + space + member + rest + b.text[b.end-1:]
	}
	if !strings.Contains(rest, "\n") {
		rest = "\n" + outer
	}
	return head + "\n" + indent + member + rest + b.text[b.end-1:]
}

// tail returns where the comma after the last member is, or has to be, -1 without members, and where the last sign before the closing
// brace ends, comments included.
func (b *box) tail() (comma, at int) {
	at = b.start + len(strings.TrimRight(b.text[b.start:b.end-1], " \t\n\r"))
	n := len(b.spans)
	if n == 0 {
		return -1, at
	}
	comma = b.spans[n-1].to
	if after := comma + len(b.values[n-1].AfterExtra); b.text[after] == ',' {
		comma = after
	}
	return comma, at
}

// remove returns the text without the member n and one comma beside it.
func (b *box) remove(n int) string {
	from, to := b.spans[n].from, b.spans[n].to
	from = len(strings.TrimRight(b.text[:from], " \t\n\r"))
	after := to + len(b.values[n].AfterExtra)
	if b.text[after] == ',' {
		return b.text[:from] + b.text[to:after] + b.text[after+1:]
	}
	if n > 0 { // the last member: the comma before it goes too
		comma := b.spans[n-1].to + len(b.values[n-1].AfterExtra)
		rest := b.text[to:]
		if !strings.Contains(b.text[b.start:b.spans[n-1].from], "\n") && strings.TrimSpace(b.text[to:b.end-1]) == "" {
			rest = " " + b.text[b.end-1:] // the others stand in one line
		}
		return b.text[:comma] + b.text[comma+1:max(from, comma+1)] + rest
	}
	if strings.TrimSpace(b.text[b.start+1:from]+b.text[to:b.end-1]) == "" {
		return b.text[:b.start+1] + b.text[b.end-1:]
	}
	return b.text[:from] + b.text[to:]
}
