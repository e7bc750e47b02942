package compiler

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// leave matches a statement that lifts a ban: "it may be used again".
var leave = language.NewPattern(`(?i)\b%s(?: \pL+){0,4} %s\b`, language.Standing.Row("leave"), language.Standing.Row("again"))

// liftConstraints leaves out a constraint that the user later lifted, in a sentence with half of its words. Older forms of inputs lift none.
func (s *state) liftConstraints(items []*item, read []*change.Weighed) {
	if !s.in.labelled() {
		return
	}
	for j, newer := range items {
		if newer.contained || !lifts(newer.text) {
			continue
		}
		for i, older := range items {
			if !isConstraint(older) || older.contained || !read[i].At.Before(read[j].At) || newer.Object.Authority > older.Object.Authority {
				continue
			}
			if share, words := s.alignable.restated(older.text, newer.text); share >= mostRestated && words >= leastRestated {
				s.replace(older, newer)
			}
		}
	}
}

// lifts reports whether a text allows something again, and without a condition.
func lifts(text string) bool {
	for _, w := range strings.Fields(strings.ToLower(leave.FindString(text))) {
		if language.Negations.Has(w) || w == "only" {
			return false
		}
	}
	return leave.MatchString(text)
}
