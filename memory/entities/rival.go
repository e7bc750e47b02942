package entities

import (
	"cmp"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// rival is an entity that a cluster may name, with the pair that speaks for it most.
type rival struct {
	pair  *pair
	place int // of the mention
	bits  float64
}

// rivals returns the entities that any mention of the cluster may name, the likeliest first. An entity that contradicts one
// of the mentions is none.
func (r *resolver) rivals(places []int) []rival {
	if m := r.mentions[places[0]]; len(places) == 1 && len(r.known.Unsettled([]Mention{m})) == 0 {
		if only := r.rivalsAmong(places, r.known.Named(m.Form, m.Key)); len(only) > 0 || len(r.c.Apart[m.Key]) > 0 {
			return only // the one that bears the very name: similar names do not matter
		}
	}
	return r.rivalsAmong(places, r.known.Roots())
}

func (r *resolver) rivalsAmong(places []int, roots []Entity) []rival {
	byRoot := map[string]rival{}
	vetoed := map[string]bool{}
	for _, place := range places {
		m := r.mentions[place]
		for _, root := range roots {
			if slices.Contains(r.c.Apart[m.Key], root.ID) {
				vetoed[root.ID] = true
				continue
			}
			p := r.pair(m, r.known.groups[root.ID])
			if len(places) > 1 && (kindAgreement(p) < 0 || metadataAgreement(p) < 0) {
				vetoed[root.ID] = true
			}
			if p.similarity == 0 {
				continue
			}
			v := rival{p, place, p.bits()}
			if held, seen := byRoot[root.ID]; !seen || v.bits > held.bits {
				byRoot[root.ID] = v
			}
		}
	}
	var rivals []rival
	for id, v := range byRoot {
		if !vetoed[id] {
			rivals = append(rivals, v)
		}
	}
	slices.SortFunc(rivals, func(a, b rival) int {
		return cmp.Or(compareBool(a.pair.exact(), b.pair.exact()), cmp.Compare(b.bits, a.bits),
			compareBool(a.pair.waits(), b.pair.waits()), Compare(a.pair.nodes[0], b.pair.nodes[0]))
	})
	return rivals
}

// pair puts a mention beside an entity, by the name of it that is most like the mention. Retrieved names lend nothing
// to a memory of higher authority, unless they identify.
func (r *resolver) pair(m Mention, nodes []Entity) *pair {
	p := &pair{m: m, nodes: nodes, by: nodes[0], beside: r.beside, known: r.known, c: r.c}
	a := newNamed(m.Form, m.Kind, m.Key)
	for _, e := range nodes {
		similarity, name := compare(a, r.known.named[e.ID])
		lent := e.Authority == ctxmcp.AuthorityRetrieved && r.c.Authority < e.Authority
		if lent && !(name == "identical" && identifies(m)) {
			continue
		}
		nearer := similarity == p.similarity && e.Home == r.c.Home && p.by.Home != r.c.Home
		if similarity > p.similarity || nearer && similarity > 0 {
			p.similarity, p.comparison, p.by = similarity, name, e
		}
	}
	return p
}

// identifies reports whether the name means the same thing from everybody: an address, a number, or a name that a
// vocabulary holds.
func identifies(m Mention) bool {
	n := newNamed(m.Form, m.Kind, m.Key)
	return m.Form.identifies() || m.Kind != Person && len(n.words) < 3 && n.specific() && (m.Kind == System || m.Kind == Place) && inVocabulary(m.Key)
}

func inVocabulary(key string) bool {
	_, isSystem := systems()[joined(key)]
	return isSystem || places.Has(key)
}

// margin is the number of bits by which the best entity must lead the next for a merge without a question.
const margin = 2

// cap bounds a score below the merge if another entity is about as likely, or if a retrieved text would join an entity of
// higher authority.
func (r *resolver) cap(score float64, best rival, others []rival) float64 {
	for _, o := range others {
		if o.pair.exact() == best.pair.exact() && best.bits-o.bits < margin && !o.pair.twinOf(best.pair) && !o.pair.asksOf(best.pair) {
			score = min(score, underMerge)
		}
	}
	if best.pair.otherForm() {
		score = min(score, underMerge)
	}
	retrieved := r.c.Authority == ctxmcp.AuthorityRetrieved && authority(best.pair.nodes) < ctxmcp.AuthorityRetrieved
	if retrieved && !(best.pair.exact() && identifies(best.pair.m)) {
		score = min(score, underMerge)
	}
	return score
}

// otherForm reports whether the entity is known by the mention's name with another form of company: Globex Inc., which is called Globex too,
// may be Globex GmbH.
func (p *pair) otherForm() bool {
	m := newNamed(p.m.Form, p.m.Kind, p.m.Key)
	return !p.exact() && slices.ContainsFunc(p.nodes, func(e Entity) bool { return otherCompany(m, p.known.named[e.ID]) })
}

// twinOf reports whether two entities bear the very name in one place and differ only in who may see them: it is bound to
// the one that more may see.
func (p *pair) twinOf(o *pair) bool {
	return p.exact() && p.by.Key == o.by.Key && p.by.Home == o.by.Home && p.by.Kind == o.by.Kind && p.by.Classification != o.by.Classification
}

// waits reports whether the entity waits for review.
func (p *pair) waits() bool { return p.nodes[0].State == Pending }

// asksOf reports whether one of two entities waits for the review of whether it is the other: that question is open already.
func (p *pair) asksOf(o *pair) bool {
	asks := func(a, b *pair) bool {
		return a.waits() && slices.ContainsFunc(a.nodes[0].Candidates, func(c Candidate) bool { return c.ID == b.nodes[0].ID })
	}
	return asks(p, o) || asks(o, p)
}

// candidates returns the entities that a review is to choose from.
func candidates(rivals []rival, c Context) []Candidate {
	const most = 3
	var all []Candidate
	for _, v := range rivals {
		if score := probability(v.bits); score > ReviewOver && len(all) < most {
			all = append(all, Candidate{v.pair.nodes[0].ID, min(score, underMerge)})
		}
	}
	return all
}
