package entities

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/adrg/strutil/metrics"
)

// comparison is one way in which two names can be alike. Similarity is in [0, 1].
type comparison struct {
	name       string
	similarity float64
	doc        string
	holds      func(a, b named) bool
}

// comparisons lists them by their similarity: the first that holds says how alike two names are. Numbers in names must be
// the same for any of them: web-1 is not web-2.
var comparisons = []comparison{
	{"identical", 1, "the same, and it identifies: an address, a full name, a system or place that is known by name", identical},
	{"word", 0.8, "the same single word, which others may bear too", func(a, b named) bool { return a.form == b.form && a.key == b.key }},
	{"company", 0.8, "the same but for how the form of company is written: Globex Corp., Globex Corporation", sameCompany},
	{"spaced", 0.8, "the same but for spaces and signs: payments-api, Payments API", spaced},
	{"generic", 0.75, "the same but for what it is: Project Halcyon, Halcyon", sameCore},
	{"short", 0.72, "a full name with a short form of its first, or without a middle one: Bill Hart, William B. Hart", shortFull},
	{"tail", 0.6, "the last part of a path or address: github.com/acme/shop, shop", tail},
	{"local", 0.58, "an address made of the whole name: samuel.ortiz@, Samuel Ortiz", localFull},
	{"misspelt", 0.55, "full names that differ by a slip of the pen: Jaro-Winkler over 0.93", misspelt},
	{"other company", 0.58, "the same but for the form of company: Globex Inc., Globex GmbH", otherCompany},
	{"initial", 0.55, "a full name with an initial for its first: M. Castillo", initial},
	{"part", 0.5, "a first or family name of a full name", part},
	{"given", 0.45, "a short form of a first name, or an address or handle made of one: sam@, Sam, Samuel Ortiz", givenPart},
	{"acronym", 0.45, "the first letters of three words or more", func(a, b named) bool { return isAcronym(a, b) || isAcronym(b, a) }},
	{"slip", 0.35, "long single words that differ by a slip of the pen: Jaro-Winkler over 0.93", slip},
}

// named is a name as it is compared.
type named struct {
	form  Form
	kind  Kind
	key   string
	words []string
	local []string // words of the local part of an address, or of a handle
	count string   // the numbers in it
}

func newNamed(form Form, kind Kind, key string) named {
	n := named{form: form, kind: kind, key: key, words: strings.Fields(key), count: digits(key)}
	if form == Email || form == Handle {
		local, _, _ := strings.Cut(strings.TrimPrefix(key, "@"), "@")
		n.local = tokens(local)
	}
	return n
}

// mayBePerson reports whether the name is one in words that a person may bear.
func (n named) mayBePerson() bool { return n.form == Proper && n.kind.goesWith(Person) }

// compare returns how alike two names are, in [0, 1], and by which comparison; "" if by none.
func compare(a, b named) (float64, string) {
	if a.count != b.count {
		return 0, ""
	}
	for _, c := range comparisons {
		if c.holds(a, b) {
			return c.similarity, c.name
		}
	}
	return 0, ""
}

func digits(key string) string {
	if !strings.ContainsAny(key, "0123456789") {
		return ""
	}
	return strings.Join(strings.FieldsFunc(key, func(r rune) bool { return !unicode.IsDigit(r) }), " ")
}

// specific reports whether everybody who uses the name means the same thing.
func (n named) specific() bool {
	_, isSystem := systems()[strings.ReplaceAll(n.key, " ", "")]
	return n.form != Proper || len(n.words) > 1 || isSystem || places.Has(n.key)
}

func identical(a, b named) bool { return a.form == b.form && a.key == b.key && a.specific() }

func spaced(a, b named) bool {
	return a.form == Proper && b.form == Proper && strings.Join(a.words, "") == strings.Join(b.words, "")
}

func sameCore(a, b named) bool {
	x, y := core(a.key), core(b.key)
	oneBare := (x == a.key) != (y == b.key)
	return a.form == Proper && b.form == Proper && x == y && oneBare
}

func sameCompany(a, b named) bool {
	x, y := companyForms(a, b)
	return x != "" && x == y
}

