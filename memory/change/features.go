package change

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// pair is an older statement beside a newer one, with the weight of words.
type pair struct {
	older, newer *Weighed
	near         float64 // how much both are of one thing: the rarest word in common, or a matter
	rare         float64 // weight of the rarest term in common
	frame        float64 // share of the words but for values that both have
	subject      float64 // share of the words before the verb that both have
	other        float64 // 1: both have values, names too, of one kind, and none of it in common
	matters      float64 // 1: both speak of one matter
	grounded     bool    // see grounds
}

// feature is one reason to take the newer statement for a change of the older one, or not to. Values are in [0, 1].
type feature struct {
	name  string // of its row in weights.tsv
	doc   string
	value func(*pair) float64
}

// features is the grammar as a table: the sum of the values, weighted by the rows of weights.tsv, is the logarithm of the odds.
var features = [...]feature{
	{"bias", "of any two statements", func(*pair) float64 { return 1 }},
	{"slot", "claims of one subject and predicate", func(p *pair) float64 {
		return both(p, func(o, n *Weighed) bool { return o.slot != "" && o.slot == n.slot })
	}},
	{"other_slot", "claims of different ones", func(p *pair) float64 {
		return both(p, func(o, n *Weighed) bool { return o.slot != "" && n.slot != "" && o.slot != n.slot })
	}},
	{"shared", "share of all words that both have, by weight", func(p *pair) float64 { return jaccard(p.older.of.terms, p.newer.of.terms) }},
	{"cover", "share of the words of the shorter that the other has", func(p *pair) float64 { return cover(p.older.of.terms, p.newer.of.terms) }},
	{"rarest", "weight of the rarest word in common", func(p *pair) float64 { return p.rare }},
	{"frame", "share of the words but for values that both have", func(p *pair) float64 { return p.frame }},
	{"subject", "share of the words before the verb that both have", func(p *pair) float64 { return p.subject }},
	{"other_subject", "nothing in common before the verb", (*pair).otherSubject},
	{"owner", "about one person", func(p *pair) float64 { return p.owners(true) }},
	{"other_owner", "about different persons", func(p *pair) float64 { return p.owners(false) }},
	{"other_value", "values of one kind, and none in common", func(p *pair) float64 { return p.otherValue(number, ident) }},
	{"other_name", "names, and none in common", func(p *pair) float64 { return p.otherValue(name, name) }},
	{"same_value", "a value in common", func(p *pair) float64 { return p.sameValue(number, ident) }},
	{"same_name", "a name in common", func(p *pair) float64 { return p.sameValue(name, name) }},
	{"other_value_frame", "another value in the same words", func(p *pair) float64 {
		return p.other * p.frame
	}},
	{"other_value_subject", "another value of the same subject", func(p *pair) float64 {
		return p.other * p.subject
	}},
	{"same_frame_value", "another value in just the same words", func(p *pair) float64 {
		return p.other * whole(p.frame)
	}},
	{"same_subject_value", "another value of just the same subject", func(p *pair) float64 {
		return p.other * whole(p.subject)
	}},
	{"same_state", "another value of what is, in just the same words", func(p *pair) float64 {
		return p.other * whole(p.frame) *
			flag(p.older.cue.has(cueBeing) && p.newer.cue.has(cueBeing) && !p.newer.cue.has(cueFormer) && !p.older.cue.has(cueFormer))
	}},
	{"same_subject", "just the same before the verb", func(p *pair) float64 { return whole(p.subject) }},
	{"other_sort", "two things of one kind: both have a word before the verb that the other lacks", (*pair).otherSort},
	{"now", "says how it is now", func(p *pair) float64 { return p.cue(cueNow) * p.near }},
	{"new", "says that it is new", func(p *pair) float64 { return p.cue(cueNew) * p.near }},
	{"over", "says that something is over", func(p *pair) float64 { return p.cue(cueOver) * p.near }},
	{"cancel", "says that it is called off", func(p *pair) float64 { return p.cue(cueCancel) * p.near }},
	{"complete", "says that it is done", func(p *pair) float64 { return p.cue(cueComplete) * p.near }},
	{"correct", "says that something was wrong", func(p *pair) float64 { return p.cue(cueCorrect) * p.near }},
	{"instead", "says in whose place it is", func(p *pair) float64 { return p.cue(cueInstead) * p.near }},
	{"move", "says that it moved", func(p *pair) float64 { return p.cue(cueMove) * p.near }},
	{"replace", "says that it changed", func(p *pair) float64 { return p.cue(cueReplace) * p.near }},
	{"start", "says that something begins", func(p *pair) float64 { return p.cue(cueStart) * p.near }},
	{"transfer", "says that it is another's", func(p *pair) float64 { return p.cue(cueTransfer) * p.near }},
	{"former", "speaks of the past", func(p *pair) float64 { return p.cue(cueFormer) * p.near }},
	{"older_over", "the older one says that something is over", func(p *pair) float64 { return flag(p.older.cue.has(cueOver | cueCancel)) }},
	{"any_frame", "any word of change in the same words", func(p *pair) float64 { return p.anyCue() * p.frame }},
	{"any_rarest", "any word of change beside a rare word in common", func(p *pair) float64 { return p.anyCue() * p.rare }},
	{"any_matter", "any word of change in one matter", func(p *pair) float64 { return p.anyCue() * p.matters }},
	{"own_matter", "any word of change in one matter of one person, where the matter is most of what both speak of", func(p *pair) float64 {
		return max(p.anyCue(), p.cue(cueStart)) * p.owners(true) * sameShare(p.older.matters, p.newer.matters)
	}},
	{"own_matter_value", "and both have values", func(p *pair) float64 {
		return max(p.anyCue(), p.cue(cueStart)) * p.owners(true) * sameShare(p.older.matters, p.newer.matters) *
			flag(p.older.values.any() && p.newer.values.any())
	}},
	{"own_move", "somebody moved, and nothing else did, in one matter of theirs", func(p *pair) float64 {
		return p.cue(cueMove) * flag(len(p.newer.target) == 0) * p.owners(true) * p.matters
	}},
	{"any_value", "any word of change and another value, in one matter or the same words", func(p *pair) float64 {
		return p.anyCue() * p.near * p.other
	}},
	{"target", "what changes is named in the older one", func(p *pair) float64 { return within(p.newer.of.target, p.older.of.terms) }},
	{"whole_target", "and is most of what the older one says", func(p *pair) float64 {
		named := within(p.newer.of.target, p.older.of.terms)
		if named > 0 {
			named *= within(p.older.of.frame, p.newer.of.terms)
		}
		return named
	}},
	{"past", "what is named as past stands in the older one", func(p *pair) float64 { return within(p.newer.of.former, p.older.of.terms) }},
	{"grounded", "the words say that the older one holds no more: see grounds", func(p *pair) float64 { return flag(p.grounded) }},
	{"done", "what was open is done", func(p *pair) float64 {
		return flag(p.older.cue.has(cueOpen)) * flag(p.newer.cue.has(cueComplete|cueCancel|cueOver)) * p.near
	}},
	{"begun", "what was not has begun", func(p *pair) float64 {
		return flag(p.older.cue.has(cueOver|cueUnreal|cueNot)) * flag(p.newer.cue.has(cueStart|cueNow)) * p.near
	}},
	{"matter", "of one matter", func(p *pair) float64 { return p.matters }},
	{"beside", "says that it stands beside", func(p *pair) float64 { return p.cue(cueBeside) }},
	{"unreal", "a wish, a plan or a guess", func(p *pair) float64 { return p.cue(cueUnreal) }},
	{"telling", "tells of an occasion", func(p *pair) float64 { return p.cue(cueTelling) }},
	{"older_telling", "the older one tells of an occasion", func(p *pair) float64 { return flag(p.older.cue.has(cueTelling)) }},
	{"retrieved", "was read from a tool or a page", func(p *pair) float64 { return flag(p.newer.retrieved()) }},
	{"older_retrieved", "the older one was", func(p *pair) float64 { return flag(p.older.retrieved()) }},
	{"days", "share of half a year between them", (*pair).days},
	{"length", "the newer one says much more", func(p *pair) float64 {
		return flag(len(p.newer.terms) > 2*len(p.older.terms)+4)
	}},
}

