package change

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// token is a word of a statement.
type token struct {
	text   string
	lower  string
	term   string // as search has it; "" for a word that carries no meaning
	value  valueKind
	clause int
	first  bool // of its sentence
	aside  bool // in a clause about somebody or something that is named: "who lost their jobs"
}

// valueKind is the kind of value that a word is. Two statements of one thing that differ in a value of one kind compete.
type valueKind uint8

const (
	noValue   valueKind = iota
	number              // 900, 8080
	clock               // 7:40
	day                 // Monday, March
	frequency           // weekly
	ident               // /v1, make test-fast, billing@acme.example
	name                // Ulrike, Greenpower
)

// values holds the values of each kind, sorted.
type values [name + 1][]string

func (v *values) sort() {
	for _, of := range v {
		slices.Sort(of)
	}
}

// any reports whether there is a value.
func (v *values) any() bool {
	return slices.ContainsFunc(v[:], func(of []string) bool { return len(of) > 0 })
}

// meet reports whether two sorted lists have an entry in common.
func meet(a, b []string) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			return true
		case a[0] < b[0]:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return false
}

// tokenize cuts a text into words, in order. A clause ends at a mark, and before "and", "but" and the like.
func tokenize(text string) []token {
	var all []token
	clause, first, code, aside := 0, true, false, false
	for _, field := range strings.Fields(text) {
		opens := strings.HasPrefix(field, "`")
		code = code || opens
		body := strings.TrimLeft(field, "`\"'“”‘’([{<")
		core := strings.TrimRight(body, "`\"'“”’)]}>.,;:!?…")
		tail := body[len(core):]
		if joins.Has(strings.ToLower(core)) && !first {
			clause++
			aside = relatives.Has(strings.ToLower(core))
		}
		for _, word := range apart(core) {
			t := newToken(word, clause, first, code)
			t.aside = aside
			all = append(all, t)
			first = false
		}
		if strings.ContainsAny(tail, "`") || !opens && strings.HasPrefix(field, "`") {
			code = false
		}
		if strings.ContainsAny(tail, ".,;:!?…)") {
			clause++
			aside = false
		}
		if strings.ContainsAny(tail, ".!?…") {
			first = true
		}
	}
	for i := range all {
		if ranksMonth(all, i) {
			all[i].value = day
		}
	}
	return all
}

// ranksMonth reports whether the word at i is a day of a month by its rank: "on the 3rd", "by the tenth". Before a thing it counts that: "by the first train".
func ranksMonth(tokens []token, i int) bool {
	t := tokens[i]
	counts := i+1 < len(tokens) && tokens[i+1].clause == t.clause && tokens[i+1].term != "" && tokens[i+1].value == noValue
	if i < 2 || counts || tokens[i-1].lower != "the" || !dayLeads.Has(tokens[i-2].lower) {
		return false
	}
	return ranks.Has(t.lower) || ordinal(t.lower) && !strings.HasSuffix(t.lower, "m")
}

// relatives begin a clause about what was named before.
var relatives = language.Changes.Row("relative")

// joins are the words before which a clause ends.
var joins = language.Changes.Row("join")

// apart splits a contraction off its word: "it's", "I've".
func apart(word string) []string {
	at := strings.IndexAny(word, "'’")
	if at <= 0 || word == "" {
		if word == "" {
			return nil
		}
		return []string{word}
	}
	_, size := utf8.DecodeRuneInString(word[at:])
	switch strings.ToLower(word[at+size:]) {
	case "m", "re", "ve", "s", "ll", "d":
		return []string{word[:at], "'" + strings.ToLower(word[at+size:])}
	}
	return []string{strings.ReplaceAll(word, "’", "'")}
}

func newToken(word string, clause int, first, code bool) token {
	t := token{text: word, lower: strings.ToLower(word), clause: clause, first: first}
	switch {
	case word[0] == '\'':
	case roles.Has(t.lower): // a person, and not what they work on: the accountant is no account
		t.term = t.lower
	default:
		t.term = language.Term(word)
	}
	t.value = valueOf(word, t.lower, first, code)
	return t
}

func valueOf(word, lower string, first, code bool) valueKind {
	digits := strings.ContainsAny(word, "0123456789")
	r, _ := utf8.DecodeRuneInString(word)
	switch {
	case code, strings.ContainsAny(word, "@_") && len(word) > 2, strings.HasPrefix(word, "/") && len(word) > 1, isFile(lower):
		return ident
	case strings.IndexFunc(word, unicode.IsUpper) > 0 && strings.ContainsFunc(word, unicode.IsLower):
		return ident
	case digits && strings.Contains(word, ":"):
		return clock
	case digits && strings.ContainsFunc(word, unicode.IsLetter) && !ordinal(lower):
		return ident
	case digits:
		return number
	case spelled.Has(lower):
		return number
	case often.Has(lower):
		return frequency
	case language.Weekdays.Has(strings.TrimSuffix(lower, "s")), language.Months.Has(lower) && unicode.IsUpper(r):
		return day
	case unicode.IsUpper(r) && lower != "i" && (!first || isCamel(word) || !language.Openers.Has(lower) && givenNames.Has(lower)):
		return name
	}
	return noValue
}

// isCamel reports whether a word has a capital behind a small letter, as names of products do: "PagerDuty".
func isCamel(word string) bool {
	small := strings.IndexFunc(word, unicode.IsLower)
	return small >= 0 && strings.IndexFunc(word[small:], unicode.IsUpper) > 0
}

// isFile reports whether a word is the name of a file or a host: letters, a dot, and an ending.
func isFile(lower string) bool {
	stem, ending, found := strings.Cut(lower, ".")
	letters := func(s string) bool {
		return len(s) > 1 && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '.' && r != '-' }) < 0
	}
	return found && letters(stem) && letters(ending)
}

// ordinal reports whether a word with digits and letters is a plain number with its ending: 3rd, 40km, 5pm.
func ordinal(lower string) bool {
	rest := strings.TrimLeft(lower, "0123456789.,")
	return rest == "st" || rest == "nd" || rest == "rd" || rest == "th" || rest == "am" || rest == "pm"
}

var (
	spelled    = language.Changes.Row("spelled")
	often      = language.Changes.Row("often")
	givenNames = language.GivenNames.By(strings.ToLower)
)
