package ranking

import (
	"math"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/language/relations"
)

// strongRelation is the weight from which a question is surely about a relation.
const strongRelation = 0.8

// relate fills related: for each candidate, how surely it tells of a relation that the question asks about, weighed by how few
// candidates do, in [0, 1].
func (e *Evidence) relate() {
	e.related = make([]float64, len(e.own))
	if len(e.q.relations) == 0 {
		return
	}
	asked := map[string]float64{}
	for _, r := range e.q.relations {
		asked[r.Name] = r.Weight
	}
	tells, read := map[string]float64{}, 0.0
	each := func(do func(i int, r relations.Relation)) {
		for i, c := range e.found.Candidates {
			if e.texts[i] == nil || len(c.Terms) > statementLength || e.otherTool(i) {
				continue
			}
			told := e.texts[i].relations()
			for _, f := range e.former[i] {
				told = slices.Concat(told, f.relations())
			}
			for _, r := range told {
				if asked[r.Name] > 0 {
					do(i, r)
				}
			}
		}
	}
	for i, c := range e.found.Candidates {
		if e.texts[i] != nil && len(c.Terms) <= statementLength {
			read++
		}
	}
	each(func(_ int, r relations.Relation) { tells[r.Name] += r.Weight })
	each(func(i int, r relations.Relation) {
		rarity := math.Log1p(read/(1+tells[r.Name])) / math.Log1p(read)
		e.related[i] = max(e.related[i], min(asked[r.Name], r.Weight)*rarity)
	})
}

// otherTool reports whether the question surely asks which tool of a kind is used, and the candidate tells neither of one of the kind nor of the work that
// it is for.
func (e *Evidence) otherTool(i int) bool {
	if e.texts[i] == nil || e.q.tool == "" {
		return false
	}
	return !slices.ContainsFunc(e.texts[i].relations(), func(r relations.Relation) bool { return r.Name == e.q.tool })
}

// toolAsked returns the kind of tools that a question surely asks for, or "".
func toolAsked(asked []relations.Relation) string {
	for _, r := range asked {
		if r.Tool && r.Weight >= strongRelation {
			return r.Name
		}
	}
	return ""
}

// unrelated returns 1 for a candidate that tells of none of the relations that the question is surely about.
func (e *Evidence) unrelated(i int) float64 {
	if e.related[i] > 0 || len(e.q.relations) == 0 || e.q.relations[0].Weight < strongRelation {
		return 0
	}
	return 1
}
