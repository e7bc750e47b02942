package redact

import "strings"

// A class is a set of bytes.
type class [256]bool

// classOf reads a set in the form of a regular expression's: "a-z0-9_", with a hyphen that means itself at the end.
func classOf(spec string) *class {
	c := new(class)
	for i := 0; i < len(spec); i++ {
		lo, hi := spec[i], spec[i]
		if i+2 < len(spec) && spec[i+1] == '-' {
			hi = spec[i+2]
			i += 2
		}
		for b := int(lo); b <= int(hi); b++ {
			c[b] = true
		}
	}
	return c
}

// run returns where the bytes of c that begin at from end, at most limit.
func (c *class) run(s string, from, limit int) int {
	limit = min(limit, len(s))
	for from < limit && c[s[from]] {
		from++
	}
	return from
}

var (
	digits    = classOf("0-9")
	letters   = classOf("A-Za-z")
	upperNum  = classOf("A-Z0-9")
	hexDigits = classOf("0-9a-fA-F")
	alnum     = classOf("A-Za-z0-9")
	wordBytes = classOf("A-Za-z0-9_")
	base64url = classOf("A-Za-z0-9_-")
	blanks    = classOf(" \t")
	slashes   = classOf(`\`)
	quotes    = classOf("\"'`")
)

// maxSlashes bounds the backslashes before an escaped sign. JSON in JSON in JSON writes 7.
const maxSlashes = 8

// startsWord reports whether a token may begin at i: the byte before is no letter or digit, or it ends an escape (\n,
// \u0026, %3D), which stands for another byte.
func startsWord(s string, i int) bool {
	if i == 0 || !alnum[s[i-1]] {
		return true
	}
	switch {
	case i >= 2 && s[i-2] == '\\':
		return strings.IndexByte("nrtbf", s[i-1]) >= 0
	case i >= 3 && s[i-3] == '%':
		return hexDigits.run(s, i-2, i) == i
	case i >= 6 && s[i-6] == '\\' && s[i-5] == 'u':
		return hexDigits.run(s, i-4, i) == i
	}
	return false
}

// endsWord reports whether a token may end before i.
func endsWord(s string, i int) bool { return i >= len(s) || !alnum[s[i]] }

// literals finds where any of a list of strings begins. Each has two bytes or more. The type is the place for an
// automaton, once the list is long enough to need one.
type literals struct {
	list  []string
	fold  bool                 // letters of either case; the list is in lower case
	heads [256][]int           // by first byte: which strings, in the order of the list
	pairs [1 << 16 / 64]uint64 // the pairs of bytes with which a string begins
}

func newLiterals(fold bool, list ...string) *literals {
	l := &literals{list: list, fold: fold}
	for k, lit := range list {
		for _, a := range cases(lit[0], fold) {
			l.heads[a] = append(l.heads[a], k)
			for _, b := range cases(lit[1], fold) {
				pair := uint(a)<<8 | uint(b)
				l.pairs[pair/64] |= 1 << (pair % 64)
			}
		}
	}
	return l
}

// cases returns the byte and, when folding, its capital.
func cases(b byte, fold bool) []byte {
	if fold && 'a' <= b && b <= 'z' {
		return []byte{b, b - 'a' + 'A'}
	}
	return []byte{b}
}

// next returns the first place at or after from where a string of the list may begin, or -1. Its two first bytes are
// there; which of l.heads it is, is for is to say.
func (l *literals) next(s string, from int) int {
	for i := from; i+1 < len(s); i++ {
		pair := uint(s[i])<<8 | uint(s[i+1])
		if l.pairs[pair/64]&(1<<(pair%64)) != 0 {
			return i
		}
	}
	return -1
}

// is reports whether string k stands at i.
func (l *literals) is(s string, i, k int) bool {
	n := len(l.list[k])
	if len(s)-i < n {
		return false
	}
	if l.fold {
		return strings.EqualFold(s[i:i+n], l.list[k])
	}
	return s[i:i+n] == l.list[k]
}

// each calls visit for every place where a string of the list stands, first listed first. visit returns where to go
// on, which is after i.
func (l *literals) each(s string, visit func(i, k int) int) {
	for i := l.next(s, 0); i >= 0; {
		on := i + 1
		for _, k := range l.heads[s[i]] {
			if l.is(s, i, k) {
				on = max(on, visit(i, k))
				break
			}
		}
		i = l.next(s, on)
	}
}