func otherCompany(a, b named) bool {
	x, y := companyForms(a, b)
	return x != "" && y != "" && x != y
}

// companyForms returns the forms of company of two names that are the same but for them, "" where one has none or they differ.
func companyForms(a, b named) (string, string) {
	bareA, x := company(a.words)
	bareB, y := company(b.words)
	if a.form != Proper || b.form != Proper || !slices.Equal(bareA, bareB) {
		return "", ""
	}
	return x, y
}

func full(a, b named) bool {
	return len(a.words) > 1 && len(b.words) > 1 && a.mayBePerson() && b.mayBePerson()
}

func family(n named) string { return n.words[len(n.words)-1] }

func shortFull(a, b named) bool {
	if !full(a, b) || family(a) != family(b) {
		return false
	}
	x, y := a.words[0], b.words[0]
	return x == y && (len(a.words) == 2) != (len(b.words) == 2) || nicknames()[x][y]
}

// localFull holds for first.last@, flast@ and last.first@.
func localFull(a, b named) bool {
	if a.form != Email && a.form != Handle {
		a, b = b, a
	}
	if len(a.local) == 0 || !b.mayBePerson() || len(b.words) < 2 {
		return false
	}
	first, last, local := b.words[0], family(b), strings.Join(a.local, "")
	return local == first+last || local == last+first || local == prefixOf(first)+last
}

func prefixOf(word string) string {
	for _, r := range word {
		return string(r)
	}
	return ""
}

func tail(a, b named) bool {
	if a.form != Path {
		a, b = b, a
	}
	if a.form != Path || b.form != Proper || a.kind == Document {
		return false
	}
	base := path.Base(a.key)
	return joined(base) == strings.Join(b.words, "") || joined(base) == joined(core(b.key))
}

// The similarities of Jaro and Winkler from which on two names, and two words of them, may be one that was misspelt.
const (
	nearly     = 0.93
	nearlyWord = 0.9
)

var jaroWinkler = metrics.NewJaroWinkler()

func misspelt(a, b named) bool {
	if !full(a, b) || len(a.words) != len(b.words) || jaroWinkler.Compare(a.key, b.key) < nearly {
		return false
	}
	for i, w := range a.words {
		if w != b.words[i] && (given.Has(w) && given.Has(b.words[i]) || jaroWinkler.Compare(w, b.words[i]) < nearlyWord) {
			return false
		}
	}
	return true
}

func initial(a, b named) bool {
	if !full(a, b) || family(a) != family(b) {
		return false
	}
	x, y := a.words[0], b.words[0]
	return len(x) == 1 && strings.HasPrefix(y, x) || len(y) == 1 && strings.HasPrefix(x, y)
}

func part(a, b named) bool {
	if len(a.words) > 1 {
		a, b = b, a
	}
	return a.mayBePerson() && b.mayBePerson() && len(a.words) == 1 && len(b.words) > 1 &&
		(a.words[0] == b.words[0] || a.words[0] == family(b))
}

func givenPart(a, b named) bool {
	if len(b.local) > 0 {
		a, b = b, a
	}
	if len(a.local) == 1 {
		return b.mayBePerson() && (a.local[0] == b.words[0] || shortens(a.local[0], b.words[0]) || shortens(b.words[0], a.local[0]))
	}
	if len(a.words) > len(b.words) {
		a, b = b, a
	}
	return a.mayBePerson() && b.mayBePerson() && len(a.words) == 1 && (shortens(a.words[0], b.words[0]) || len(b.words) == 1 && shortens(b.words[0], a.words[0]))
}

func isAcronym(short, long named) bool {
	return short.form == Proper && long.form == Proper && len(short.words) == 1 && len(long.words) > 2 && acronym(long.words) == short.words[0]
}

func slip(a, b named) bool {
	const long = 6
	return a.form == Proper && b.form == Proper && len(a.words) == 1 && len(b.words) == 1 && min(len(a.key), len(b.key)) >= long &&
		!(given.Has(a.key) && given.Has(b.key)) && jaroWinkler.Compare(a.key, b.key) >= nearly
}
