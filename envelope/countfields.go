package envelope

import (
	"fmt"
	"slices"
	"strings"
)

// The bounds of a field whose values are counted: how many different values it has, and how long one is in bytes.
const (
	mostCounted  = 5
	longestValue = 24
)

// field is a field of records, with the number of records that have each of its values.
type field struct {
	name   string
	values []string // as JSON
	counts []int
	many   bool // it has too many values, or a long one
}

// countedByField tells how often each value of the fields occurs that a question for a number names, in the field's word or in one that stands for it:
// "inactive" asks for active; "" if there are none.
func (n *node) countedByField(need *need, noun string) string {
	var fields []*field
	for i := range n.len() {
		e := n.element(i)
		if n.watch.over(len(e.src) + 1) {
			return ""
		}
		for k, name := range e.names() {
			at := slices.IndexFunc(fields, func(f *field) bool { return f.name == name })
			if at < 0 {
				if !need.names(name) {
					continue
				}
				fields = append(fields, &field{name: name})
				at = len(fields) - 1
			}
			fields[at].add(e.child(k))
		}
	}
	var told []string
	for _, f := range fields {
		for k, value := range f.values {
			if !f.many && f.counts[k] < n.len() {
				told = append(told, fmt.Sprintf("%d of %d %s have %q: %s", f.counts[k], n.len(), noun, f.name, value))
			}
		}
	}
	return strings.Join(told, ", ")
}

// add counts a value: a string in few letters, a number or a word of JSON.
func (f *field) add(value *node) {
	isWord := value.kind == scalar && strings.IndexByte("tfn", value.src[0]) >= 0
	isName := value.kind == stringKind && !strings.ContainsAny(value.src, `,\`)
	if f.many = f.many || !isWord && !isName || len(value.src) > longestValue; f.many {
		return
	}
	at := slices.Index(f.values, value.src)
	if at < 0 {
		f.values, f.counts = append(f.values, value.src), append(f.counts, 0)
		at = len(f.values) - 1
		f.many = len(f.values) > mostCounted
	}
	f.counts[at]++
}

// names reports whether a question names a field: a word of its name is one of the question, or is what such a word denies.
func (n *need) names(name string) bool {
	named := false
	eachWord(strings.ReplaceAll(name, "_", " "), func(form []byte, _ int) bool {
		named = n.ownOf(form) >= 0 || slices.ContainsFunc(n.forms, func(asked string) bool { return denies(asked, string(form)) || denies(string(form), asked) })
		return !named
	})
	return named
}

// denies reports whether a word is another one with a prefix that denies it: "unread" of "read".
func denies(word, of string) bool {
	word, of = strings.ToLower(word), strings.ToLower(of)
	return len(of) > 3 && slices.ContainsFunc(denying, func(prefix string) bool { return word == prefix+of })
}

// denying are the prefixes by which a word denies another.
var denying = []string{"in", "un", "non", "dis", "im", "ir"}
