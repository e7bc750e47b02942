package taint

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// shape says what a value looks like.
type shape int

const (
	phraseShape  shape = iota // some words
	idShape                   // a code, a name of a file, a handle: one word that is no plain word
	addressShape              // a mail address, a URL, an account, a telephone number: something can be sent there
	amountShape               // a number, a date, a time: seldom somebody's own
)

// value is one text in the parameters of an action that may come from somewhere.
type value struct {
	argument string // JSON pointer into the parameters
	text     string // as it is written there
	plain    string // as it is compared
	shape    shape
	whole    bool // it is all of the argument, and not a part of a longer text
	common   bool // a plain word, which is nobody's own: "file", "read"
}

const (
	maxValues     = 64  // of one action
	maxValueWords = 10  // of a value that is compared whole
	maxValueText  = 200 // bytes
)

var (
	mailForm    = regexp.MustCompile(`[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+\.\p{L}{2,}`)
	urlForm     = regexp.MustCompile(`(?i)\b(?:[a-z][a-z0-9+.-]*://|www\.)[^\s"'<>()\[\]{}\\]+`)
	hostForm    = regexp.MustCompile(`(?i)^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.[a-z]{2,}(?:/\S*)?$`)
	accountForm = regexp.MustCompile(`\b[A-Z]{2}[0-9]{2}[A-Z0-9]{6,30}\b|\b[0-9]{8,}\b|\b0x[0-9a-fA-F]{16,}\b`)
	phoneForm   = regexp.MustCompile(`\+?[0-9][0-9() -]{7,}[0-9]`)
	amountForm  = regexp.MustCompile(`^[$€£]?\s?[0-9]+(?:[.,:/T -]+[0-9]+)*\s?(?:%|Z|am|pm|AM|PM)?$`)
)

// valuesOf returns the values in the parameters of a call, in the order of their names.
func valuesOf(c Call) []value {
	if c.values != nil {
		return c.values
	}
	all := []value{}
	collect(c.Parameters, "", &all)
	return all[:min(len(all), maxValues)]
}

func collect(v any, at string, all *[]value) {
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			collect(v[k], at+"/"+pointer(k), all)
		}
	case []any:
		for i, item := range v {
			collect(item, at+"/"+strconv.Itoa(i), all)
		}
	case string:
		collectText(v, at, all)
	case json.Number:
		if len(v) >= 3 {
			*all = append(*all, value{at, v.String(), v.String(), amountShape, true, false})
		}
	}
}

func collectText(text, at string, all *[]value) {
	if text = strings.TrimSpace(text); text == "" || strings.EqualFold(text, "null") || strings.EqualFold(text, "none") {
		return
	}
	if len(text) <= maxValueText && len(strings.Fields(text)) <= maxValueWords {
		if plain := plainValue(text); len(plain) > 0 {
			*all = append(*all, value{at, text, plain, shapeOf(text), true, commonWord(text)})
		}
	}
	for _, form := range []*regexp.Regexp{mailForm, urlForm, accountForm} {
		for _, part := range form.FindAllString(text, 8) {
			if part = strings.TrimRight(part, ".,;:!?"); part != text {
				*all = append(*all, value{at, part, plainValue(part), addressShape, false, false})
			}
		}
	}
}

// withoutQuery returns the address that a link goes to, without what it carries there, and whether it carries anything.
func (v value) withoutQuery() (value, bool) {
	at := strings.IndexAny(v.plain, "?#")
	if v.shape != addressShape || at < 0 || !isLink(v.text) {
		return v, false
	}
	v.plain, v.text = plainValue(v.plain[:at]), v.text[:strings.IndexAny(v.text, "?#")]
	return v, strings.Contains(v.plain, ".")
}

// commonWord reports whether text is one word in lower case.
func commonWord(text string) bool { return isWord(text) && strings.ToLower(text) == text }

// pointer escapes a name for a JSON pointer.
func pointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func shapeOf(text string) shape {
	switch {
	case amountForm.MatchString(text) && !accountForm.MatchString(text):
		return amountShape
	case isAddress(text):
		return addressShape
	case !strings.ContainsAny(text, " \t\n") && !isWord(text):
		return idShape
	default:
		return phraseShape
	}
}

// isAddress reports whether the whole text is something that can be sent to.
func isAddress(text string) bool {
	for _, form := range []*regexp.Regexp{mailForm, urlForm, accountForm, phoneForm} {
		if at := form.FindStringIndex(text); at != nil && at[0] == 0 && at[1] >= len(text)-1 {
			return true
		}
	}
	dot := strings.LastIndexByte(text, '.')
	return hostForm.MatchString(text) && !language.FileEndings.Has(strings.ToLower(text[dot+1:]))
}

// isWord reports whether text is letters only, with at most the first of them a capital.
func isWord(text string) bool {
	for i, r := range text {
		if !unicode.IsLetter(r) && r != '\'' && r != '-' || i > 0 && unicode.IsUpper(r) {
			return false
		}
	}
	return true
}

var schemes = regexp.MustCompile(`(?i)^(?:[a-z][a-z0-9+.-]*://)?(?:www\.)?`)

// plainValue returns a value as it is compared: in lower case, without the scheme of a URL and what stands around it.
func plainValue(text string) string {
	text = spaced(text)
	if urlForm.MatchString(text) {
		text = schemes.ReplaceAllString(text, "")
	}
	return unlabelled(strings.Trim(text, " \t\"'`.,;:!?/"))
}

// holds reports whether plain text holds the value, not as a part of a longer word, and where.
func holds(text, plain string) (at int, ok bool) {
	for from := 0; plain != ""; {
		i := strings.Index(text[from:], plain)
		if i < 0 {
			return 0, false
		}
		i += from
		if !joined(text, i, i+len(plain)) {
			return i, true
		}
		from = i + 1
	}
	return 0, false
}

// joined reports whether a letter or digit goes on before or behind text[i:j] without a break.
func joined(text string, i, j int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	first, _ := utf8.DecodeRuneInString(text[i:])
	after, _ := utf8.DecodeRuneInString(text[j:])
	last, _ := utf8.DecodeLastRuneInString(text[:j])
	part := func(r, other rune) bool {
		return (unicode.IsLetter(r) || unicode.IsDigit(r)) && unbroken(r) == unbroken(other)
	}
	return i > 0 && part(before, first) && part(first, before) || j < len(text) && part(after, last) && part(last, after)
}

// isLink reports whether the text is the address of something on a network.
func isLink(text string) bool {
	return !mailForm.MatchString(text) && (urlForm.MatchString(text) || isAddress(text) && hostForm.MatchString(text))
}
