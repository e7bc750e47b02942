package change

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// This file tells which part of an older statement a newer one touches, where another part holds on: the day of a meeting and not its room, the treasurer and
// not the chairwoman.

// Touched returns the words of the older statement that the newer one changes, and whether another part of it holds on. Without such a part the older
// statement stands or falls as a whole.
func Touched(older, newer *Reading) (words string, partly bool) {
	if !older.legible || !newer.legible {
		return "", false
	}
	return touched(older, newer)
}

// touchedBy is Touched for legible readings, without looking whether that was found lately.
func (r *Reading) touchedBy(newer *Reading) (words string, partly bool) {
	if words, partly = r.touchedClauses(newer); partly {
		return words, true
	}
	words, partly = r.touchedValues(newer)
	return words, partly || r.saysWho(newer)
}

// saysWho reports whether the statement says who somebody is, "my wife Hanna" or "Hanna is my wife", beside the change of the other one, which speaks of them
// by name alone.
func (r *Reading) saysWho(other *Reading) bool {
	speaks := func(word string) bool {
		return slices.ContainsFunc(other.tokens, func(t token) bool { return t.lower == word })
	}
	i := slices.IndexFunc(r.tokens, func(t token) bool { return t.lower == r.owner })
	switch {
	case i < 1 || r.owner == self || speaks(r.owner):
		return false
	case i+1 < len(r.tokens) && r.tokens[i+1].value == name:
		return speaks(r.tokens[i+1].lower)
	}
	return i > 2 && linking.Has(r.tokens[i-2].lower) && speaks(r.tokens[i-3].lower)
}

// holdsOn reports whether a part of the older statement holds on beside the change of the newer one.
func holdsOn(older, newer *Reading) bool {
	_, partly := Touched(older, newer)
	return partly
}

// LeavesClause reports whether a whole clause of the older statement says something that the newer one does not speak of: another person's post, another tool.
func LeavesClause(older, newer *Reading) bool {
	if !older.legible || !newer.legible {
		return false
	}
	_, partly := older.touchedClauses(newer)
	return partly
}

// touchedClauses returns the clauses of the statement that the other one speaks of, and whether another clause says something else.
func (r *Reading) touchedClauses(other *Reading) (words string, partly bool) {
	ends := other.cue.has(cueOver | cueCancel | cueTransfer) // with a person goes all that is told of them
	words, partly = r.clausesWith(func(clause []token) bool {
		return r.isSpokenOf(clause, other.terms) || ends && slices.ContainsFunc(clause, func(t token) bool { return t.value == name && slices.Contains(other.terms, t.term) })
	})
	if named := other.changedTerms(); !partly && !ends && len(named) < len(other.terms) { // the words for whom the other one is about may be in all clauses
		words, partly = r.clausesWith(func(clause []token) bool { return r.isSpokenOf(clause, named) })
	}
	if says := other.saidOfSubject(); !partly && !ends && len(says) > 0 { // and so may those for the thing
		words, partly = r.clausesWith(func(clause []token) bool { return r.isSpokenOf(clause, says) })
	}
	if words == "" && len(other.matters) > 0 && !ends {
		words, partly = r.clausesWith(func(clause []token) bool {
			return slices.ContainsFunc(mattersOf(clause), func(m string) bool { return slices.Contains(other.matters, m) })
		})
	}
	return words, partly
}

// changedTerms returns the terms without those of the person that the statement is about, where it names the changed part of theirs.
func (r *Reading) changedTerms() []string {
	lead := func(t string) bool { return slices.Contains(r.lead, t) }
	if !slices.ContainsFunc(r.target, func(t string) bool { return !lead(t) }) {
		return r.terms
	}
	return slices.DeleteFunc(slices.Clone(r.terms), lead)
}

// saidOfSubject returns the terms of the statement beside those of its subject; nil where it names no subject.
func (r *Reading) saidOfSubject() []string {
	if len(r.subject) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.terms), func(t string) bool { return slices.Contains(r.subject, t) })
}

// mattersOf returns the matters of which words speak.
func mattersOf(tokens []token) (all []string) {
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = termOr(t.lower)
	}
	for _, h := range matters().find(words) {
		all = add(all, h.row)
	}
	return all
}

