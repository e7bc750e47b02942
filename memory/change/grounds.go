package change

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// The shares of words by which a change is grounded.
const (
	namesTarget = 0.75 // of the words of what changes, that the older statement holds
	besideName  = 0.4  // likewise, where a name is in common
	sameFrame   = 0.6  // of the words but for values, that both have
)

// changes reports whether there may be a change at all: a word of change, claims of one slot, or another value of one kind. Two
// statements in other words about one thing stand beside each other.
func (p *pair) changes() bool {
	if p.older.slot != "" && p.older.slot == p.newer.slot {
		return true
	}
	return p.newer.changes || len(p.newer.fresh) > 0 || p.otherAny() > 0 || p.endsState() || p.older.denials != p.newer.denials && p.turns()
}

// grounds are the ways in which a statement says that an older one does not hold any more; a change without one of them is likely at
// the most. Each looks at rows of words of change.
var grounds = []struct {
	doc   string
	rows  cues
	holds func(p *pair) bool
}{
	{"the thing that ended, moved or changed is that of the older one", cueOver | cueCancel | cueTransfer | cueMove | cueReplace, (*pair).namesOlder},
	{"a thing is done that was open", cueComplete, func(p *pair) bool { return p.namesOlder() && !p.returns() }},
	{"somebody moved, and both say where to", cueMove, func(p *pair) bool { return len(p.newer.target) == 0 && p.moved() }},
	{"what the older one says is named as past", cueOver | cueInstead | cueCorrect | cueReplace | cueMove | cueNow, (*pair).namesPast},
	{"the same thing has another value now", cueNow | cueNew | cueCorrect | cueReplace, func(p *pair) bool {
		return p.other > 0 && p.frame >= sameFrame && p.otherSort() == 0
	}},
}

// moved reports whether somebody moved, and both statements say where to.
func (p *pair) moved() bool {
	return p.newer.cue.has(cueMove) && p.owners(true) > 0 && p.matters > 0 && p.older.values.any() && p.newer.values.any()
}

// isGrounded reports whether the words say that the older statement does not hold any more.
func (p *pair) isGrounded() bool {
	if p.newer.cue.has(cueBeside|cueUnreal) || !p.older.bare || !p.newer.bare || p.owners(false) > 0 {
		return false
	}
	if p.older.slot != "" && p.older.slot == p.newer.slot {
		return true
	}
	for _, g := range grounds {
		if p.newer.cue.has(g.rows) && g.holds(p) {
			return true
		}
	}
	return false
}

// goesOn reports whether a clause of the statement says something that the other one does not speak of: "My name is Lena, and I live in
// Elm Street" is not over when Lena moves.
func (r *Reading) goesOn(other *Reading) bool {
	if len(r.tokens) == 0 {
		return false
	}
	for clause := range r.tokens[len(r.tokens)-1].clause + 1 {
		var words []string
		states, says, shares := false, false, false
		for _, t := range r.tokens {
			if t.clause != clause || t.aside {
				continue
			}
			words = append(words, termOr(t.lower))
			states = states || linking.Has(t.lower)
			says = says || t.term != "" && !light.Has(t.term) && !unspecific.Has(t.term)
			shares = shares || t.term != "" && slices.Contains(other.terms, t.term)
		}
		for _, h := range matters().find(words) {
			shares = shares || slices.Contains(other.matters, h.row)
		}
		if states && says && !shares {
			return true
		}
	}
	return false
}

var linking = language.Changes.Row("linking")

// namesOlder reports whether the older statement holds what the newer one says has changed: nearly all of its words, or
// fewer where both have a name in common.
func (p *pair) namesOlder() bool {
	held, all := 0.0, 0.0
	for i, t := range p.newer.target {
		if light.Has(t) && !p.newer.isThing(t) || unspecific.Has(t) || rightTo.Has(t) && (p.older.isHabit() || p.newer.isOwnersRight(t)) {
			continue
		}
		w := p.newer.of.target.weights[i]
		all += w
		if slices.Contains(p.older.terms, t) {
			held += w
		}
	}
	named := max(p.sameValue(ident, ident), p.sameValue(name, name)) > 0 || p.older.hasName(p.newer.target)
	return all > 0 && (held >= namesTarget*all || named && held >= besideName*all)
}

// hasName reports whether one of the terms is a name in the statement, as the first word of another one may be too.
func (r *Reading) hasName(terms []string) bool {
	return slices.ContainsFunc(r.tokens, func(t token) bool { return t.value == name && slices.Contains(terms, t.term) })
}

