package change

import (
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// This file tells when a state of somebody has ended because another one is told: in hospital and home again, engaged and married, nine years old and ten.
// The words do not say that the first one is over: it is likely.

// stateWords finds the phrases of states.
var stateWords = sync.OnceValue(func() *phrases { return newPhrases(language.States, func(w string) string { return w }) })

// readStates notes the states, and the age, that the statement tells of.
func (r *Reading) readStates() {
	words := make([]string, len(r.tokens))
	for i, t := range r.tokens {
		words[i] = t.lower
	}
	for _, h := range stateWords().find(words) {
		r.states = add(r.states, h.row)
		for _, i := range h.at {
			r.stateTerms = add(r.stateTerms, termOr(r.tokens[i].lower))
		}
	}
	text := " " + strings.Join(words, " ") + " "
	r.passed = slices.ContainsFunc(passed.All(), func(phrase string) bool { return strings.Contains(text, " "+phrase+" ") })
	for i, t := range r.tokens {
		old := i+2 < len(r.tokens) && strings.HasPrefix(r.tokens[i+1].lower, "year") && r.tokens[i+2].lower == "old"
		if t.value == number && (old || i > 0 && aged.Has(r.tokens[i-1].lower)) {
			r.age = t.lower
		}
	}
}

// aged are the words before the number of years that somebody has reached, and passed the phrases for something that has taken place.
var aged, passed = language.Changes.Row("aged"), language.Changes.Row("held")

// ofOne reports whether both statements are of one person or thing: by their subjects, or by the word that they begin with.
func (p *pair) ofOne() bool {
	if p.older.owner != "" || p.newer.owner != "" {
		return p.owners(true) > 0
	}
	a, b := p.older.tokens[0], p.newer.tokens[0]
	if language.Determiners.Has(a.lower) && len(p.older.tokens) > 1 && len(p.newer.tokens) > 1 {
		a, b = p.older.tokens[1], p.newer.tokens[1]
	}
	return a.term != "" && a.lower == b.lower
}

// endsState reports whether the newer statement tells of another state of the same person, of a greater age, that a thing with a date has taken place, or
// that an expected event does not.
func (p *pair) endsState() bool {
	if p.takesPost() {
		return true
	}
	if len(p.older.tokens) == 0 || len(p.newer.tokens) == 0 || !p.ofOne() || (p.newer.cue | p.older.cue).has(cueTelling) || p.older.denials > 0 || p.newer.future.told && p.newer.denials == 0 {
		return false
	}
	if p.newer.denials > 0 {
		return p.failsToCome()
	}
	if p.newer.cue.has(cueUnreal|cueBeside) || p.newer.isPast() && !p.hasPassed() {
		return false
	}
	return p.otherState() || p.older.age != "" && p.newer.age != "" && p.older.age != p.newer.age || p.hasPassed() || p.hasAnother()
}

// otherState reports whether both tell of one matter, and of no state in common. Where both name a thing, it is the same: an allergy to milk is not over with
// one to nuts.
func (p *pair) otherState() bool {
	of := func(state string) string { matter, _, _ := strings.Cut(state, ":"); return matter }
	for _, a := range p.older.states {
		for _, b := range p.newer.states {
			if of(a) == of(b) && a != b && !slices.Contains(p.older.states, b) && !(p.ofThing(of(a)) && p.otherThing()) {
				return true
			}
		}
	}
	return false
}

// ofThing reports whether a state is mostly one of a thing that is named beside it, or belongs to somebody.
func (p *pair) ofThing(matter string) bool {
	first := p.newer.tokens[0].lower
	return matter == "allergy" || p.newer.owner == self && (first == "my" || first == "our")
}

// otherThing reports whether both name a thing beside the state, and not the same.
func (p *pair) otherThing() bool {
	older, newer := p.older.thingsBeside(), p.newer.thingsBeside()
	return len(older) > 0 && len(newer) > 0 && !slices.ContainsFunc(older, func(t string) bool { return slices.Contains(newer, t) })
}

// thingsBeside returns the terms of the statement without its subject, its states, values and words of little meaning.
func (r *Reading) thingsBeside() (all []string) {
	for i, t := range r.tokens {
		if i > 0 && t.term != "" && t.value == noValue && t.lower != r.owner && !light.Has(t.term) && !unspecific.Has(t.term) && !slices.Contains(r.stateTerms, termOr(t.lower)) && slices.Contains(r.terms, t.term) {
			all = add(all, t.term)
		}
	}
	return all
}

// hasPassed reports whether a thing of which the older statement says the day has taken place.
func (p *pair) hasPassed() bool {
	if len(p.older.values[day]) == 0 || p.older.head == "" || !slices.Contains(p.newer.terms, p.older.head) {
		return false
	}
	return p.newer.passed
}

// hasAnother reports whether the newer statement names a new thing of the kind that the older one is about: "I have a new lawyer: Mr. Stein".
func (p *pair) hasAnother() bool {
	return p.otherAny() > 0 && p.newer.isNewThing(p.older.head)
}

// takesPost reports whether the newer statement names who is new in the part of somebody of whom the older one tells: "our new landlord is Ms Reyes".
func (p *pair) takesPost() bool {
	const speaksAgainst = cueBeside | cueUnreal | cueTelling
	if p.newer.cue.has(speaksAgainst) || p.older.cue.has(cueFormer|cueOver) || p.newer.future.told || p.older.owner != "" && p.older.owner != self && termOr(p.older.owner) != p.older.head || p.otherAny() == 0 {
		return false
	}
	for i, t := range p.newer.tokens {
		if i > 1 && roles.Has(t.lower) && t.term == p.older.head && p.newer.tokens[i-1].lower == "new" && owns.Has(p.newer.tokens[i-2].lower) {
			return true
		}
	}
	return false
}

// isNewThing reports whether a thing stands right behind "new".
func (r *Reading) isNewThing(term string) bool {
	for i, t := range r.tokens[1:] {
		if term != "" && t.term == term && r.tokens[i].lower == "new" {
			return true
		}
	}
	return false
}

// failsToCome reports whether an event that was to come does not: the newer statement denies it of a time to come, in words or with a name and a day of the older one.
func (p *pair) failsToCome() bool {
	about := func(t string) bool { return t == termOr(p.newer.owner) || t == p.newer.tokens[0].term }
	told, same := false, true
	for i, t := range p.newer.tokens {
		if t.term == "" || p.newer.remark[i] || about(t.term) || !slices.Contains(p.newer.terms, t.term) {
			continue
		}
		held := slices.Contains(p.older.terms, t.term)
		told, same = told || held && t.value == noValue, same && held
	}
	ahead := p.newer.coming || slices.Contains(p.newer.remark, true) || p.newer.isDoing()
	both := meet(p.older.values[day], p.newer.values[day]) && meet(p.older.values[name], p.newer.values[name])
	return ahead && (told && same || both && p.newer.coming)
}

// isDoing reports whether the statement tells of something by the present of a verb: "isn't coming".
func (r *Reading) isDoing() bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool { return len(t.lower) > 4 && strings.HasSuffix(t.lower, "ing") && t.value == noValue })
}

// otherStates returns the terms of the words for the other states of the matters that the statement tells a state of.
func (r *Reading) otherStates() (all []string) {
	for _, state := range r.states {
		matter, _, _ := strings.Cut(state, ":")
		for _, row := range language.States.Rows() {
			if row.Head == state || !strings.HasPrefix(row.Head, matter+":") {
				continue
			}
			for _, w := range row.Words {
				for _, t := range language.Query(w) {
					all = add(all, t)
				}
			}
		}
	}
	return all
}