// clausesWith returns the clauses of the statement that are spoken of, and whether another clause says something else.
func (r *Reading) clausesWith(spoken func(clause []token) bool) (words string, partly bool) {
	var touched []string
	rest := false
	for _, clause := range r.cutClauses() {
		switch {
		case spoken(clause):
			touched = append(touched, textOf(clause))
		case r.saysOwn(clause):
			rest = true
		}
	}
	return strings.Join(touched, "; "), rest && len(touched) > 0
}

// isSpokenOf reports whether a clause holds one of the terms of another statement that stands in this clause alone, or a name in it.
func (r *Reading) isSpokenOf(clause []token, terms []string) bool {
	return slices.ContainsFunc(clause, func(t token) bool {
		return (t.value == name && t.lower != r.owner || r.ownTo(t, clause)) && slices.Contains(terms, t.term)
	})
}

// ownTo reports whether a word that carries meaning stands in one clause of the statement alone.
func (r *Reading) ownTo(t token, clause []token) bool {
	meant := !light.Has(t.term) || t == clause[0] || len(clause) > 1 && t == clause[1] && joins.Has(clause[0].lower)
	return t.term != "" && t.lower != r.owner && meant && !unspecific.Has(t.term) && !slices.ContainsFunc(r.tokens, func(u token) bool {
		return u.term == t.term && u.clause != clause[0].clause
	})
}

// saysOwn reports whether a clause says something by itself of which the other statement does not speak: it has a verb, is an entry of a list, or goes on behind
// "and".
func (r *Reading) saysOwn(clause []token) bool {
	if clause[0].aside || !slices.ContainsFunc(clause, func(t token) bool { return r.ownTo(t, clause) || t.value != noValue && t.lower != r.owner }) {
		return false
	}
	if leansOn(clause) {
		return false
	}
	states := slices.ContainsFunc(clause, func(t token) bool { return linking.Has(t.lower) || having.Has(t.lower) })
	return states || links.Has(clause[0].lower) || r.isEntry(clause)
}

// leansOn reports whether a clause says something of the thing before it alone, without a value: "don't let anyone use it".
func leansOn(clause []token) bool {
	return slices.ContainsFunc(clause[1:], func(t token) bool { return pointing.Has(t.lower) }) && !slices.ContainsFunc(clause, func(t token) bool { return t.value != noValue })
}

// pointing are the words that stand for a thing before them.
var pointing = language.Changes.Row("pointing")

// isEntry reports whether a clause is an entry of a list: a few words, and a later clause is the last one, behind "and".
func (r *Reading) isEntry(clause []token) bool {
	return len(clause) <= longestEntry && slices.ContainsFunc(r.tokens, func(t token) bool { return t.clause > clause[0].clause && links.Has(t.lower) })
}

// longestEntry is the number of words of the longest entry of a list.
const longestEntry = 3

// links are the words before the last of several things.
var links = language.Changes.Row("link")

func textOf(clause []token) string {
	words := make([]string, 0, len(clause))
	for i, t := range clause {
		if i == 0 && joins.Has(t.lower) {
			continue
		}
		words = append(words, t.text)
	}
	return strings.Join(words, " ")
}

// details are the kinds of values that say different things of one matter: when, at what time, how much, and who or where.
var details = [][]valueKind{{number}, {clock}, {day, frequency}, {ident, name}}

// readDetail reads what detailAt tells.
func (r *Reading) readDetail(i int) valueKind {
	t := r.tokens[i]
	switch {
	case t.value != number:
		return t.value
	case r.besideMonth(i):
		return day
	case r.isHour(i):
		return clock
	}
	return number
}

// besideMonth reports whether the number at i stands before a month or behind one: "12 June", "the 12th of June".
func (r *Reading) besideMonth(i int) bool {
	month := func(at int) bool {
		return at >= 0 && at < len(r.tokens) && r.tokens[at].value == day && language.Months.Has(r.tokens[at].lower)
	}
	of := i+1 < len(r.tokens) && r.tokens[i+1].lower == "of"
	return month(i-1) || month(i+1) || of && month(i+2)
}

