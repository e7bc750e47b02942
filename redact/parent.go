package redact

import "strings"

const (
	maxChildren = 4096 // bytes of an object, a block or a section that is named for secrets
	maxChild    = 64   // values of one
)

// children notes the values in an object, a list, a block of YAML, a section of TOML or an element whose name is the key,
// or its plural: {"secrets": {"prod": x}}. The name says less of each than a name of its own, so that a value has to look
// like a secret, and its own name must not be one of a property, as "type" is.
func (t *scan) children(k key) {
	s := t.s
	if k.start < t.walked {
		return
	}
	start, end := t.childrenOf(k)
	if start == end {
		return
	}
	n, ok := k.plural().judge(s)
	if !ok {
		return
	}
	t.walked = end
	for i, count := start, 0; i < end && count < maxChild; {
		switch c := s[i]; {
		case nameBytes[c]:
			name := nameBytes.run(s, i, end)
			v := childValue(s, name)
			if v.start < v.end && v.end <= end && !aboutChild(s[i:name]) && n.child(s[v.start:v.end]) {
				t.hit(n.label, v.start, v.end)
				count++
			}
			i = max(name, v.end)
		case c == '"' || c == '\'':
			i = t.listed(n, start, escapedQuote(s, i))
		default:
			i++
		}
	}
}

// childValue returns the value of the name that ends at i.
func childValue(s string, i int) value {
	form, at := separator(s, i)
	if form != colon && form != assigned && form != element {
		return value{start: i, end: i}
	}
	v := valueAt(s, at, form)
	if !v.quoted {
		v.end = bareEnd(s, v.start, v.start+looked)
	}
	return v
}

// listed notes the string at i if it is an element of a list, and returns where to go on.
func (t *scan) listed(n name, from, i int) int {
	s := t.s
	start, end, ok := quotedAt(s, i)
	if !ok {
		return i + 1 + slashes.run(s, i, i+maxSlashes) - i
	}
	before := i
	for before > from && (blanks[s[before-1]] || s[before-1] == '\n') {
		before--
	}
	after := closeKey(s, end)
	if before > 0 && (s[before-1] == '[' || s[before-1] == ',') && after < len(s) && (s[after] == ',' || s[after] == ']' || s[after] <= ' ') {
		if n.child(s[start:end]) {
			t.hit(n.label, start, end)
		}
		return end + 1
	}
	return start
}

// escapedQuote returns where the backslashes begin before the quote at i.
func escapedQuote(s string, i int) int {
	for first := i; i > 0 && first-i < maxSlashes && s[i-1] == '\\'; {
		i--
	}
	return i
}

// child reports whether a value below such a name is a secret.
func (n name) child(text string) bool {
	return !reference(text) && !standInWord(text) && (n.label != "TOKEN" && strong(text) && password(text) || random(text, 12) && !camel(text))
}

// aboutChild reports whether the name is one of a property of a secret.
func aboutChild(id string) bool {
	w := splitWords(id)
	return w.count == 0 || aboutWords[string(w.part(w.count-1, w.count))] || w.any(publicWords)
}

// plural returns the key without the s at its end.
func (k key) plural() key {
	k.singular, k.judged = true, false
	return k
}

// childrenOf returns the content of the object, the list, the block, the section or the element whose name is the key.
func (t *scan) childrenOf(k key) (start, end int) {
	s := t.s
	limit := min(len(s), k.end+maxChildren)
	if k.end < len(s) && s[k.end] == '>' && k.start > 0 && s[k.start-1] == '<' {
		return k.end + 1, t.closingTag(k, limit)
	}
	if k.start > 0 && s[k.start-1] == '[' && k.end < len(s) && s[k.end] == ']' && lineStart(s, k.start-1) && breakLen(s, k.end+1) > 0 {
		return k.end + 1, sectionEnd(s, k.end+1, limit)
	}
	form, at := separator(s, k.end)
	if form != colon && form != assigned {
		return 0, 0
	}
	open := skipGaps(s, at)
	if open < limit && (s[open] == '{' || s[open] == '[' && placeholderLen(s[open:]) == 0) {
		return open, bracketEnd(s, open, limit)
	}
	if form == colon && breakLen(s, at) > 0 {
		return at, blockEnd(s, at, limit, indentOf(s, k.start))
	}
	return 0, 0
}

// closingTag returns where the tag stands that closes the element of the key, before limit; else where its content begins. If it
// found none, it does not look again for a tag of that name.
func (t *scan) closingTag(k key, limit int) int {
	name, at, none := t.s[k.start:k.end], k.end, &t.unclosed
	if name == none.name && at >= none.start && at < none.end {
		at = max(at, none.end-len(name)-1) // one may begin before that end
	}
	if at < limit {
		if n := strings.Index(t.s[at:limit], "</"+name); n >= 0 {
			return at + n
		}
	}
	if name != none.name || k.end >= none.end {
		none.name, none.start = name, k.end
	}
	none.end = limit
	return k.end + 1
}

// unclosed is a stretch in which no tag closes an element of the name.
type unclosed struct {
	name string
	stretch
}

// bracketEnd returns where the bracket closes that stands at i, at most limit.
func bracketEnd(s string, i, limit int) int {
	depth := 0
	for ; i < limit; i++ {
		switch s[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return limit
}

// sectionEnd returns where the section of a file of settings ends that begins at i, at most limit.
func sectionEnd(s string, i, limit int) int {
	for i = nextBreak(s, i, limit); i < limit; i = nextBreak(s, i, limit) {
		i += breakLen(s, i)
		if i < limit && s[i] == '[' {
			return i
		}
	}
	return limit
}

// blockEnd returns where the block of YAML ends that begins at i, at a line break, at most limit: before a line that is not
// further in than its name.
func blockEnd(s string, i, limit, indent int) int {
	for i < limit {
		line := i + breakLen(s, i)
		first := blanks.run(s, line, limit)
		if first < limit && breakLen(s, first) == 0 && first-line <= indent {
			return i
		}
		i = nextBreak(s, first, limit)
	}
	return limit
}

// nextBreak returns where the next line break stands from i on, escaped or not, limit if there is none before.
func nextBreak(s string, i, limit int) int {
	for i < limit && breakLen(s, i) == 0 {
		i++
	}
	return i
}

// indentOf returns how far in the line is whose first sign stands at i, or before it.
func indentOf(s string, i int) int {
	n := 0
	for i > 0 && n < maxKey && strings.IndexByte(" \t-\"'", s[i-1]) >= 0 {
		i, n = i-1, n+1
	}
	return n
}
