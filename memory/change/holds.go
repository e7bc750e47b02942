package change

import (
	"slices"
	"strings"
)

// This file tells whether a question asks for the part of a statement that holds on, where a later one changes another part: the pier from which the boat sails,
// when it sails at another hour.

// Asked is what a question asks for, as far as its words tell it.
type Asked struct {
	Told Told // kinds of things
	// Noun tells how a word stands for the noun of "which pier" or "how many sets"; nil where there is none.
	Noun func(word string) Standing
	// Shows reports whether a text has a value of another kind that is asked for: a colour, an address; nil where there is none.
	Shows func(text string) bool
	Terms []string // of its words
}

// Standing is how a word stands for a noun.
type Standing int

// The ways, from none on.
const (
	Apart    Standing = iota
	Itself            // it is the noun
	Instance          // it is one of the things that the noun means: "oak" for "wood"
)

// HoldsOnFor reports whether the older statement, of which the newer one changes a part, answers a question by a part that holds on: it tells the thing that is
// asked for, or one of its kind, and the newer one does not.
func HoldsOnFor(older, newer *Reading, asked Asked) bool {
	words, partly := Touched(older, newer)
	return partly && older.without(words).answersBeside(newer, asked)
}

// without returns the statement as it reads without words of its text: those that another one changes.
func (r *Reading) without(words string) *Reading {
	gone := strings.Fields(strings.ReplaceAll(words, "; ", " "))
	rest := *r
	rest.tokens, rest.notes, rest.number = nil, new(notes), 0
	for _, t := range r.tokens {
		if i := slices.Index(gone, t.text); i >= 0 {
			gone = slices.Delete(gone, i, i+1)
			continue
		}
		rest.tokens = append(rest.tokens, t)
	}
	return &rest
}

// answersBeside reports whether the statement tells what is asked for, and the newer one does not.
func (r *Reading) answersBeside(newer *Reading, asked Asked) bool {
	if asked.Shows != nil && asked.Shows(newer.Text) {
		return false
	}
	if asked.Noun != nil {
		here, there := r.standsFor(asked.Noun), newer.standsFor(asked.Noun)
		switch {
		case there == Instance:
			return false
		case here == Instance, here > there && asked.Told == 0:
			return true
		case asked.Told == 0 && asked.Shows == nil && r.namesBeside(newer):
			return true
		}
	}
	switch {
	case asked.Told&Name != 0:
		return r.namesBeside(newer)
	case asked.Told&newer.mayTellOf() != 0:
		return false
	case asked.Told&r.kindsTold() != 0:
		return true
	case asked.Told != 0 && asked.Told != Means:
		return false
	case asked.Shows != nil:
		return asked.Shows(r.Text)
	}
	return r.restHolds(newer, asked.Terms)
}

// standsFor returns how the statement names a noun: by one of the things that it means, or by itself beside a value, "pier 4", or by itself alone.
func (r *Reading) standsFor(noun func(string) Standing) (best Standing) {
	valued := func(i int) bool { return i >= 0 && i < len(r.tokens) && r.tokens[i].value != noValue }
	for i, t := range r.tokens {
		stands := noun(t.lower)
		if stands == Itself && (valued(i+1) && r.tokens[i+1].clause == t.clause || valued(i-1) && r.tokens[i-1].value == number) {
			stands = Instance
		}
		best = max(best, stands)
	}
	return best
}

// namesBeside reports whether the statement has a name, behind its verb, and the newer one has none that is not in it.
func (r *Reading) namesBeside(newer *Reading) bool {
	named := func(in *Reading, t token) bool {
		return (t.value == name || t.value == ident) && t.lower != in.owner && !slices.Contains(in.labels[t.value], t.lower)
	}
	return slices.ContainsFunc(r.tokens, func(t token) bool { return named(r, t) }) &&
		!slices.ContainsFunc(newer.tokens, func(t token) bool { return named(newer, t) && !slices.Contains(r.terms, t.term) })
}

// restHolds reports whether a clause of which the newer statement does not speak holds a term that neither the newer one nor the clauses of which it speaks hold,
// and none is asked for that they hold alone.
func (r *Reading) restHolds(newer *Reading, asked []string) bool {
	held := func(clause []token, term string) bool {
		return slices.ContainsFunc(clause, func(t token) bool { return t.term == term })
	}
	own := false
	for _, term := range asked {
		rest, touched := false, slices.Contains(newer.terms, term)
		for _, clause := range r.cutClauses() {
			if r.isSpokenOf(clause, newer.terms) {
				touched = touched || held(clause, term)
			} else {
				rest = rest || held(clause, term)
			}
		}
		if touched && !rest && !slices.Contains(r.subject, term) {
			return false
		}
		own = own || rest && !touched && !light.Has(term)
	}
	return own
}
