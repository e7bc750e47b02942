package compiler

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// rank puts every candidate in a tier, and leaves out what does not bear on the task: too much context costs attention
// and sets constraints that nobody meant.
func rank(s *state) error {
	query := s.questionTerms()
	best := 0.0
	for _, it := range s.live() {
		if it.Kind == KindMemory && !it.standard() {
			best = max(best, it.Relevance)
		}
	}
	for _, it := range s.live() {
		if best > 0 {
			it.share = it.Relevance / best
		}
		if reason := s.inactive(it, query); reason != "" {
			it.tier = Irrelevant
			s.omit(it, reason, "", "")
			continue
		}
		if it.tier = s.tierOf(it, query); it.tier == Irrelevant {
			s.omit(it, IrrelevantTask, "", "")
		}
	}
	return nil
}

// questionTerms returns what the task is about: the words of the query, of the user's turn, and of the type of the task.
func (s *state) questionTerms() map[string]bool {
	r := s.in.Request
	terms := map[string]bool{}
	for _, text := range []string{r.Query, r.UserMessage, strings.ReplaceAll(string(r.TaskType), "_", " ")} {
		for _, t := range language.Query(text) {
			terms[t] = true
		}
	}
	return terms
}

// narrow is the share of the best relevance from which a preference holds that does not say when it matters.
const narrow = 0.5

// inactive is the gate between a memory and the task: the type of the task is among those that it applies to, and the task
// touches why it matters. What stands above every user bounds every task of its types.
func (s *state) inactive(it *item, query map[string]bool) Reason {
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
	case o.WhyItMatters != "" && !touches(query, o.WhyItMatters):
		return NotActive
	case o.ObjectType == ctxmcp.Preference && o.WhyItMatters == "" && len(o.ApplicableTaskTypes) == 0 && it.share < narrow:
		return NotActive
	}
	return ""
}

func touches(query map[string]bool, reason string) bool {
	return slices.ContainsFunc(language.Query(reason), func(t string) bool { return query[t] })
}

// tierOf returns the tier of an active item. What was asked for by its id is important; a memory is as important as it is
// relevant, beside the most relevant; what says when it matters, and matters now, is important whatever its words.
func (s *state) tierOf(it *item, query map[string]bool) Tier {
	p, o := s.in.Policy, it.Object
	activated := o.WhyItMatters != "" && touches(query, o.WhyItMatters) ||
		len(o.ApplicableTaskTypes) > 0 && s.in.Request.TaskType != ""
	switch {
	case it.Kind != KindMemory:
		return Important
	case it.standard() && o.ObjectType == ctxmcp.ToolSchema:
		return Important
	case it.standard():
		return Critical
	case it.capped == "" && o.ObjectType == ctxmcp.ActionableConstraint && o.Authority <= ctxmcp.AuthorityUser && (activated || o.WhyItMatters == ""):
		return Critical
	case activated && o.Authority <= ctxmcp.AuthorityInferred && len(o.Domains) == 0:
		return Important
	case it.Relevance < p.MinRelevance:
		return s.related(it)
	case it.share >= p.Important:
		return Important
	case it.share >= p.Useful:
		return Useful
	case it.share >= p.Minimal:
		return Minimal
	}
	return s.related(it)
}

// related returns the tier of what the words of the question do not find: what a selected object is derived from, or what is
// derived from it, may matter a little.
func (s *state) related(it *item) Tier {
	if it.relation == relationParent || it.relation == relationChild {
		return Minimal
	}
	return Irrelevant
}
