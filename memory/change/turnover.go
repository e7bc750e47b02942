package change

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// This file tells when something new takes the place of a thing that a person had in a matter in which one mostly has one thing at a time: a job, a car, a
// number; and whether an amount that changed is the one that an older statement names.

// onlyOne are the matters in which a person mostly has one thing at a time.
var onlyOne = []string{"appointment", "bank", "car", "contact", "insurance", "job", "manager", "phone", "supplier"}

// Succeeds reports whether the newer statement tells of something new in a matter in which a person mostly has one thing, and the older one what that
// person had: "I started as a paramedic" after "I work as a nurse". The words do not say that the one is over: it is likely, and for a person to say.
//
// The rules of Compare hold; and a statement that was only inferred is no reason to ask.
func Succeeds(older, newer *Reading) bool {
	if !Comparable(older, newer) || older.guessed() || newer.guessed() {
		return false
	}
	return (&pair{older: &Weighed{Reading: older}, newer: &Weighed{Reading: newer}}).succeeds()
}

// succeeds reports it of a pair that may change at all.
func (p *pair) succeeds() bool {
	const speaksAgainst = cueBeside | cueUnreal | cueTelling | cueOpen
	if p.owners(true) == 0 || !p.older.bare || (p.newer.cue | p.older.cue).has(speaksAgainst) || p.older.cue.has(cueFormer|cueOver) || p.newer.coming || p.newer.denials != p.older.denials {
		return false
	}
	has := p.older.mattersBut(p.older.about(p.newer.owner != self))
	return slices.ContainsFunc(p.newer.fresh, func(m string) bool {
		return slices.Contains(has, m) && (m == "job" || len(has) == 1) && p.older.hasOne(m)
	})
}

// changesTool reports whether the newer statement says that another tool is used, and nothing of for what: "switched over to OpenTofu". The older one names one of
// its kind.
func (p *pair) changesTool() bool {
	const speaksAgainst = cueBeside | cueUnreal | cueTelling
	return p.newer.cue.has(cueReplace|cueMove|cueInstead) && len(p.newer.target) == 0 && !p.newer.cue.has(speaksAgainst) && !p.older.cue.has(cueFormer|cueOver) && !p.newer.coming &&
		p.otherAny() > 0 && slices.ContainsFunc(p.commonMatters(), isToolKind)
}

// hasOne reports whether a statement says which thing of a matter somebody has: a post, or anything that is named.
func (r *Reading) hasOne(matter string) bool {
	if matter == "job" {
		return r.cue.has(cuePost)
	}
	return r.values.any() && slices.ContainsFunc(r.tokens, func(t token) bool { return having.Has(t.lower) })
}

// having are the words by which somebody has or uses a thing.
var having = language.Changes.Row("having")

// readFresh notes the matters in which the statement tells of something new: a post, or a thing after "a new" and the like.
func (r *Reading) readFresh(hits []hit) {
	for _, h := range hits {
		switch {
		case h.row == "new_post", h.row == "start" && r.beginsAt(h.to):
			r.fresh = add(r.fresh, "job")
		case h.row == "new_one" && (owns.Has(r.tokens[h.from].lower) || r.has(h.from)):
			for _, m := range matters().find(r.termsFrom(h.to, mostBetweenNew)) {
				if slices.Contains(onlyOne, m.row) && m.row != "job" {
					r.fresh = add(r.fresh, m.row)
				}
			}
		}
	}
}

// mostBetweenNew is the number of words behind "new" within which the thing is named.
const mostBetweenNew = 3

// owns are the words before a thing of somebody's.
var owns = language.Changes.Row("owning")

// has reports whether a word before a place says that somebody has or got a thing.
func (r *Reading) has(at int) bool {
	return slices.ContainsFunc(r.tokens[max(0, at-3):at], func(t token) bool { return having.Has(t.lower) })
}

// beginsAt reports whether a place where somebody may work follows: "started at Airbus", and not "started at eight".
func (r *Reading) beginsAt(i int) bool {
	return i+1 < len(r.tokens) && (r.tokens[i].lower == "at" || r.tokens[i].lower == "with") && r.tokens[i+1].value == name
}

