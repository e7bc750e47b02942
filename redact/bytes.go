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

// in reports whether the text holds a byte of c.
func (c *class) in(text string) bool {
	for i := range len(text) {
		if c[text[i]] {
			return true
		}
	}
	return false
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
	case i >= 3 && (s[i-3] == '%' || s[i-3] == '='): // the latter of quoted-printable
		return hexDigits.run(s, i-2, i) == i
	case i >= 6 && s[i-6] == '\\' && s[i-5] == 'u':
		return hexDigits.run(s, i-4, i) == i
	}
	return false
}

// endsWord reports whether a token may end before i.
func endsWord(s string, i int) bool { return i >= len(s) || !alnum[s[i]] }