// isOwnersRight reports whether a word for a right stands behind its owner: "PagerDuty's contract".
func (r *Reading) isOwnersRight(term string) bool {
	for i, t := range r.tokens {
		if t.term == term && i > 1 && r.tokens[i-1].lower == "'s" {
			return true
		}
	}
	return false
}

// rightTo are the terms of words for the right to a thing, which is lost with it: the membership of a gym.
var rightTo = language.Changes.Row("right_to").Terms()

// isHabit reports whether the statement tells of something that its speaker does, and not of a thing of theirs: "I go to the gym".
func (r *Reading) isHabit() bool { return r.owner == self && len(r.subject) == 0 && r.head == "" }

// endsMatter reports whether the newer statement ends a thing of the matter of which the older one tells a habit: "I quit coffee" after "I drink two espressos".
func (p *pair) endsMatter() bool {
	if !p.newer.cue.has(cueOver|cueCancel) || p.newer.owner != self || !p.older.isHabit() || p.newer.cue.has(cueUnreal|cueBeside|cueTelling) || p.older.cue.has(cueFormer|cueOver|cueUnreal) {
		return false
	}
	common := slices.DeleteFunc(p.commonMatters(), func(m string) bool { return !slices.Contains(habits, m) })
	return slices.ContainsFunc(p.newer.target, func(t string) bool {
		return slices.ContainsFunc(common, func(m string) bool { return slices.Contains(matterTerms()[m], t) })
	})
}

// habits are the matters of deeds that people repeat: an end in one of them ends the habit.
var habits = []string{"drink", "gym", "smoke", "diet"}

// returns reports whether the newer statement says that somebody is back, and the older one not that they were away or unwell.
func (p *pair) returns() bool {
	if p.newer.cue.has(cueReplace) {
		return false // to another thing: "back on espresso"
	}
	back := slices.ContainsFunc(p.newer.tokens, func(t token) bool { return t.lower == "back" })
	return back && !p.older.cue.has(cueOpen|cueUnreal|cueOver) && len(p.older.states) == 0
}

// onlyLeft reports whether somebody left a thing of which the older statement tells how it is in itself: a choir goes on to have forty members.
func (p *pair) onlyLeft() bool {
	if !p.newer.cue.has(cueLeave) || p.newer.owner != self || len(p.older.subject) == 0 || p.older.owner == self {
		return false
	}
	return !slices.ContainsFunc(p.older.tokens, func(t token) bool { return mine.Has(t.lower) }) &&
		within(p.older.of.subject, p.newer.of.target) == 1
}

// mine are the words for the one who speaks.
var mine = language.Changes.Row("mine")

// endsAnother reports whether the newer statement tells of an end of something that the older one does not speak of.
func (p *pair) endsAnother() bool {
	ends := p.newer.cue.has(cueOver | cueCancel | cueComplete | cueTransfer)
	return ends && len(p.newer.target) > 0 && !p.namesOlder() && !p.namesPast()
}

// beginsBeside reports whether the newer statement only tells of a beginning, and the older one of nothing that was not, or was open.
func (p *pair) beginsBeside() bool {
	if p.newer.cue.has(changeCues &^ (cueStart | cueNew | cueFormer)) {
		return false
	}
	waits := p.older.cue.has(cueOver|cueOpen|cueUnreal) || p.older.cue.has(cueNot) && p.deniedBegins()
	return p.newer.cue.has(cueStart) && !waits && !p.newer.cue.has(cueAgain)
}

// namesPast reports whether the older statement holds what the newer one names as past.
func (p *pair) namesPast() bool {
	return len(p.newer.former) > 0 && within(p.newer.of.former, p.older.of.terms) >= namesTarget
}

// deniedBegins reports whether the newer statement tells of a thing that the older one denied: its denying clause holds a word of it.
func (p *pair) deniedBegins() bool {
	all := p.older.cutClauses()
	return len(all) < 2 || slices.ContainsFunc(all, func(clause []token) bool {
		denies := slices.ContainsFunc(clause, func(t token) bool { return nots.Has(t.lower) })
		return denies && slices.ContainsFunc(clause, func(t token) bool { return t.term != "" && slices.Contains(p.newer.terms, t.term) })
	})
}

// nots are the words that deny a whole clause.
var nots = language.Changes.Row("not")
