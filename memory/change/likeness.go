package change

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// Likeness is the degree to which two statements say the same.
type Likeness int

// The degrees of likeness.
const (
	Different   Likeness = iota
	OneSubject           // both are about one thing
	Rephrased            // both say the same, in another order of words
	Restated             // both say the same word for word, but for forms of words, and how a contrast is put
	SaidAlready          // both say the same, word for word but for words that carry no meaning
)

// Bounds of likeness, as shares of the words of both by weight.
const (
	oneSubject = 0.5
	rephrased  = 0.85
)

// Compared returns how much two statements say alike. Words that deny are of one statement as much as of the other where they say
// the same, and so are names and numbers, in their order: "Ann pays Ben" is not "Ben pays Ann".
func Compared(a, b *Reading, weigh Words) Likeness { return Weigh(a, weigh).Likeness(Weigh(b, weigh)) }

// Likeness is Compared for statements that are weighed already, by the same words.
func (w *Weighed) Likeness(other *Weighed) Likeness {
	a, b := w.Reading, other.Reading
	if !a.legible || !b.legible || len(a.terms) == 0 || len(b.terms) == 0 {
		return Different
	}
	p := pairOf(w, other)
	alike := a.denials == b.denials && slices.Equal(a.rejected, b.rejected) && sameValues(a, b) && p.owners(false) == 0
	switch {
	case alike && slices.Equal(a.words(), b.words()):
		return SaidAlready
	case alike && a.restates(b):
		return Restated
	case alike && jaccard(weighed(a.sequence(), w.weigh), weighed(b.sequence(), w.weigh)) >= rephrased:
		return Rephrased
	case p.owners(false) == 0 && cover(p.older.of.terms, p.newer.of.terms) >= oneSubject && p.rare >= oneSubject && p.isOfOne():
		return OneSubject
	}
	return Different
}

// isOfOne reports whether both statements name one thing: by a name, by the word that both are about, or by more than one word. A day, a number or a
// verb alone is none.
func (p *pair) isOfOne() bool {
	if p.otherNamed() {
		return false
	}
	common := 0
	for i, t := range p.older.tokens {
		if t.term == "" || !slices.Contains(p.newer.terms, t.term) {
			continue
		}
		switch {
		case t.value == name || t.value == ident || t.term == p.older.head || t.term == p.newer.head:
			return true
		case t.value == noValue && !light.Has(t.term) && !unspecific.Has(t.term) && !slices.ContainsFunc(p.older.tokens[:i], func(u token) bool { return u.term == t.term }):
			common++
		}
	}
	return common > 1 || whole(cover(p.older.of.terms, p.newer.of.terms)) == 1
}

// sequence returns the terms of the words that carry meaning, in order.
func (r *Reading) sequence() []string {
	var all []string
	for _, t := range r.tokens {
		if t.term != "" && !fillers.Has(t.term) {
			all = append(all, t.term)
		}
	}
	return all
}

// sameValues reports whether two statements have the same values in the same order.
func sameValues(a, b *Reading) bool {
	next := func(r *Reading, i int) int {
		for i < len(r.tokens) && r.tokens[i].value == noValue {
			i++
		}
		return i
	}
	i, j := next(a, 0), next(b, 0)
	for i < len(a.tokens) && j < len(b.tokens) && a.tokens[i].text == b.tokens[j].text {
		i, j = next(a, i+1), next(b, j+1)
	}
	return i == len(a.tokens) && j == len(b.tokens)
}

// words returns all words in order, but for articles and forms of "to be".
func (r *Reading) words() []string {
	var all []string
	for _, t := range r.tokens {
		if !idle.Has(t.lower) {
			all = append(all, t.lower)
		}
	}
	return all
}

// idle are the words that a statement may have or not have without saying anything else.
var idle = language.Changes.Row("idle")

var fillers = language.Fillers.Terms()

// Changes reports whether the statement says that something has changed.
func (r *Reading) Changes() bool { return r.changes }

// OnlyEnds reports whether the statement says that something is over or new, and tells of no other change: "the steam is off" is as likely of a fault as of a plan.
func (r *Reading) OnlyEnds() bool {
	ending := cueOver | cueCancel | cueComplete | cueNew
	if r.cue.has(cueAgain) {
		ending |= cueStart // "it is off again" starts nothing
	}
	return r.changes && !(r.cue & changeCues &^ ending).has(changeCues)
}

// Legible reports whether the statement is short enough to be lined up.
func (r *Reading) Legible() bool { return r.legible }

// Terms returns the terms by which statements are found that it may be lined up with: its own, and for a statement that says that
// something has changed, those of the matters that it speaks of.
//
// Of its own they are the ones that are rare in any text, by their length: names and values first.
func (r *Reading) Terms() []string {
	all := slices.Clone(r.terms)
	slices.SortStableFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(flag(slices.Contains(r.frame, a)), flag(slices.Contains(r.frame, b))), cmp.Compare(len(b), len(a)))
	})
	if !r.Changes() && len(r.states) == 0 {
		return all[:min(len(all), mostShared)]
	}
	all = all[:min(len(all), mostOwn)]
	for _, t := range r.otherStates() {
		all = add(all, t)
	}
	if !r.Changes() {
		return all
	}
	for _, m := range r.matters {
		for _, t := range matterTerms()[m] {
			all = add(all, t)
		}
	}
	return all
}

