package taint

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
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
	mailForm    = language.NewPattern(`[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+\.\p{L}{2,}`)
	urlForm     = language.NewPattern(`(?i)\b(?:[a-z][a-z0-9+.-]*://|www\.)[^\s"'<>()\[\]{}\\]+`)
	hostForm    = language.NewPattern(`(?i)^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.[a-z]{2,}(?:/\S*)?$`)
	accountForm = language.NewPattern(`\b[A-Z]{2}[0-9]{2}[A-Z0-9]{6,30}\b|\b[0-9]{8,}\b|\b0x[0-9a-fA-F]{16,}\b`)
	phoneForm   = language.NewPattern(`\+?[0-9][0-9() -]{7,}[0-9]`)
	amountForm  = language.NewPattern(`^[$€£]?\s?[0-9]+(?:[.,:/T -]+[0-9]+)*\s?(?:%|Z|am|pm|AM|PM)?$`)
)

// soughtForm is a form of addresses that is looked for in texts, with what tells at a glance that a text holds none.
type soughtForm struct {
	*language.Pattern
	mayBeIn func(text string) bool
}

var soughtForms = [...]soughtForm{
	{mailForm, func(text string) bool { return strings.IndexByte(text, '@') >= 0 }},
	{urlForm, func(text string) bool {
		return strings.Contains(text, "://") || strings.Contains(strings.ToLower(text), "www.")
	}},
	{accountForm, func(text string) bool {
		for i := 1; i < len(text); i++ {
			if isDigit(text[i-1]) && (isDigit(text[i]) || text[i] == 'x') {
				return true
			}
		}
		return false
	}},
}

// valuesOf returns the values in the parameters of a call, in the order of their names.
func valuesOf(c Call) []value {
	if c.values != nil {
		return c.values
	}
	all, err := collectValues(context.Background(), c.Parameters)
	if err != nil { // it has no end
		panic(err)
	}
	return all
}

// collectValues returns the first values of parameters, and the error of ctx once that has ended.
func collectValues(ctx context.Context, parameters map[string]any) ([]value, error) {
	all := collecting{ctx: ctx, values: []value{}}
	all.collect(parameters)
	return all.values[:min(len(all.values), maxValues)], all.err
}

// collecting goes through parameters until it has enough values, or nobody waits.
type collecting struct {
	ctx    context.Context
	at     []string // names and places that lead to the value
	values []value
	seen   int // values that were looked at
	err    error
}

// enough reports whether nothing more is to be collected. It looks at the context for every few values, and for each that is long.
func (c *collecting) enough(long bool) bool {
	const few = 256
	if c.seen++; (long || c.seen%few == 0) && c.err == nil {
		c.err = c.ctx.Err()
	}
	return c.err != nil || len(c.values) >= maxValues
}

func (c *collecting) collect(v any) {
	if c.enough(false) {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Collect(maps.Keys(v))
		if c.err = ijson.SortDuring(c.ctx, keys, strings.Compare); c.err != nil {
			return
		}
		for _, k := range keys {
			c.below(k, v[k])
		}
	case []any:
		for i, item := range v {
			c.below(strconv.Itoa(i), item)
		}
	case string:
		c.text(v)
	case json.Number:
		if len(v) >= 3 {
			c.add(v.String(), v.String(), amountShape, true, false)
		}
	}
}

func (c *collecting) below(name string, v any) {
	c.at = append(c.at, name)
	c.collect(v)
	c.at = c.at[:len(c.at)-1]
}

func (c *collecting) add(text, plain string, shape shape, whole, common bool) {
	var at strings.Builder
	for _, name := range c.at {
		at.WriteString("/" + pointer(name))
	}
	c.values = append(c.values, value{at.String(), text, plain, shape, whole, common})
}

// longText is the length of a text from which on the context is looked at before each search in it, in bytes: a search costs some 60 ns a byte.
const longText = 4096

func (c *collecting) text(text string) {
	if text = strings.TrimSpace(text); text == "" || strings.EqualFold(text, "null") || strings.EqualFold(text, "none") {
		return
	}
	if len(text) <= maxValueText && len(strings.Fields(text)) <= maxValueWords {
		if plain := plainValue(text); len(plain) > 0 {
			c.add(text, plain, shapeOf(text), true, commonWord(text))
		}
	}
	for _, form := range soughtForms {
		if !form.mayBeIn(text) {
			continue
		}
		if len(text) > longText && c.enough(true) {
			return
		}
		for _, part := range form.FindAllString(text, 8) {
			if part = strings.TrimRight(part, ".,;:!?"); part != text {
				c.add(part, plainValue(part), addressShape, false, false)
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

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointer escapes a name for a JSON pointer.
func pointer(name string) string { return pointerEscapes.Replace(name) }

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
	isAll := func(form *language.Pattern) bool {
		at := form.FindStringIndex(text)
		return at != nil && at[0] == 0 && at[1] >= len(text)-1
	}
	if slices.ContainsFunc(soughtForms[:], func(form soughtForm) bool { return form.mayBeIn(text) && isAll(form.Pattern) }) || isAll(phoneForm) {
		return true
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

var schemes = language.NewPattern(`(?i)^(?:[a-z][a-z0-9+.-]*://)?(?:www\.)?`)

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

// isURL reports whether a text is the address of a page and nothing else.
func isURL(text string) bool {
	return strings.Contains(text, "://") && urlForm.FindString(text) == text
}
