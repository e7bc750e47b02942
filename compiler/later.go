package compiler

import (
	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/memory/later"
)

// The probabilities with which a later statement leaves an earlier one behind: from the first on the earlier one is left out; from the second on it is
// shown with a doubt, below the later one; from the third on it is left out where its words did not bring it.
const (
	leftBehind = 0.5
	doubtful   = 0.15
	notWorth   = 0.06
)

// giveWayToLater leaves out statements that a later one likely leaves behind, and puts a doubt on those that it may leave behind. Constraints stay. Older forms
// of inputs know no such pairs.
func (s *state) giveWayToLater(items []*item, read []*change.Weighed, weigh change.Words) {
	if !s.in.filled() {
		return
	}
	all := make([]*later.Statement, len(items))
	for i, it := range items {
		all[i] = s.alignable.of(it.text).Read(read[i])
	}
	for _, l := range later.LineUp(all, weigh, notWorth) {
		older, newer := items[l.Older], items[l.Newer]
		switch {
		case isConstraint(older) || isConstraint(newer) || older.drop != nil || newer.contained:
		case l.Probability >= leftBehind || older.ofRest:
			s.replace(older, newer)
		case l.Probability >= doubtful && s.letIn(older, newer):
			older.doubt = newer
		}
	}
}