// ranks are the spelled days of a month, and dayLeads the words before one.
var ranks, dayLeads = language.Changes.Row("rank"), language.Changes.Row("day_lead")

// touchedValues returns the values of the statement in whose place the other one has another, and whether it holds one of another sort: where the
// meeting is that has another day. What ends takes all of its values along.
func (r *Reading) touchedValues(other *Reading) (words string, partly bool) {
	if other.cue.has(cueOver|cueCancel|cueComplete) || other.cue.has(cueTransfer) && len(r.handedFrom(other)) == 0 || other.changesPlace() {
		return "", false
	}
	touched := r.handedFrom(other)
	for _, kinds := range details {
		var held []string
		for i, t := range r.tokens {
			if slices.Contains(kinds, r.detailAt(i)) && !slices.Contains(r.labels[t.value], t.lower) && t.lower != r.owner && !r.belongs(i) {
				held = append(held, t.text)
			} else if kinds[0] == ident && t.value == noValue && r.isPlace(i) {
				held = append(held, r.placeAt(i))
			}
		}
		another := false
		for i, t := range other.tokens {
			another = another || slices.Contains(kinds, other.detailAt(i)) && !other.sinceAt(i) && !slices.Contains(other.labels[t.value], t.lower) && t.lower != other.owner && !slices.Contains(held, t.text)
			another = another || kinds[0] == ident && t.value == noValue && other.isPlace(i) && !slices.Contains(held, other.placeAt(i))
		}
		switch {
		case len(held) > 0 && another:
			for _, text := range held {
				touched = add(touched, text)
			}
		case len(held) > 0:
			partly = true
		}
	}
	partly = partly || r.kindsTold()&Means != 0 && other.mayTellOf()&Means == 0
	return strings.Join(touched, " "), len(touched) > 0 && (partly || r.adds(other))
}

// handedFrom returns the names of those in whose place somebody else does or gets what the statement tells of, where the other one says only that: the day by which
// the report goes to them holds on. A thing that is sold takes all along.
func (r *Reading) handedFrom(other *Reading) []string {
	if !other.cue.has(cueDuty) || len(other.namesBeyond(r)) == 0 {
		return nil
	}
	return r.namesBeyond(other)
}

// namesBeyond returns the names in the statement that the other one lacks.
func (r *Reading) namesBeyond(other *Reading) (names []string) {
	for _, t := range r.tokens {
		if t.value == name && !slices.ContainsFunc(other.tokens, func(u token) bool { return u.lower == t.lower }) {
			names = add(names, t.text)
		}
	}
	return names
}

// adds reports whether a later clause of the statement only adds a detail, "with water", "due on the first", of which the other one says nothing, and has no value in
// whose place the other one has another.
func (r *Reading) adds(other *Reading) bool {
	for n, clause := range r.cutClauses() {
		if n == 0 || !adding.Has(clause[0].lower) {
			continue
		}
		says, replaced := false, false
		for _, t := range clause[1:] {
			says = says || t.term != "" && !slices.Contains(other.terms, t.term)
			replaced = replaced || t.value != noValue && other.valued(t.value)
		}
		if says && !replaced {
			return true
		}
	}
	return false
}

// adding are the words that begin a detail.
var adding = language.Changes.Row("adding")

// changesPlace reports whether somebody moved: where they lived is over with all that was told of it.
func (r *Reading) changesPlace() bool { return r.cue.has(cueMove) && len(r.target) == 0 }

// sinceAt reports whether the day at i only says from when on something is so: "from May".
func (r *Reading) sinceAt(i int) bool {
	return i > 0 && r.tokens[i].value == day && (r.tokens[i-1].lower == "since" || r.tokens[i-1].lower == "from")
}

// belongs reports whether the number or the day at i says since when something is so, or is a part of a name.
func (r *Reading) belongs(i int) bool {
	if k := r.tokens[i].value; k != number && k != day {
		return false
	}
	return r.year(i) > 0 || r.besideName(i) || i > 0 && (r.tokens[i-1].lower == "since" || r.tokens[i-1].lower == "from")
}