// anyChange are the words of change that count as a change by themselves.
const anyChange = cueNow | cueOver | cueCancel | cueComplete | cueCorrect | cueInstead | cueMove | cueReplace | cueTransfer

func (p *pair) anyCue() float64 { return p.cue(anyChange) }

func (p *pair) cue(rows cues) float64 { return flag(p.newer.cue.has(rows)) }

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func both(p *pair, holds func(o, n *Weighed) bool) float64 { return flag(holds(p.older, p.newer)) }

// common returns the weight, by a, of the terms in common.
func common(a, b list) (sum float64) {
	for i, t := range a.terms {
		if b.has(t) {
			sum += a.weights[i]
		}
	}
	return sum
}

// jaccard returns the weight of the terms in common as a share of that of all.
func jaccard(a, b list) float64 {
	both := common(a, b)
	return share(both, a.sum+b.sum-both)
}

// cover returns the weight of the terms in common as a share of that of the lighter side.
func cover(a, b list) float64 { return share(common(a, b), min(a.sum, b.sum)) }

// within returns the share of the terms of a, by weight, that the other ones hold.
func within(a, other list) float64 { return share(common(a, other), a.sum) }

func share(part, all float64) float64 {
	if all <= 0 {
		return 0
	}
	return part / all
}

// rarest returns the weight of the rarest term in common.
func (p *pair) rarest() float64 {
	best := 0.0
	for i, t := range p.older.terms {
		if w := p.older.of.terms.weights[i]; w > best && p.newer.of.terms.has(t) && !measuring.Has(t) && !p.older.onlyNames(t) {
			best = w
		}
	}
	return best
}

