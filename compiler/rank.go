package compiler

import (
	"cmp"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// rank puts every candidate in a tier, and leaves out what does not bear on the task: too much context costs attention
// and sets constraints that nobody meant.
func rank(s *state) error {
	asked := s.question()
	best := 0.0
	for _, it := range s.live() {
		if it.Kind == KindMemory && !it.standard() {
			best = max(best, it.weighed())
		}
	}
	for _, it := range s.live() {
		if best > 0 {
			it.share = it.weighed() / best
		}
		if reason := s.inactive(it, asked); reason != "" {
			it.tier = Irrelevant
			s.omit(it, reason, "", "")
			continue
		}
		if it.tier = s.tierOf(it, asked); it.tier == Irrelevant {
			s.omit(it, IrrelevantTask, "", "")
		}
	}
	s.leaveElsewhere(asked)
	s.leaveUntouched(asked)
	s.ofArea(asked)
	s.ofNames()
	s.ofReplaced(asked)
	s.leaveFlagged()
	s.onlyTheBest()
	s.ofRest(asked)
	s.ofNews(asked)
	return nil
}

// leaveFlagged leaves out memories of others that speak to a model, unless the question surely asks for them.
func (s *state) leaveFlagged() {
	for _, it := range s.live() {
		if it.Kind == KindMemory && it.Object.Authority > ctxmcp.AuthorityUser && speaks(it.Warnings) && it.Relevance < sure {
			it.tier = Irrelevant
			s.omit(it, IrrelevantTask, "", "it speaks to the model, and was not asked for")
		}
	}
}

// said is how much of the relevance of a memory counts, by who said it: the words of people stand before those of others, and what tools
// returned in earlier sessions behind both.
var saidBySource = map[ctxmcp.SourceKind]float64{
	ctxmcp.Inference: 0.8, ctxmcp.Document: 0.7, ctxmcp.Web: 0.6, ctxmcp.ToolOutput: 0.6,
}

// weighed returns the relevance of an item as far as it counts.
func (it *item) weighed() float64 {
	if w, known := saidBySource[it.Object.SourceKind]; known && it.Kind == KindMemory {
		return it.Relevance * w
	}
	return it.Relevance
}

// mostFound is how many memories come because of the question's words; behind them a list is noise. Those that are sure come in any number.
const mostFound = 14

// onlyTheBest leaves out of what only the words of the question brought all but the best. The turns of a conversation that is remembered are
// evidence, of which the budget takes what it can.
func (s *state) onlyTheBest() {
	var found []*item
	for _, it := range s.live() {
		if it.Kind == KindMemory && it.tier != Critical && !it.standard() && !it.activated && it.Object.Author == "" {
			found = append(found, it)
		}
	}
	slices.SortFunc(found, func(a, b *item) int { return cmp.Or(cmp.Compare(b.share, a.share), compareItems(a, b)) })
	for i, it := range found {
		if i >= mostFound && it.Relevance < sure {
			it.tier = Irrelevant
			s.omit(it, IrrelevantTask, "", "")
		}
	}
}

// narrow is the share of the best relevance from which a preference holds that does not say when it matters.
const narrow = 0.5

// inactive is the gate between a memory and the task: the type of the task is among those that it applies to, and the task
// touches why it matters. A memory above every user bounds every task of its types.
func (s *state) inactive(it *item, asked *question) Reason {
	o, task := it.Object, s.in.Request.TaskType
	if it.Kind != KindMemory {
		return ""
	}
	if len(o.ApplicableTaskTypes) > 0 && task != "" && !slices.Contains(o.ApplicableTaskTypes, task) {
		return OtherTask
	}
	if it.standard() {
		return ""
	}
	judged := task != "" || it.Standing && it.Relevance < s.in.Policy.MinRelevance
	switch {
	case !judged:
		return ""
	case len(o.ApplicableTaskTypes) > 0 && task == "":
		return NotActive
	case o.WhyItMatters != "" && !asked.matters(o):
		return NotActive
	case o.ObjectType == ctxmcp.Preference && o.WhyItMatters == "" && len(o.ApplicableTaskTypes) == 0 && it.share < narrow && !holdsAlways(o) && task != "":
		return NotActive
	}
	return ""
}

// tierOf returns the tier of an active item. An item that was asked for by its id is important. A memory is as
// important as it is relevant, beside the most relevant; one that says when it matters, and matters now, is important
// in any words.
func (s *state) tierOf(it *item, asked *question) Tier {
	p, o := s.in.Policy, it.Object
	it.activated = o.WhyItMatters != "" && asked.matters(o) ||
		len(o.ApplicableTaskTypes) > 0 && s.in.Request.TaskType != ""
	switch {
	case it.Kind == KindArtifact:
		return Useful
	case it.Kind != KindMemory:
		return Important
	case it.standard() && o.ObjectType == ctxmcp.ToolSchema:
		return Important
	case it.standard():
		return Critical
	case it.capped == "" && o.ObjectType == ctxmcp.ActionableConstraint && o.Authority <= ctxmcp.AuthorityUser && (it.activated || o.WhyItMatters == ""):
		return Critical
	case it.activated && o.Authority <= ctxmcp.AuthorityInferred && len(o.Domains) == 0:
		return Important
	case s.standsAnywhere(it) && it.share < p.Minimal:
		return Minimal
	case it.Relevance < p.MinRelevance:
		return s.related(it)
	case it.share >= p.Important:
		return Important
	case it.share >= p.Useful:
		return Useful
	case it.share >= p.Minimal && (it.share >= p.Beside || it.Relevance >= sure || o.Author != "" || asked.named(o.Content)):
		return Minimal
	}
	return s.related(it)
}

// standsAnywhere reports whether an item is a preference of the user of which nothing says what it is for, and nothing that it is not for this.
func (s *state) standsAnywhere(it *item) bool {
	o := it.Object
	return it.Standing && s.in.Request.TaskType == "" && o.ObjectType == ctxmcp.Preference && o.Authority <= ctxmcp.AuthorityUser &&
		o.WhyItMatters == "" && len(o.ApplicableTaskTypes) == 0
}

// related returns the tier of an item that the words of the question do not find: a source of a selected object, or an
// object derived from one, may matter a little.
func (s *state) related(it *item) Tier {
	if it.relation == relationParent || it.relation == relationChild {
		return Minimal
	}
	return Irrelevant
}
