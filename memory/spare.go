package memory

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/memory/extract"
)

// spare takes out of the effects of acts the objects of which the plan's object says nothing: the code of a gym that somebody quits stays as it is, and
// a statement that holds more than the changed detail is kept, behind the newer one.
func (p *plan) spare(effects []effect, l lines) ([]effect, lines) {
	if len(effects) == 0 {
		return effects, l
	}
	newer := p.reading()
	kept := slices.DeleteFunc(slices.Clone(effects), func(e effect) bool {
		older := e.reading()
		if e.act.Kind == extract.Replaces && older.Legible() && newer.Legible() && e.object.ContradictionStatus == ctxmcp.Clean && change.HoldsMore(older, newer, false) {
			l.likely = append(l.likely, related{object: e.object, said: older, verdict: change.Verdict{Kind: change.Replace, Probability: change.LikelyFrom}})
			return true
		}
		return e.act.Kind == extract.Ends && change.Beside(older, newer)
	})
	return kept, l
}
