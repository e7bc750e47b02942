package refusal

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// tongue is a language beside English in which degrees and recipients are read, by words in the forms of orders: the place of a verb says nothing there.
type tongue struct {
	degrees                                                []*degree
	handed, direct, towards, nobody, me, article, and, not *language.Set
	capitals                                               bool // of every noun, so that a capital tells no name behind an article
}

// tongues returns the languages of language.ForeignDegrees and language.ForeignRecipients.
var tongues = sync.OnceValue(func() (all []tongue) {
	for _, f := range language.ForeignActs {
		row := f.Recipients.Row
		all = append(all, tongue{
			degreesOf(f.Degrees, func(w string) string { return w }),
			row("handed"), row("direct"), row("towards"), row("nobody"), row("me"), row("article"), row("and"), row("not"), f.Capitals,
		})
	}
	return all
})

// tongueOf returns the language of a sentence that has no word of English grammar, by its verbs and the small words beside, nil for none. Without such small words, an
// order that begins with an English verb is English.
func tongueOf(s sentence) *tongue {
	words := slices.Concat(s.clauses...)
	if slices.ContainsFunc(words, func(w word) bool { return w.lower != "no" && language.IsEnglishGrammar(w.lower) }) {
		return nil
	}
	best, most, beside := (*tongue)(nil), 0, 0
	for i := range tongues() {
		t := &tongues()[i]
		verbs, small := 0, 0
		for _, w := range words {
			switch {
			case t.isVerb(w.lower):
				verbs++
			case len(w.lower) > 1 && (t.towards.Has(w.lower) || t.article.Has(w.lower) || t.and.Has(w.lower)):
				small++
			}
		}
		if verbs > 0 && verbs+small > most {
			best, most, beside = t, verbs+small, small
		}
	}
	if first := baseOf(words[0].lower); beside == 0 && slices.ContainsFunc(degrees(), func(d *degree) bool { return d.less[first] || d.asks[first] }) {
		return nil
	}
	return best
}

// isVerb reports whether a word asks for a deed, or for less.
func (t *tongue) isVerb(w string) bool {
	return t.handed.Has(w) || slices.ContainsFunc(t.degrees, func(d *degree) bool { return hasForm(d.less, w) || hasForm(d.asks, w) })
}

// hasForm reports whether a word is in a list, in which a star stands for any ending.
func hasForm(list map[string]bool, word string) bool {
	if list[word] {
		return true
	}
	for i := range word {
		if i > 0 && list[word[:i]+"*"] {
			return true
		}
	}
	return list[word+"*"]
}

// parts parts the words of a sentence at signs and at words that join.
func (t *tongue) parts(s sentence) (all [][]word) {
	var one []word
	end := func() {
		if len(one) > 0 {
			all = append(all, one)
		}
		one = nil
	}
	for _, w := range slices.Concat(s.clauses...) {
		if t.and.Has(w.lower) {
			end()
			continue
		}
		one = append(one, w)
		if strings.ContainsAny(w.ends, ",;:.!?") {
			end()
		}
	}
	end()
	return all
}

func (t *tongue) has(c []word, set *language.Set) bool {
	return slices.ContainsFunc(c, func(w word) bool { return set.Has(w.lower) })
}

// degree reports whether a part asks for the deed, and whether it asks for less. One that refuses something asks for nothing.
func (t *tongue) degree(d *degree, c []word) (asks, less bool) {
	for _, w := range c {
		asks, less = asks || hasForm(d.asks, w.lower), less || hasForm(d.less, w.lower)
	}
	return asks && !t.has(c, t.not), less
}

// takeForeign takes in a sentence of another language.
func (x *extent) takeForeign(t *tongue, s sentence) {
	for _, c := range t.parts(s) {
		for _, d := range t.degrees {
			asks, less := t.degree(d, c)
			x.note(d.kind, asks, less, s.text)
		}
	}
}

// takeForeign takes in a sentence of another language.
func (a *audience) takeForeign(t *tongue, s sentence) {
	named := false // in the part before
	for _, c := range t.parts(s) {
		for _, w := range c {
			if isNamed(w.text) || isName(w) {
				a.names = append(a.names, nameOf(w))
			}
		}
		at := slices.IndexFunc(c, func(w word) bool { return t.handed.Has(w.lower) })
		if at < 0 {
			a.open = a.open || named && t.goesOn(c)
			continue
		}
		var open bool
		named, open = t.recipients(c, at)
		a.open = a.open || open
		if named && a.said == "" {
			a.said = s.text
		}
	}
}

// goesOn reports whether a part without a verb goes on with somebody without a name: "und das Team".
func (t *tongue) goesOn(c []word) bool {
	for len(c) > 0 && t.towards.Has(c[0].lower) {
		c = c[1:]
	}
	if len(c) == 0 || len(c) > 4 {
		return false
	}
	named, _ := t.person(c)
	return !named && (t.article.Has(c[0].lower) || t.nobody.Has(c[0].lower))
}

// recipients reports whether a part with a verb of sending names a receiver, and whether it means somebody without a name.
func (t *tongue) recipients(c []word, verb int) (named, open bool) {
	if t.has(c, t.me) {
		return false, true
	}
	if rest := c[verb+1:]; len(rest) > 0 && t.direct.Has(c[verb].lower) {
		if named, whole := t.person(rest); named || whole && !t.article.Has(rest[0].lower) {
			return named, !named
		}
	}
	for i, w := range c[:len(c)-1] {
		if t.towards.Has(w.lower) {
			if named, whole := t.person(c[i+1:]); named || whole {
				return named, !named
			}
		}
	}
	return false, true
}

// person reports whether words begin with a name, perhaps behind a word for the role, and whether they are somebody without one. Where every noun has a capital, the
// word behind an article is a role, and the next may be the name.
func (t *tongue) person(c []word) (named, whole bool) {
	roles := 0
	for len(c) > 1 && t.article.Has(c[0].lower) {
		c, roles = c[1:], 1
	}
	switch w := c[0]; {
	case t.nobody.Has(w.lower) || isSystem(w):
		return false, true
	case isNamed(w.text):
		return true, false
	case !unicode.IsUpper([]rune(w.text)[0]):
		return roles > 0 && len(c) > 1 && isName(c[1]) && !t.capitals, roles > 0
	case t.capitals && roles > 0:
		return len(c) > 1 && isName(c[1]) && !t.nobody.Has(c[1].lower), true
	case len(c) > 1 && t.nobody.Has(c[1].lower):
		return false, true // "Bos Team"
	default:
		return isName(w), false
	}
}