// onlyNames reports whether a term stands in the statement only as a word by which something is given its name: many things are called something.
func (r *Reading) onlyNames(term string) bool {
	names := false
	for _, t := range r.tokens {
		if t.term == term {
			if !naming.Has(t.lower) {
				return false
			}
			names = true
		}
	}
	return names
}

// naming are the words by which something is given its name.
var naming = language.Changes.Row("naming")

// matter reports whether both speak of one matter.
func (p *pair) matter() float64 {
	return flag(slices.ContainsFunc(p.older.matters, func(m string) bool { return slices.Contains(p.newer.matters, m) }))
}

// sameShare returns how many entries both lists have, as a share of the shorter.
func sameShare(a, b []string) float64 {
	same := 0.0
	for _, s := range a {
		same += flag(slices.Contains(b, s))
	}
	return share(same, float64(min(len(a), len(b))))
}

// whole returns 1 for a whole share.
func whole(share float64) float64 { return flag(share > 0.999) }

// otherSort reports whether both have words before the verb in common, and each one that the other does not hold anywhere.
func (p *pair) otherSort() float64 {
	common := slices.ContainsFunc(p.older.subject, func(t string) bool { return slices.Contains(p.newer.subject, t) })
	lacks := func(a *Reading, b *Reading) bool {
		return slices.ContainsFunc(a.subject, func(t string) bool { return !slices.Contains(b.terms, t) })
	}
	return flag(common && lacks(p.older.Reading, p.newer.Reading) && lacks(p.newer.Reading, p.older.Reading))
}

func (p *pair) otherSubject() float64 {
	if len(p.older.subject) == 0 || len(p.newer.subject) == 0 {
		return 0
	}
	return flag(!slices.ContainsFunc(p.older.subject, func(t string) bool { return slices.Contains(p.newer.subject, t) }))
}

func (p *pair) owners(same bool) float64 {
	if p.older.owner == "" || p.newer.owner == "" {
		return 0
	}
	return flag(areOne(p.older.Reading, p.newer.Reading) == same)
}

// otherValue reports whether both have values of a kind between from and to, and none of that kind in common.
func (p *pair) otherValue(from, to valueKind) float64 {
	return flag(differ(&p.older.values, &p.newer.values, from, to))
}

// otherAny returns 1 if that is so of values of any kind, names too.
func (p *pair) otherAny() float64 { return max(p.otherValue(number, ident), p.otherValue(name, name)) }

// differ reports whether both sides have values of a kind between from and to, and none of that kind in common.
func differ(older, newer *values, from, to valueKind) bool {
	for k := from; k <= to; k++ {
		if a, b := older[k], newer[k]; len(a) > 0 && len(b) > 0 && !meet(a, b) {
			return true
		}
	}
	return false
}

// otherLabel reports whether both say by a number or the like which of several things they are about, and not of the same.
func (p *pair) otherLabel() bool { return differ(&p.older.labels, &p.newer.labels, number, ident) }

// sameValue reports whether both have a value of a kind between from and to in common.
func (p *pair) sameValue(from, to valueKind) float64 {
	for k := from; k <= to; k++ {
		if meet(p.older.values[k], p.newer.values[k]) {
			return 1
		}
	}
	return 0
}

func (p *pair) days() float64 {
	if p.older.At.IsZero() || p.newer.At.IsZero() {
		return 0
	}
	return min(1, max(0, p.newer.At.Sub(p.older.At).Hours()/24/180))
}
