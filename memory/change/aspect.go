package change

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// A change is of one aspect of a person or a thing: where they live, not what they are allergic to. This file tells when an older statement is of
// another aspect, when a change is yet to come, and when the older statement says more than what has changed.

// otherAspect reports whether both statements are of one person or thing, and the older one of nothing else that the newer one speaks of: "Paul moved
// to Rome" leaves his allergy as it is. What ended as a whole takes all of it along.
func (p *pair) otherAspect() bool {
	if p.older.slot != "" && p.older.slot == p.newer.slot || p.endsWhole() {
		return false
	}
	person := p.owners(true) > 0 && p.newer.owner != self
	moves := p.newer.cue.has(cueMove)
	switch {
	case !person && (p.owners(true) > 0 && p.newer.owner != self || !p.newer.cue.has(cueMove|cueReplace|cueTransfer)):
		return false
	case slices.ContainsFunc(p.commonMatters(), isToolKind), !moves && p.other > 0, moves && !person && p.placed():
		return false
	}
	about := p.newer.about(person)
	if moves && person && p.older.values.any() && p.tellsHome() {
		return false
	}
	if !moves || person && p.placed() {
		older := p.older.mattersBut(slices.Concat(about, p.older.about(true)))
		if slices.ContainsFunc(p.newer.mattersBut(about), func(m string) bool { return slices.Contains(older, m) }) {
			return false
		}
	}
	return !slices.ContainsFunc(p.newer.terms, func(t string) bool { return slices.Contains(p.older.terms, t) && !slices.Contains(about, t) })
}

// tellsHome reports whether both statements say where somebody lives.
func (p *pair) tellsHome() bool {
	home := func(r *Reading) bool { return slices.Contains(r.mattersBut(r.about(true)), homeMatter) }
	return home(p.older.Reading) && home(p.newer.Reading)
}

// homeMatter is the matter of where somebody lives.
const homeMatter = "address"

// mattersBut returns the matters that a statement speaks of beside whom or what it is about: a daughter is no matter of what she plays.
func (r *Reading) mattersBut(about []string) (all []string) {
	words := make([]string, len(r.tokens))
	for i, t := range r.tokens {
		if words[i] = termOr(t.lower); slices.Contains(about, words[i]) {
			words[i] = ""
		}
	}
	for _, h := range matters().find(words) {
		all = add(all, h.row)
	}
	return all
}

// endsWhole reports whether the newer statement says that somebody or something ended, left or was called off, and nothing of what.
func (p *pair) endsWhole() bool {
	return p.newer.cue.has(cueOver|cueCancel|cueComplete) && len(p.newer.target) > 0 &&
		!slices.ContainsFunc(p.newer.target, func(t string) bool { return !slices.Contains(p.newer.lead, t) })
}

// about returns the terms by which a statement names whom or what it is about: the person, or the words before what they did.
func (r *Reading) about(person bool) []string {
	if !person {
		return r.lead
	}
	var all []string
	for i, t := range r.tokens[:min(len(r.tokens), longestLead)] {
		if t.lower != r.owner {
			continue
		}
		all = append(all, termOr(t.lower))
		if i > 0 && titles.Has(r.tokens[i-1].lower) {
			all = append(all, termOr(r.tokens[i-1].lower))
		}
		for _, next := range r.tokens[i+1:] { // the name of "my sister Anna"
			if next.value != name {
				break
			}
			all = append(all, next.term)
		}
		return all
	}
	return all
}

// longestLead is the number of words within which a statement names whom it is about.
const longestLead = 6

// placed reports whether the older statement says a place or a time, and the newer one says another of the kind: where and when something is, not what
// it is like.
func (p *pair) placed() bool {
	for i, t := range p.older.tokens {
		if i == 0 || t.value == noValue {
			continue
		}
		before := p.older.tokens[i-1].lower
		if (placing.Has(before) || being.Has(before)) && p.newer.valued(t.value) && !slices.Contains(p.older.labels[t.value], t.lower) {
			return true
		}
	}
	if p.newer.values.any() {
		return false
	}
	for i, t := range p.older.tokens[1:] {
		if placing.Has(p.older.tokens[i].lower) && language.Determiners.Has(t.lower) {
			return true
		}
	}
	return false
}

