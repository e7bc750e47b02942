package change

import (
	"slices"
	"strings"
)

// This file tells which parts of an older statement a newer one leaves as they are: facts of a thing beside the one that ended, and details that only the older
// one holds.

// Beside reports whether the newer statement ends a thing, and the older one is of another that is named by it: the code of the gym when somebody quits
// the gym.
func Beside(older, newer *Reading) bool {
	if !newer.cue.has(cueLeave|cueOver|cueTransfer) || older.head == "" || slices.Contains(newer.terms, older.head) {
		return false
	}
	named := meet(older.values[name], newer.values[name]) || meet(older.values[ident], newer.values[ident])
	return !named && slices.ContainsFunc(newer.target, func(t string) bool { return slices.Contains(older.subject, t) })
}

// readHead notes the term of the thing that the statement is about: the last word before the verb, or the one before its "of" and the like.
func (r *Reading) readHead(hits []hit) {
	verb := len(r.tokens)
	for _, h := range hits {
		if h.row == "linking" && h.from > 0 && r.tokens[h.from].lower != "'s" {
			verb = min(verb, h.from)
		}
	}
	if verb >= len(r.tokens) {
		return
	}
	for i, t := range r.tokens[:verb] {
		if (placing.Has(t.lower) || t.lower == "of" || t.lower == "for" || t.lower == "to") && r.head != "" {
			return
		}
		if t.term != "" && t.value == noValue && !light.Has(t.term) && (i+1 >= len(r.tokens) || r.tokens[i+1].lower != "'s") {
			r.head = t.term
		}
	}
}

// groups are the kinds of values of which one takes the place of the other.
var groups = [][]valueKind{{number, clock}, {day, frequency}, {ident, name}}

// fewestDigits is the number of digits from which a number is one by which somebody or something is reached or known.
const fewestDigits = 5

// HoldsMore reports whether the older statement holds a value of which the newer one says nothing, so that it would be lost: the place of a concert that
// begins an hour later. A thing that ends takes its values along, but for those by which somebody is reached.
//
// Times count only if the caller says so: an appointment that has another day is mostly told anew.
func HoldsMore(older, newer *Reading, times bool) bool {
	ends := newer.cue.has(cueOver|cueCancel|cueTransfer) || newer.cue.has(cueComplete) && older.cue.has(cueOpen|cueUnreal)
	for _, kinds := range groups {
		if !times && kinds[0] != ident {
			continue
		}
		if slices.ContainsFunc(newer.tokens, func(t token) bool {
			return slices.Contains(kinds, t.value) && !slices.Contains(older.labels[t.value], t.lower) && t.lower != newer.owner
		}) {
			continue
		}
		for i, t := range older.tokens {
			switch {
			case t.value == noValue || !slices.Contains(kinds, t.value) || slices.Contains(older.labels[t.value], t.lower):
			case t.lower == older.owner, slices.Contains(newer.terms, t.term), slices.ContainsFunc(newer.tokens, func(u token) bool { return u.lower == t.lower }):
			case ends && !isReach(t), t.value == number && older.besideName(i):
			default:
				return true
			}
		}
	}
	return false
}

// isReach reports whether a word is an address or a long number.
func isReach(t token) bool {
	digits := len(t.lower) - len(strings.Trim(t.lower, "0123456789"))
	return strings.Contains(t.lower, "@") || digits >= fewestDigits
}

// besideName reports whether the word at i is a part of a name: "12 Elm Street".
func (r *Reading) besideName(i int) bool {
	before := i > 0 && r.tokens[i-1].value == name && r.tokens[i-1].clause == r.tokens[i].clause
	return before || i+1 < len(r.tokens) && r.tokens[i+1].value == name
}

// otherNamed reports whether both statements are of one kind of thing, each of another that it names: "our dog Rex", "our dog Bella", or of two
// people of one first name: "Mia Falk", "Mia Roth".
func (p *pair) otherNamed() bool {
	if first, last := p.older.fullName(); last != "" {
		if other, another := p.newer.fullName(); first == other && another != "" && last != another {
			return true
		}
	}
	if p.newer.changes {
		return false
	}
	older, newer := p.older.called(), p.newer.called()
	for kind, a := range older {
		if b := newer[kind]; b != "" && a != b {
			return true
		}
	}
	return false
}

// fullName returns the first and the last of several names in a row, before the verb; "" where there are none.
func (r *Reading) fullName() (first, last string) {
	for i := 1; i < len(r.tokens); i++ {
		before, t := r.tokens[i-1], r.tokens[i]
		if before.clause == t.clause && r.labelled(before) && r.labelled(t) {
			if first == "" {
				first = before.lower
			}
			last = t.lower
		} else if last != "" {
			break
		}
	}
	return first, last
}

// labelled reports whether the word is a name before the verb.
func (r *Reading) labelled(t token) bool {
	return t.value == name && slices.Contains(r.labels[name], t.lower)
}

// called returns the names of things that the statement gives right behind their kinds, before its verb.
func (r *Reading) called() map[string]string {
	all := map[string]string{}
	for i := 1; i < len(r.tokens); i++ {
		t := r.tokens[i]
		if kind := r.tokens[i-1]; r.labelled(t) && kind.term != "" && kind.value == noValue {
			all[kind.term] = t.lower
		}
	}
	return all
}

// valued reports whether the statement has a value of a kind, or of one that takes the place of it.
func (r *Reading) valued(k valueKind) bool {
	for _, kinds := range groups {
		if slices.Contains(kinds, k) {
			return slices.ContainsFunc(kinds, func(k valueKind) bool { return len(r.values[k]) > 0 })
		}
	}
	return false
}

// ofNothingSame reports whether the statements have no thing in common, and no matter: a verb that says little is none, as in "we are going to Crete" and "the
// fridge went to the dump".
func (p *pair) ofNothingSame() bool {
	if p.matters > 0 || p.older.slot != "" && p.older.slot == p.newer.slot || p.endsState() {
		return false
	}
	return !slices.ContainsFunc(p.older.tokens, func(t token) bool {
		return t.term != "" && !(light.Has(t.term) && !p.older.isThing(t.term)) && !unspecific.Has(t.term) && slices.Contains(p.newer.terms, t.term)
	})
}

// ofAnotherThing reports whether the newer statement is about a thing of which the older one does not speak: Greta's number, after Greta's home.
func (p *pair) ofAnotherThing() bool {
	head := p.newer.head
	if p.grounded || head == "" || head == p.older.head || slices.Contains(p.older.terms, head) || !p.newer.values.any() || p.newer.cue.has(anyChange&^cueNow) || head == termOr(p.newer.owner) || head == termOr(p.newer.byName) {
		return false
	}
	for _, m := range matters().find([]string{head}) {
		if slices.Contains(p.older.matters, m.row) {
			return false
		}
	}
	return !slices.ContainsFunc(groups, func(kinds []valueKind) bool { return p.newer.tells(kinds) && p.older.tells(kinds) })
}

// tells reports whether the statement tells a value of one of the kinds, of its own subject.
func (r *Reading) tells(kinds []valueKind) bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool {
		return t.value != noValue && slices.Contains(kinds, t.value) && !slices.Contains(r.labels[t.value], t.lower) && t.lower != r.owner && t.lower != r.byName
	})
}
