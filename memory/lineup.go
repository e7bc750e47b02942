package memory

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/memory/extract"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// Bounds of what a statement is lined up with.
const (
	mostLinedUp  = 10 // objects that are looked at
	mostSearched = 30 // terms that they are found by
	mostReplaced = 3  // objects that one statement surely replaces; more, and it describes none of them
	mostSimilar  = 3  // that are shown
)

// unsearched is the weight of a term that nothing was searched by: a shorter word, which many statements may hold.
const unsearched = 0.5

// related is an object beside which the new one is to be seen.
type related struct {
	object   ctxmcp.ContextObject
	said     *change.Reading
	verdict  change.Verdict
	likeness change.Likeness
	matters  []string // that both speak of
	competes bool     // both hardly hold, and the words do not say that one takes the place of the other
	succeeds bool     // likewise, and the new one is something new, which likely does
}

// lineUp finds the objects with the home of the plan's object that are about the same, and what the new one does to each. An object
// gives way to the one that fits it best.
func (s *writer) lineUp(ctx context.Context, by ctxmcp.Caller, p *plan) ([]related, error) {
	newer := p.reading()
	terms := newer.Terms()
	if !newer.Legible() || len(terms) == 0 {
		return nil, nil
	}
	q := sameHome(by, p.object)
	q.Statuses, q.AsOf = []ctxmcp.ContradictionStatus{ctxmcp.Clean}, p.object.ValidFrom
	terms = terms[:min(len(terms), mostSearched)]
	found, err := s.searchSaid(ctx, q, p.object.Content, terms, mostLinedUp)
	if err != nil {
		return nil, fmt.Errorf("find what a statement is about: %w", err)
	}
	rarity := change.Rarity(found.Documents, func(term string) int { return found.Frequency[term] })
	weigh := change.Words(func(term string) float64 {
		if !slices.Contains(terms, term) {
			return unsearched
		}
		return rarity(term)
	}).Once()
	weighed := change.Weigh(newer, weigh)
	all := make([]related, 0, len(found.Candidates))
	best := 0.0
	for i := range found.Candidates {
		c := &found.Candidates[i]
		if !newer.MayConcern(c.Terms, weigh) || p.ofNamesake(*c.Object) {
			continue
		}
		r := s.relate(p.object, c, weighed, weigh)
		best = max(best, r.verdict.Probability)
		all = append(all, r)
	}
	for i := range all {
		if v := &all[i].verdict; best > 0 {
			v.Probability *= math.Sqrt(v.Probability / best)
		}
	}
	slices.SortFunc(all, func(a, b related) int {
		return cmp.Or(cmp.Compare(b.verdict.Probability, a.verdict.Probability), cmp.Compare(b.likeness, a.likeness), Compare(a.object, b.object))
	})
	return all, nil
}

// relate returns a candidate as it is to be seen beside an object.
func (s *writer) relate(o ctxmcp.ContextObject, c *ranking.Candidate, newer *change.Weighed, weigh change.Words) related {
	older := change.Weigh(c.Reading(), weigh)
	held := c.Object.Clone()
	r := related{object: held, said: older.Reading, likeness: older.Likeness(newer), matters: change.Matters(older.Reading, newer.Reading)}
	if !s.mayChange(o, held) {
		return r
	}
	r.verdict = changed(o, held, older, newer)
	if !isClaimed(o) && !isClaimed(held) { // claims of callers are reconciled instead
		r.succeeds = change.Succeeds(older.Reading, newer.Reading)
		r.competes = r.succeeds || older.Competes(newer)
	}
	return r
}

// changed returns the effect of the new object on a held one that it may change.
func changed(o, held ctxmcp.ContextObject, older, newer *change.Weighed) change.Verdict {
	v := older.Changed(newer)
	if isClaimed(o) && isClaimed(held) {
		if o.Claim.Slot() == held.Claim.Slot() {
			return change.Verdict{} // to be reconciled
		}
		v.Probability = min(v.Probability, bothClaimed)
	}
	return v
}

// mayChange reports whether the words of an object may change anything of a held one. Retrieved text states, and changes nothing; and neither
// does an object change one that only tells of an end.
func (s *writer) mayChange(o, held ctxmcp.ContextObject) bool {
	return !s.Options.IgnoreActs && o.Authority <= actsUpTo && mayDisplace(o, held) && !otherDomains(o, held) && !(held.ClaimExtracted && alike(o.Claim, held.Claim))
}

// bothClaimed bounds the probability of a change between objects whose callers claimed different things: it is never carried out.
const bothClaimed = change.SureFrom - 0.01

// isClaimed reports whether a caller made the claim of an object in so many words.
func isClaimed(o ctxmcp.ContextObject) bool { return !o.Claim.IsZero() && !o.ClaimExtracted }

// lines divides the related objects by what is done with them.
type lines struct {
	sure   []effect
	likely []related
	unsure []string // ids of objects that the new one competes with
}

// divide returns the objects that the plan's object surely replaces, as effects, and those that it likely does. A pair that a
// claim, an act of the text or the caller has settled is left to it.
func (p *plan) divide(all []related, settled []ctxmcp.ContextObject) lines {
	l := lines{unsure: p.unsure(all, settled)}
	for _, r := range all {
		if r.verdict.Likely() && r.likeness < change.Rephrased {
			p.object.Matters = union(p.object.Matters, r.matters)
		}
		held := slices.ContainsFunc(settled, func(o ctxmcp.ContextObject) bool { return o.ObjectID == r.object.ObjectID })
		switch {
		case held || r.likeness >= change.Rephrased:
		case r.verdict.Sure():
			l.sure = append(l.sure, effect{r.object, extract.Act{Form: string(r.verdict.Kind), Kind: endsOrReplaces(r.verdict.Kind)}, r.said})
		case r.verdict.Likely():
			l.likely = append(l.likely, r)
		}
	}
	if len(l.sure) > mostReplaced {
		for _, r := range all {
			if r.verdict.Sure() && len(l.likely) < mostLinedUp {
				l.likely = append(l.likely, r)
			}
		}
		l.sure = nil
	}
	return l
}

// endsOrReplaces returns the kind of act that a change is carried out as.
func endsOrReplaces(k change.Kind) extract.Kind {
	switch k {
	case change.Stop, change.Cancel, change.Complete:
		return extract.Ends
	default:
		return extract.Replaces
	}
}

// saidInOtherWords makes the plan confirm a related object of the same author that says the same as the plan's object: word for word, but
// for words without a meaning, the forms of words, and how a contrast is put.
func (p *plan) saidInOtherWords(all []related) bool {
	for _, r := range all {
		o := r.object
		if r.likeness < change.Restated || !repeated(p.object, o) || bindsMore(p.object, o) {
			continue
		}
		p.confirm(o, "said before in nearly the same words")
		if r.likeness == change.Restated {
			p.similar = []Similar{{ObjectID: o.ObjectID, Content: o.Content, Relation: Duplicate, RecordedAt: o.TxStart}}
		}
		return true
	}
	return false
}

// mark notes on the objects that the new one likely outdates that it does. They stay, and are recalled behind it.
func (p *plan) mark(likely []related) {
	if p.status == Quarantine {
		return
	}
	for _, r := range likely {
		closed := func(c Closing) bool { return c.Key == ctxmcp.KeyOf(r.object) }
		if !slices.ContainsFunc(p.change.Close, closed) {
			p.change.Mark = append(p.change.Mark, Marking{r.object.TenantID, r.object.ObjectID, p.object.ObjectID})
		}
	}
}