// placing are the words before a place or a time.
var placing = language.Changes.Row("placing")

// shiftsTime reports whether the newer statement only says that something is earlier or later, and the older one tells no time that would be another now: who reads
// the report first, before finance starts at six.
func (p *pair) shiftsTime() bool {
	shifted := slices.ContainsFunc(p.newer.tokens, func(t token) bool { return shifts.Has(t.lower) })
	return shifted && p.newer.kindsTold()&(Day|Hour) != 0 && p.older.kindsTold()&(Day|Hour) == 0 && !p.older.tells([]valueKind{clock, day, frequency}) && !p.older.cue.has(cueOpen)
}

// ofCompanion reports whether the newer statement begins with the name of somebody whom the older one only tells beside its speaker: "Callum moved to Leeds" leaves
// "I run a studio with my brother Callum".
func (p *pair) ofCompanion() bool {
	first := p.newer.tokens[0].lower
	if p.older.owner != self || titles.Has(first) || p.older.byName == first {
		return false
	}
	for i, t := range p.older.tokens[1:] {
		before := p.older.tokens[i].lower
		if t.value == name && t.lower == first && (kin.Has(before) || roles.Has(before)) {
			return true
		}
	}
	return false
}

// yetToCome reports whether the newer statement tells of a plan, and the older one of how things are: they stay so until then.
func (p *pair) yetToCome() bool {
	return p.newer.coming && p.newer.future.from.IsZero() && !p.older.coming && !p.older.cue.has(cueOpen|cueUnreal) && p.newer.owner == p.older.owner && p.newer.owner != ""
}

// isComing reports whether the words tell of a plan: "will", "going to", and the present of a word of change, "I'm moving".
func (r *Reading) isComing(hits []hit) bool {
	if slices.ContainsFunc(r.tokens, func(t token) bool { return coming.Has(t.lower) && !t.aside }) {
		return true
	}
	for i, t := range r.tokens {
		goes := i > 0 && being.Has(r.tokens[i-1].lower) && len(t.lower) > 4 && t.lower[len(t.lower)-3:] == "ing"
		if goes && slices.ContainsFunc(hits, func(h hit) bool { return h.from == i && slices.Contains(changing, h.row) }) {
			return true
		}
	}
	return false
}

// coming has the words of a future, and being those before the present of a verb.
var coming, being = language.Changes.Row("coming"), language.Changes.Row("being_now")

// saysMore reports whether the older statement names somebody or something beside what the newer one speaks of, which would be lost with it: the name
// in "my sister Anna", or the car in "a bike and a car" when the bike is sold.
func (p *pair) saysMore() bool {
	for k := number; k <= name; k++ {
		for _, label := range p.older.labels[k] {
			if !slices.ContainsFunc(p.newer.tokens, func(t token) bool { return t.lower == label }) {
				return true
			}
		}
	}
	for i := 1; i+1 < len(p.older.tokens); i++ {
		if lower := p.older.tokens[i].lower; lower != "and" && lower != "or" {
			continue
		}
		left, right := p.older.beside(i-1, -1), p.older.beside(i+1, 1)
		if left != "" && right != "" && slices.Contains(p.newer.terms, left) != slices.Contains(p.newer.terms, right) {
			return true
		}
	}
	return false
}

// beside returns the term of the nearest word that carries meaning from a place on, within the few words of one thing.
func (r *Reading) beside(from, step int) string {
	for i := from; i >= 0 && i < len(r.tokens) && i != from+step*3; i += step {
		if r.tokens[i].term != "" && !light.Has(r.tokens[i].term) {
			return r.tokens[i].term
		}
	}
	return ""
}
