package refusal

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// Words of language.Recipients, by which users name the receivers of something.
var (
	handed    = language.Recipients.Row("handed").By(baseOf)
	direct    = language.Recipients.Row("direct").By(baseOf)
	towards   = language.Recipients.Row("towards")
	nobodys   = language.Recipients.Row("nobody")
	myOwn     = language.Recipients.Row("me")
	reporting = language.Recipients.Row("reporting").By(baseOf)
	among     = language.Recipients.Row("among").By(baseOf)
	letters   = language.Recipients.Row("letter")
	behind    = language.Recipients.Row("behind")
	given     = language.Recipients.Row("argument")
)

// audience is the set of people for a thing that the user has sent: the names that the user said, and whether somebody without a name is meant.
type audience struct {
	names []string // in lower case, of whatever the user named
	said  string   // the first sentence that names a receiver
	open  bool     // it is for somebody without a name, too: "the team", "them"
}

// take takes in the clauses of a sentence.
func (a *audience) take(s sentence) {
	named := false // in the clause before
	for _, c := range s.clauses {
		for i, w := range c {
			if isNamed(w.text) || isName(w) && (i > 0 || len(kindsOf(w)) == 0 && !openers.Has(w.lower) && !lookings.Has(baseOf(w.lower))) {
				a.names = append(a.names, nameOf(w))
			}
		}
		a.open = a.open || named && len(c) < 5 && goesOn(c) || slices.ContainsFunc(c, func(w word) bool { return among.Has(baseOf(w.lower)) })
		at := slices.IndexFunc(c, func(w word) bool { return handed.Has(baseOf(w.lower)) })
		if named = false; at < 0 || !opens(c, at, false) {
			continue
		}
		var open bool
		named, open = recipientsOf(c[at:])
		a.open = a.open || open
		if named && a.said == "" {
			a.said = s.text
		}
	}
}

// goesOn reports whether words go on with somebody without a name: "and the board".
func goesOn(c []word) bool {
	if len(c) > 1 && (c[0].lower == "and" || c[0].lower == "or" || c[0].lower == "plus") {
		c = c[1:]
	}
	return (articles.Has(c[0].lower) || nobodys.Has(c[0].lower)) && !slices.ContainsFunc(c, func(w word) bool { return stays.Has(w.lower) || len(kindsOf(w)) > 0 })
}

// recipientsOf reports whether the words from a verb of sending on name a receiver, and whether they mean somebody without a name.
func recipientsOf(c []word) (named, open bool) {
	verb, rest := baseOf(c[0].lower), c[1:]
	if len(rest) > 0 && myOwn.Has(rest[0].lower) {
		return false, !reporting.Has(verb) // "tell me when it is done" sends nothing
	}
	if direct.Has(verb) && len(rest) > 0 {
		if named, whole := person(rest); named || whole {
			return named, !named || alsoOthers(rest)
		}
		if reporting.Has(verb) {
			return false, true
		}
	}
	for i, w := range rest {
		if !towards.Has(w.lower) || i+1 == len(rest) || len(kindsOf(rest[i+1])) > 0 || lookings.Has(baseOf(rest[i+1].lower)) {
			continue // "to tell", "to check"
		}
		if named, _ = person(rest[i+1:]); named || w.lower != "with" || verb == baseOf("share") {
			return named, !named || alsoOthers(rest[i+1:])
		}
	}
	return false, true
}

// alsoOthers reports whether somebody without a name stands behind the first name of the words: "Bo and the board".
func alsoOthers(c []word) bool {
	for i, w := range c {
		if (w.lower == "and" || w.lower == "or" || w.lower == "plus") && i > 0 && goesOn(c[i:min(len(c), i+4)]) {
			return true
		}
	}
	return false
}