// mayConcern is the share of the words from which two statements may be about one thing: less than oneSubject, since the words of change of
// one that is not read yet count.
const mayConcern = oneSubject / 2

// MayConcern reports whether the statement may be about the same as an older one with the terms, or change it: it says that something has
// changed, it claims something, both speak of one matter, or both have enough words in common. It spares reading the older one.
func (r *Reading) MayConcern(terms []string, weigh Words) bool {
	if r.slot != "" || r.Changes() || len(r.states) > 0 || r.age != "" || r.future.told || r.passed || slices.ContainsFunc(r.matters, func(m string) bool {
		return slices.ContainsFunc(matterTerms()[m], func(t string) bool { return slices.Contains(terms, t) })
	}) {
		return true
	}
	other, common, own := 0.0, 0.0, 0.0
	for i, t := range terms {
		if !stopTerms.Has(t) && !slices.Contains(terms[:i], t) {
			other += weigh(t)
		}
	}
	for _, t := range r.terms {
		own += weigh(t)
		if slices.Contains(terms, t) {
			common += weigh(t)
		}
	}
	return common >= mayConcern*min(own, other)
}

var stopTerms = language.StopWords.Terms()

// Matters returns the matters that both statements speak of.
func Matters(older, newer *Reading) []string {
	return slices.DeleteFunc(slices.Clone(older.matters), func(m string) bool { return !slices.Contains(newer.matters, m) })
}

// MatterTerms returns the terms of the words of a matter.
func MatterTerms(matter string) []string { return matterTerms()[matter] }

// mostOwn bounds the terms of its own by which a statement that changes something is lined up, and mostShared those of any other: what says
// the same shares most of them.
const (
	mostOwn    = 7
	mostShared = 4
)

// matterTerms holds the terms of the words of each matter.
var matterTerms = sync.OnceValue(func() map[string][]string {
	of := map[string][]string{}
	for _, r := range language.Matters.Rows() {
		for _, w := range r.Words {
			for _, t := range language.Query(w) {
				of[r.Head] = add(of[r.Head], t)
			}
		}
	}
	return of
})

// StatesOfSubject reports whether a text is understood on its own, however short it is: a statement of a subject that it names ("The build
// needs Node 20", and not "It needs that"), of the one who speaks or of somebody by name, a rule ("Use metric units."), or a thing with what it is
// ("Kids: Leo and Mia"). An agent's word on its own work, without anybody who did it, is none: "Fixed the bug."
func StatesOfSubject(text string) bool {
	r := Read(Statement{Text: text})
	if !r.legible {
		return false
	}
	personal := r.owner != "" || slices.ContainsFunc(r.tokens, func(t token) bool { return firstPerson.Has(t.lower) })
	return len(r.subject) > 0 && len(r.terms) > len(r.subject) || personal && len(r.terms) > 1 || r.isLabelled(text) || r.isSentence(text)
}

// isLabelled reports whether a text names a thing before a colon, and says what it is behind it.
func (r *Reading) isLabelled(text string) bool {
	label, rest, found := strings.Cut(text, ": ")
	meaning := func(s string) bool {
		return slices.ContainsFunc(tokenize(s), func(t token) bool { return t.term != "" || t.value != noValue })
	}
	return found && len(strings.Fields(label)) <= mostLabel && meaning(label) && meaning(rest)
}

// mostLabel is the number of words that name a thing before a colon.
const mostLabel = 4

// isSentence reports whether a text has the form of a sentence of its own: it ends as one or begins with whom or what it is about, and says enough.
func (r *Reading) isSentence(text string) bool {
	meaning := 0
	for _, t := range r.tokens {
		if t.term != "" || t.value != noValue {
			meaning++
		}
	}
	if len(r.tokens) < fewestOfSentence || meaning < 2 || r.isReport() {
		return false
	}
	first := r.tokens[0]
	begins := len(r.tokens) > fewestOfSentence && (language.Determiners.Has(first.lower) || speakers.Has(first.lower) || first.value == name)
	return begins || strings.HasSuffix(strings.TrimSpace(text), ".")
}

// fewestOfSentence is the number of words of the shortest sentence that says something of something.
const fewestOfSentence = 3

// isReport reports whether a text begins with what was done to a thing, and names nobody who did it: "Checked the logs".
func (r *Reading) isReport() bool {
	first, next := r.tokens[0].lower, r.tokens[1].lower
	return (strings.HasSuffix(first, "ed") || strings.HasSuffix(first, "ing")) && r.tokens[0].value == noValue && (language.Determiners.Has(next) || reported.Has(next))
}

// reported are the words for things that an agent's report of its own work names.
var reported = language.Changes.Row("reported")

// firstPerson are the words of one who speaks of themselves.
var firstPerson = language.Questions.Row("first_person")
