package ranking

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// Ranked is the best version of an object. Relevance is in [0, 1].
type Ranked struct {
	Object    *ctxmcp.ContextObject
	Relevance float64
}

// scored is a version with the weighted sum of its features.
type scored struct {
	object           *ctxmcp.ContextObject
	relevance, score float64
}

// Rank returns one version of each object, best first.
func (e *Evidence) Rank() []Ranked {
	totals, best := e.totals()
	certainty := e.certainty()
	versions := map[string]scored{}
	for i, total := range totals {
		v := scored{object: &e.found.Candidates[i].Object, score: total}
		if best > 0 {
			v.relevance = total / best * certainty
		}
		if held, ok := versions[v.object.ObjectID]; !ok || v.score >= held.score {
			versions[v.object.ObjectID] = v
		}
	}
	all := slices.SortedFunc(maps.Values(versions), better)
	out := make([]Ranked, len(all))
	for i, v := range all {
		out[i] = Ranked{v.object, v.relevance}
	}
	return out
}

// better orders by relevance, then by score where relevance is at its ceiling, then by authority, by the later beginning
// and by id, so that the order is total.
func better(a, b scored) int {
	return cmp.Or(
		cmp.Compare(b.relevance, a.relevance), cmp.Compare(b.score, a.score),
		cmp.Compare(a.object.Authority, b.object.Authority), b.object.ValidFrom.Compare(a.object.ValidFrom),
		cmp.Compare(a.object.ObjectID, b.object.ObjectID), cmp.Compare(a.object.Version, b.object.Version),
	)
}