// person reports whether words begin with a name, perhaps behind a word for their role ("my sister Ida"), and whether they are somebody without one ("everybody",
// "the Berlin team", "Bo's guests").
func person(c []word) (named, whole bool) {
	for i, w := range c {
		switch {
		case nobodys.Has(w.lower) || isSystem(w):
			return false, true
		case isNamed(w.text) || isName(w):
			named = i < 3 && namesOne(c[i:])
			return named, i < 3 && !named
		case i > 2 || i == 0 && !articles.Has(w.lower):
			return false, false
		}
	}
	return false, false
}

// namesOne reports whether a name that begins the words is the whole name of somebody: the words behind it begin something else.
func namesOne(c []word) bool {
	for i, w := range c {
		possessive := strings.HasSuffix(w.lower, "s") && strings.ContainsAny(w.text, "'’")
		switch {
		case possessive && i+1 < len(c):
			return letters.Has(c[i+1].lower)
		case w.ends != "", i > 0 && (articles.Has(w.lower) || endings.Has(w.lower) || behind.Has(w.lower)):
			return true
		case !isNamed(w.text) && !isName(w):
			return false
		}
	}
	return true
}

// isName reports whether a word is written as somebody's name is.
func isName(w word) bool {
	first := []rune(w.text)
	lower := strings.TrimSuffix(strings.ToLower(strings.ReplaceAll(w.text, "’", "'")), "'s")
	return unicode.IsUpper(first[0]) && len(first) > 1 && !language.Weekdays.Has(lower) && !language.Months.Has(lower) && !nobodys.Has(lower) && lower != "i"
}

// isSystem reports whether a word is the name of a program or a service, where messages are kept for somebody.
func isSystem(w word) bool {
	return slices.ContainsFunc(language.Systems.Rows(), func(r language.Row) bool { return strings.EqualFold(strings.TrimSuffix(r.Head, "!"), w.text) })
}

// nameOf returns a name as it is compared.
func nameOf(w word) string {
	name := strings.ToLower(strings.ReplaceAll(w.text, "’", "'"))
	return strings.Trim(strings.TrimSuffix(name, "'s"), "#@")
}

// Records tells of a value and a name whether a record of a result has both, whether a result does, and whether any result has the value.
type Records func(value, name string) (of, near, seen bool)

// Astray returns the sentence of the user that names a receiver, where one of the values of a call that sends is of somebody else: it stands in another record
// beside the named ones, or it is an address that stands nowhere. It returns "" otherwise. An event that has one of them may have the user as another guest.
func (h *Heard) Astray(to []string, event bool, records Records) string {
	if h.audience.open || h.audience.said == "" {
		return ""
	}
	strays, meant := 0, 0
	for _, value := range to {
		switch of, near, seen := h.audience.find(value, records); {
		case of:
			meant++
		case near || !seen && strings.ContainsAny(value, "@#"):
			strays++
		}
	}
	if strays == 0 || event && meant > 0 {
		return ""
	}
	return h.audience.said
}

// find tells whether a value is of a named person, whether a result has it beside such a name, and whether any has it.
func (a *audience) find(value string, records Records) (of, near, seen bool) {
	const short = 3 // letters of a name that may be a part of any address
	lower, words := strings.ToLower(value), language.NameWords(value)
	for _, name := range a.names {
		o, n, s := records(value, name)
		of = of || o || len(name) >= short && strings.Contains(lower, name) || slices.Contains(words, name)
		near, seen = near || n, seen || s
	}
	return of, near, seen
}

// IsEvent reports whether a tool is one of a calendar, by its name.
func IsEvent(tool string) bool {
	return slices.ContainsFunc(language.NameWords(tool), eventNames.Has)
}

// RecipientsOf returns the values of an effect that name its receivers, by the names of their arguments.
func RecipientsOf(e effect.Effect) (all []string) {
	if e.Class != effect.Message && e.Class != effect.Access {
		return nil
	}
	for _, v := range e.Deciding {
		if slices.ContainsFunc(strings.Split(v.Argument, "/"), func(name string) bool {
			return given.Has(strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name)))
		}) {
			all = append(all, v.Text)
		}
	}
	return all
}
