package change

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// This file tells the kinds of things that a statement says, so that a question for one kind is answered with the statement that says it: the rent is 950 now,
// and is due on the 3rd as before.

// Told is a set of kinds of things that a statement tells, or a question asks for.
type Told uint16

// The kinds.
const (
	Day Told = 1 << iota
	Hour
	Amount // of money, or of things
	Money  // an amount of money, and of nothing else
	Size
	Place
	Person
	Name  // by which something is called
	Means // by which something is done: a tool, a vehicle, a code
)

// readSurely reads what kindsTold tells.
func (r *Reading) readSurely() (all Told) {
	for i := range r.tokens {
		if !slices.Contains(r.labels[r.tokens[i].value], r.tokens[i].lower) {
			all |= r.tellsAt(i)
		}
	}
	return all
}

// readMay reads what mayTellOf tells beside kindsTold.
func (r *Reading) readMay() (all Told) {
	for i, t := range r.tokens {
		switch {
		case t.value != name && t.value != ident:
			all |= r.tellsAt(i)
		case t.value == name:
			all |= Person
		}
		if t.lower == "i" {
			all |= Person
		}
		if shifts.Has(t.lower) {
			all |= Day | Hour
		}
		if t.value == number && r.isBare(i) {
			all |= Money
		}
		if (t.value == name || t.value == ident) && t.lower != r.owner && !slices.Contains(r.labels[t.value], t.lower) && r.tellsAt(i) == 0 {
			all |= Place | Person | Means
		}
	}
	return all
}

// isBare reports whether no thing stands behind the number at i that it would count: "goes up to 950".
func (r *Reading) isBare(i int) bool {
	return i+1 == len(r.tokens) || r.tokens[i+1].clause != r.tokens[i].clause || r.tokens[i+1].term == "" || r.tokens[i+1].value != noValue
}

// isMeans reports whether the word at i tells by what something is done: one behind "by", "with" or "via" that is no time and nobody, or the value of a code.
func (r *Reading) isMeans(i int) bool {
	t := r.tokens[i]
	if k := r.detailAt(i); k == day || k == clock || k == frequency || timeUnits.Has(t.lower) || hours.Has(t.lower) || unplaced.Has(t.lower) || kinWords.Has(t.lower) {
		return false
	}
	for j := i - 1; j >= 0 && r.tokens[j].clause == t.clause; j-- {
		before := r.tokens[j].lower
		switch {
		case t.value != noValue && codes.Has(before):
			return true
		case meansLeads.Has(before):
			return t.term != "" && !givenNames.Has(t.lower)
		case language.Determiners.Has(before), t.value != noValue && (linking.Has(before) || before == "called"):
		default:
			return false
		}
	}
	return false
}

// meansLeads are the words before that by which something is done, codes those for a secret that opens something, and tongues the names of languages.
var meansLeads, codes, tongues = language.Changes.Row("means_lead"), language.Changes.Row("code"), language.Changes.Row("tongue")

// kinWords are the words for people who are close to somebody.
var kinWords = language.Changes.Row("kin")

// shifts are words for another time that name none.
var shifts = language.Changes.Row("time_shift")

// tellsAt returns the kind of thing that the word at i tells.
func (r *Reading) tellsAt(i int) Told {
	if r.isMeans(i) {
		return Means | r.thingAt(i)
	}
	return r.thingAt(i)
}

// thingAt returns the kind of thing that the word at i tells, whatever is done by it.
func (r *Reading) thingAt(i int) Told {
	t := r.tokens[i]
	switch k := r.detailAt(i); {
	case r.isPlace(i):
		return Place
	case k == day, k == frequency:
		return Day
	case k == clock, hours.Has(t.lower):
		return Hour
	case (k == name || k == ident) && i > 0 && toPersons.Has(r.tokens[i-1].lower):
		return Person
	case k == name && i > 0 && (titles.Has(r.tokens[i-1].lower) || being.Has(r.tokens[i-1].lower) && givenNames.Has(t.lower)):
		return Person
	case k != number || r.besideName(i) || r.year(i) > 0:
		return 0
	case r.isHour(i):
		return Hour
	}
	return r.measureAt(i)
}

// hours are words for an hour of the day, and toPersons those before the name of somebody who does or gets something.
var hours, toPersons = language.Changes.Row("hour"), language.Changes.Row("person_lead")

// isHour reports whether the number at i is an hour: "at 7", "by 12", with no unit behind it.
func (r *Reading) isHour(i int) bool {
	n, err := strconv.Atoi(r.tokens[i].lower)
	if err != nil && !spelled.Has(r.tokens[i].lower) || n > 24 || i == 0 || !hourLeads.Has(r.tokens[i-1].lower) {
		return false
	}
	last := i+1 == len(r.tokens) || r.tokens[i+1].clause != r.tokens[i].clause
	return last || r.tokens[i+1].term == "" && r.tokens[i+1].value == noValue || hourTails.Has(r.tokens[i+1].lower)
}

// hourLeads and hourTails are the words around an hour.
var hourLeads, hourTails = language.Changes.Row("hour_lead"), language.Changes.Row("hour_tail")

// measureAt returns the kind of the number at i: a day where it counts days until something, an amount where it is money, else an amount or a size.
func (r *Reading) measureAt(i int) Told {
	behind := ""
	if i+1 < len(r.tokens) && r.tokens[i+1].clause == r.tokens[i].clause {
		behind = r.tokens[i+1].lower
	}
	if timeUnits.Has(behind) && i > 0 && termLeads.Has(r.tokens[i-1].lower) {
		return Day
	}
	of := func(words *language.Set, t token) bool { return words.Has(t.lower) }
	money := strings.ContainsAny(r.tokens[i].text, "$€£¥") || of(priced, token{lower: behind}) || r.inClause(i, func(t token) bool { return of(priced, t) })
	if money {
		return Amount | Money
	}
	return Amount | Size
}

// inClause reports whether something is true of any word of the clause of the word at i.
func (r *Reading) inClause(i int, is func(token) bool) bool {
	clause := r.tokens[i].clause
	return slices.ContainsFunc(r.tokens, func(t token) bool { return t.clause == clause && is(t) })
}

// timeUnits are lengths of time, termLeads the words before a term, and priced the words that make a number money.
var timeUnits, termLeads, priced = language.Changes.Row("time_unit"), language.Changes.Row("within"), language.Changes.Row("priced")

// readPlace reads the answer of isPlace.
func (r *Reading) readPlace(i int) bool {
	t := r.tokens[i]
	if t.value != name && t.value != ident && t.value != noValue || t.term == "" || ranks.Has(t.lower) || tongues.Has(t.lower) || unplaced.Has(t.lower) || hours.Has(t.lower) || timeUnits.Has(t.lower) || seasons.Has(t.lower) {
		return false
	}
	for j := i - 1; j >= 0 && r.tokens[j].clause == t.clause; j-- {
		before := r.tokens[j].lower
		if located.Has(before) {
			return true
		}
		if !language.Determiners.Has(before) {
			return false
		}
	}
	return false
}

// located are the words before a place, and unplaced those that tell no place behind one.
var located, unplaced = language.Changes.Row("located"), language.Changes.Row("no_place")

// placeAt returns the words of the place that begins at i.
func (r *Reading) placeAt(i int) string {
	var words []string
	for _, t := range r.tokens[i:] {
		if t.clause != r.tokens[i].clause || t.term == "" || located.Has(t.lower) {
			break
		}
		words = append(words, t.text)
	}
	return strings.Join(words, " ")
}
