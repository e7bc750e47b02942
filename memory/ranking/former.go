package ranking

import (
	"github.com/ctx-mcp/ctx-mcp/language/relations"
)

// former is a statement that holds no more, since a candidate has taken its place.
type former struct {
	words     lexical
	relations func() []relations.Relation
}

// readFormer reads what candidates have taken the place of.
func (e *Evidence) readFormer(like *likeness) {
	if len(e.found.Former) == 0 {
		return
	}
	e.former = map[int][]former{}
	counts := make([]float64, len(e.q.Terms))
	for i, c := range e.found.Candidates {
		if e.texts[i] == nil {
			continue
		}
		for _, f := range e.found.Former[c.Object.ObjectID] {
			clear(counts)
			e.bm25.tally(counts, f.Terms)
			e.former[i] = append(e.former[i], former{like.read(f, counts), statementOf(f.Object).relations})
		}
	}
}

// succeed lets candidates take over how well those answer whose place they have taken for sure.
func (e *Evidence) succeed() {
	if e.q.asksPast {
		return
	}
	for i, all := range e.former {
		for _, f := range all {
			fit := f.words.fit()
			e.inherited[i] = max(e.inherited[i], fit-e.fit(i))
			e.replaces[i] = max(e.replaces[i], fit, e.fit(i))
		}
	}
}
