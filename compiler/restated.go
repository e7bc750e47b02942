package compiler

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/memory/later"
)

// A statement that says a change takes the place of an earlier one of which it says the matter again: half of it, or a third where the grammar of
// change sees a change too.
const (
	mostRestated   = 0.5
	someRestated   = 0.34
	leastRestated  = 2   // words
	likelyRestated = 0.3 // the probability of a change
)

// giveWayToRestated leaves out what a later statement with a word of change says the matter of again. Older forms of inputs know no such pairs.
func (s *state) giveWayToRestated(items []*item, read []*change.Weighed) {
	if s.in.Schema == firstInputsSchema {
		return
	}
	for j, newer := range items {
		if !read[j].Changes() || newer.contained || isConstraint(newer) {
			continue
		}
		for i, older := range items {
			if older.drop != nil || older.contained || isConstraint(older) || !read[i].At.Before(read[j].At) || !change.Comparable(read[i].Reading, read[j].Reading) {
				continue
			}
			if s.alignable.restates(older.text, newer.text, read[i].Changed(read[j]).Probability) {
				s.replace(older, newer)
			}
		}
	}
}

// alignable holds texts as they are lined up with each other: each is read once for all others.
type alignable map[string]*later.Statement

func (m alignable) of(text string) *later.Statement {
	read, held := m[text]
	if !held {
		read = later.New(ctxmcp.Cut(text, mostNeed), nil)
		m[text] = read
	}
	return read
}

// restates reports whether a text says the matter of an older one again, given the probability that it changes it.
func (m alignable) restates(older, newer string, probability float64) bool {
	share, words := m.restated(older, newer)
	return share >= mostRestated && words >= leastRestated || share >= someRestated && probability >= likelyRestated
}

// quantified reports whether a text holds a quantity. A request may repeat the words of a memory; only one with a quantity says that it is
// otherwise now.
func quantified(text string) bool {
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if _, is := quantity(strings.Trim(word, ".,;:!?()")); is {
			return true
		}
	}
	return false
}

// restated returns the share of the matter of a text that another says again, and the number of the words in which it does.
func (m alignable) restated(older, newer string) (share float64, words int) {
	return m.of(older).Again(m.of(newer))
}
