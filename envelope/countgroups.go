package envelope

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// This file answers a question for the number of each of some groups, "how many jobs failed per region?", with those numbers: of the rows of a table, or of
// the elements of a list.

// The bounds of a field by which things are counted.
const (
	mostGroups   = 12 // different values
	longestGroup = 24 // bytes of a value
	deepestField = 3  // members from an element down
	mostFields   = 40
)

// groupWord matches the words that ask for each of some groups, with the word for these.
var groupWord = language.NewPattern(`(?i)\b(?:per|by|each|every)\s+(?:the\s+|single\s+|different\s+)?([\pL\d_]+)`)

// groupTerms returns the terms of the groups that a question asks for.
func groupTerms(question string) (all []string) {
	for _, m := range groupWord.FindAllStringSubmatch(question, -1) {
		if term := language.Term(strings.ToLower(m[1])); term != "" {
			all = append(all, term)
		}
	}
	return all
}

// counting is the fields of things that may be counted: of each field its value in each of them as it is written, "" for none.
type counting struct {
	names  []string
	values [][]string // by field, then by record
	count  int
	watch  *watch
}

// groupedBy counts the records by the field that the question asks for. Where the question names values, only records with these count. The answer is "" where
// the question asks for no such field, or where a word of it may be a value and may not.
func (r *counting) groupedBy(n *need, noun string, quote func(field, value string) string) string {
	by := slices.IndexFunc(r.names, func(name string) bool { return n.groups(name) })
	if by < 0 || slices.Contains(n.not, true) || !r.few(by) {
		return ""
	}
	kept := make([]bool, r.count)
	for i := range kept {
		kept[i] = true
	}
	var having []string
	for f := range r.names {
		value, sure := r.asked(n, f, by)
		if !sure {
			return ""
		}
		if value == "" {
			if f != by && r.speaksOf(n, f) {
				return ""
			}
			continue
		}
		having = append(having, quote(r.names[f], value))
		for i := range kept {
			kept[i] = kept[i] && r.values[f][i] == value
		}
	}
	var groups []string
	counts := map[string]int{}
	total := 0
	for i, v := range r.values[by] {
		if !kept[i] {
			continue
		}
		if counts[v] == 0 {
			groups = append(groups, v)
		}
		counts[v]++
		total++
	}
	if total == 0 {
		return ""
	}
	slices.SortStableFunc(groups, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	for i, g := range groups {
		groups[i] = fmt.Sprintf("%s %d", strings.Trim(g, `"`), counts[g])
	}
	said := fmt.Sprintf("%d %s", total, noun)
	if len(having) > 0 {
		said = fmt.Sprintf("%d of %d %s have %s", total, r.count, noun, strings.Join(having, " and "))
	}
	return said + fmt.Sprintf(", by %q: ", r.names[by]) + strings.Join(groups, ", ")
}

// few reports whether every record has a value of a field, and these are few and short.
func (r *counting) few(f int) bool {
	seen := map[string]bool{}
	for _, v := range r.values[f] {
		if seen[v] = true; v == "" || len(v) > longestGroup || len(seen) > mostGroups || strings.ContainsAny(v, ",\n") {
			return false
		}
	}
	return len(seen) > 1
}

// asked returns the value of a field that a word of the question is; "" if there is none. It is not sure where two values are asked for.
func (r *counting) asked(n *need, f, by int) (value string, sure bool) {
	if f == by || !r.few(f) {
		return "", true
	}
	for _, v := range r.values[f] {
		if v != value && n.asks(v) {
			if value != "" {
				return "", false
			}
			value = v
		}
	}
	return value, true
}

// groups reports whether the question asks for a number for each value of a field.
func (n *need) groups(name string) bool {
	found := false
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		name = name[dot+1:]
	}
	eachWord(strings.ReplaceAll(name, "_", " "), func(form []byte, _ int) bool {
		found = slices.Contains(n.by, language.Term(string(form)))
		return !found
	})
	return found
}

// asks reports whether a value is a word of the question, and not one for its groups.
func (n *need) asks(value string) bool {
	word := strings.ToLower(strings.Trim(value, `"`))
	whole, own := false, -1
	eachWord(word, func(form []byte, _ int) bool {
		whole, own = len(form) == len(word), n.ownOf(form)
		return false
	})
	return whole && own >= 0 && !slices.Contains(n.by, n.terms[own])
}

// speaksOf reports whether a word of the question, and not one for its groups, stands in the values of a field in some records and not in all: it may ask
// for those alone. It reports so too where there is no time left to look.
func (r *counting) speaksOf(n *need, f int) bool {
	in := make([]int, len(n.terms)) // of each term: the records that have it
	last := make([]int, len(n.terms))
	for i, v := range r.values[f] {
		if r.watch.over(len(v) + 1) {
			return true
		}
		eachWord(v, func(form []byte, _ int) bool {
			if own := n.ownOf(form); own >= 0 && last[own] <= i {
				in[own]++
				last[own] = i + 1
			}
			return true
		})
	}
	for t, records := range in {
		if records > 0 && records < r.count && !slices.Contains(n.by, n.terms[t]) {
			return true
		}
	}
	return false
}

// grouped answers the question with the number of rows of each group; "" for other questions, and where the rows do not all have the cells that the head names.
func (t *lined) grouped() string {
	if t.columns == nil || t.head == 0 || len(t.need.by) == 0 {
		return ""
	}
	r := &counting{names: t.columns(t.all[0]), watch: t.watch}
	if len(r.names) > mostFields {
		return ""
	}
	r.values = make([][]string, len(r.names))
	for _, text := range t.all[t.head:] {
		if t.watch.over(len(text) + 1) {
			return ""
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		cells := t.columns(text)
		if len(cells) != len(r.names) {
			return ""
		}
		for f, c := range cells {
			r.values[f] = append(r.values[f], c)
		}
		r.count++
	}
	return r.groupedBy(t.need, t.noun+"s below the head", func(field, value string) string { return fmt.Sprintf("%q %s", field, value) })
}

// grouped answers the question with the number of elements of each group; "" for other questions.
func (n *node) grouped(need *need, noun string) string {
	if len(need.by) == 0 {
		return ""
	}
	r := &counting{count: n.len(), watch: n.watch}
	at := map[string]int{}
	for i := range n.len() {
		e := n.element(i)
		if n.watch.over(len(e.src) + 1) {
			return ""
		}
		e.fields("", deepestField, func(path, value string) {
			f, known := at[path]
			if !known {
				if len(r.names) == mostFields {
					return
				}
				f = len(r.names)
				at[path] = f
				r.names, r.values = append(r.names, path), append(r.values, make([]string, r.count))
			}
			r.values[f][i] = value
		})
	}
	return r.groupedBy(need, noun, func(field, value string) string { return fmt.Sprintf("%q: %s", field, value) })
}

// fields yields the members of an object that are words, numbers or strings without signs, by their paths from the top down to a depth.
func (n *node) fields(path string, depth int, yield func(path, value string)) {
	if n.kind != object || depth == 0 {
		return
	}
	for k, name := range n.names() {
		at := strings.TrimPrefix(path+"."+name, ".")
		switch c := n.child(k); {
		case strings.ContainsAny(name, `."`):
		case c.kind == object:
			c.fields(at, depth-1, yield)
		case c.kind == scalar, c.kind == stringKind && !strings.Contains(c.src, `\`):
			yield(at, c.src)
		}
	}
}