// termsFrom returns the terms of so many words from a place on, up to the end of their clause or the next preposition.
func (r *Reading) termsFrom(from, most int) (words []string) {
	for _, t := range r.tokens[min(from, len(r.tokens)):min(from+most, len(r.tokens))] {
		if t.clause != r.tokens[from].clause || placing.Has(t.lower) || t.lower == "for" || t.lower == "of" {
			break
		}
		words = append(words, termOr(t.lower))
	}
	return words
}

// readRemarks notes the words by which the speaker only corrects or stresses: "after all", "it turned out".
func (r *Reading) readRemarks(hits []hit) {
	r.remark = make([]bool, len(r.tokens))
	for _, h := range hits {
		if h.row == "remark" {
			for _, i := range h.at {
				r.remark[i] = true
			}
		}
	}
	for i, t := range r.tokens[:min(len(r.tokens), longestReport)] { // "the doctor says"
		if says.Has(t.lower) && i > 0 && !slices.ContainsFunc(r.tokens[:i], func(u token) bool { return u.value != noValue }) {
			for j := range r.tokens[:i+1] {
				r.remark[j] = true
			}
			break
		}
	}
}

// longestReport is the number of words within which a statement says who said it.
const longestReport = 4

// says are the words that attribute a statement to somebody else.
var says = language.Changes.Row("says")

// said returns the words without the remark that the statement begins with.
func (r *Reading) said() []token {
	for i := range r.tokens {
		if !r.remark[i] {
			return r.tokens[i:]
		}
	}
	return r.tokens
}

// anotherAmount reports whether the newer statement changes an amount of another matter than the older one's: it names another thing, or none, or the
// older one tells no amount at all.
func (p *pair) anotherAmount() bool {
	if !p.newer.cue.has(cueAmount) {
		return false
	}
	if len(p.newer.values[number]) > 0 && len(p.older.values[number]) == 0 {
		return true
	}
	things := p.newer.things()
	if len(things) == 0 {
		return p.matters == 0
	}
	return !slices.ContainsFunc(things, func(t string) bool {
		return slices.Contains(p.older.terms, t) || slices.ContainsFunc(p.commonMatters(), func(m string) bool { return slices.Contains(matterTerms()[m], t) })
	})
}

// commonMatters returns the matters that both speak of.
func (p *pair) commonMatters() []string { return Matters(p.older.Reading, p.newer.Reading) }

// things returns the terms of the changed thing, without amounts and their units.
func (r *Reading) things() (all []string) {
	for i, t := range r.tokens {
		unit := i > 0 && r.tokens[i-1].value == number
		if slices.Contains(r.target, t.term) && t.value != number && !unit {
			all = add(all, t.term)
		}
	}
	return all
}

// otherOf reports whether both statements name one thing, each of something else: "the rent for the flat", "the rent for the garage".
func (p *pair) otherOf() bool {
	for head, of := range p.older.parts {
		if other := p.newer.parts[head]; other != "" && other != of {
			return true
		}
	}
	return false
}

// readParts notes the owner and the use of each thing, by its term.
func (r *Reading) readParts() {
	for i := 0; i+2 < len(r.tokens); i++ {
		t, of := r.tokens[i], r.tokens[i+1].lower
		if t.term == "" || of != "of" && of != "for" || t.value != noValue && t.value != name {
			continue
		}
		at := i + 2
		if language.Determiners.Has(r.tokens[at].lower) && at+1 < len(r.tokens) {
			at++
		}
		if r.tokens[at].term != "" && r.tokens[at].value == noValue {
			if r.parts == nil {
				r.parts = map[string]string{}
			}
			r.parts[t.term] = r.tokens[at].term
		}
	}
}

// isThing reports whether a word is a thing in a statement, though it may be a verb too: "my rent", "running".
func (r *Reading) isThing(term string) bool {
	for i, t := range r.tokens[1:] {
		doing := strings.HasSuffix(t.lower, "ing") && len(t.lower) > len("going") && !being.Has(r.tokens[i].lower)
		if t.term == term && (language.Determiners.Has(r.tokens[i].lower) || doing) {
			return true
		}
	}
	return false
}
