package compiler

import "github.com/ctx-mcp/ctx-mcp/memory/change"

// The relevance, and the nearness to the step, from which a statement may come without a word of it.
const (
	untouchedSure = 0.25
	untouchedNear = 0.15
)

// leaveUntouched leaves out statements that only their relevance brought, and that share no word with the step, nor have one that stands for a word of it: such a
// likeness is of the kind of sentence, and not of its matter. What says a change stays, for it tells of a matter in other words than the question. Older forms
// of inputs leave nothing out so.
func (s *state) leaveUntouched(asked *question) {
	if !s.in.labelled() {
		return
	}
	near := asked.near()
	for _, it := range s.live() {
		o := it.Object
		if it.Kind != KindMemory || it.tier == Critical || it.standard() || it.activated || it.Standing || o.Author != "" || it.relation != "" || it.Relevance >= untouchedSure {
			continue
		}
		if !asked.touches(o.Content) && near(o.Content) < untouchedNear && !change.Read(change.Of(o)).Changes() {
			it.tier = Irrelevant
			s.omit(it, IrrelevantTask, "", "")
		}
	}
}
