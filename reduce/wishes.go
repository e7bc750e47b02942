package reduce

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/memory/later"
)

// mostWishes bounds the sentences of the user that are lined up with each other: the latest.
const mostWishes = 80

// likelyRevised is the probability from which a statement is told with the later one that changes it. People who tell of themselves say again and again
// something of one matter.
const likelyRevised = 0.75

// wish is a sentence of the user or the developer.
type wish struct {
	line   int32 // -1: it stays in the conversation
	at     int   // of its message; 0: it stays
	source source
	text   string
	order  *later.Wish // nil: it orders nothing
}

// followWishes finds out which sentences of the user a later one surely takes back or changes, there or in what stays, and which one likely does. The
// developer's are changed by the developer alone.
func (c *corpus) followWishes(tail []segment) {
	all := c.wishes(tail)
	for _, l := range change.LineUp(weighedTogether(all), likelyRevised) {
		c.revise(&all[l.Older], &all[l.Newer], l.Probability)
	}
	for i := range all {
		for j := i + 1; j < len(all) && !c.over(); j++ {
			if older, newer := &all[i], &all[j]; older.order != nil && newer.order != nil && (older.source == fromUser || newer.source == fromSystem) {
				c.revise(older, newer, older.order.TakenBack(newer.order))
			}
		}
	}
}

// weighedTogether returns the sentences as statements, with the weights that words have among them.
func weighedTogether(all []wish) []*change.Weighed {
	readings, frequency := make([]*change.Reading, len(all)), map[string]int{}
	for i := range all {
		authority := ctxmcp.AuthorityUser
		if all[i].source == fromSystem {
			authority = ctxmcp.AuthorityDeveloper
		}
		readings[i] = change.Read(change.Statement{Text: all[i].text, Authority: authority, Kind: ctxmcp.UserStatement})
		for _, t := range readings[i].Terms() {
			frequency[t]++
		}
	}
	weigh := change.Rarity(len(all), func(term string) int { return frequency[term] }).Once()
	read := make([]*change.Weighed, len(all))
	for i, r := range readings {
		read[i] = change.Weigh(r, weigh)
	}
	return read
}

// wishes returns the latest sentences of the user and the developer, in order.
func (c *corpus) wishes(tail []segment) (all []wish) {
	for i := range c.lines {
		if l := &c.lines[i]; c.segs[l.seg].source.instructs() && l.prose && !heading(l.text) {
			all = append(all, wish{int32(i), c.segs[l.seg].at, c.segs[l.seg].source, l.text, later.ReadWish(l.text)})
		}
	}
	slices.SortFunc(all, func(a, b wish) int { return c.compareLines(a.line, b.line) })
	for _, s := range tail {
		if s.source.instructs() {
			splitProse(s.text, func(_, _ int, piece string, prose bool) {
				if text, _, _ := bare(piece); prose && !worthless(text) && !heading(text) {
					all = append(all, wish{-1, 0, s.source, text, later.ReadWish(text)})
				}
			})
		}
	}
	return all[max(0, len(all)-mostWishes):]
}

// heading reports whether a sentence is the heading of a part of a text, which wishes nothing.
func heading(text string) bool { return strings.HasPrefix(text, "#") }

// revise notes that a later sentence changes one of an earlier message, with a probability: nobody takes back in a message what stands above in it, a
// guide that lists its cases least of all.
func (c *corpus) revise(older, newer *wish, probability float64) {
	if older.line < 0 || older.at == newer.at || probability < change.LikelyFrom {
		return
	}
	st := c.speech.of[older.line]
	switch {
	case probability >= change.SureFrom:
		st.takenBack = true
	case older.order.Plain() && newer.order != nil:
		st.doubted, st.forbids = append(st.doubted, newer.line), older.order.Forbids()
	}
}

// givesWay reports whether a later statement takes the place of one: of the agent's it plainly revises it, of the user's it takes it back.
func (c *corpus) givesWay(l *line, st *statement) bool {
	if c.segs[l.seg].source.instructs() {
		return st.takenBack
	}
	return st.revised
}

// withLater returns lines without those for which none of the later ones that likely change them is there. A ban stays: who knows no exception asks first.
func (c *corpus) withLater(lines []int32) []int32 {
	kept := slices.Clone(lines)
	alone := func(id int32) bool {
		st := c.speech.of[id]
		there := func(newer int32) bool { return newer < 0 || slices.Contains(kept, newer) }
		return st != nil && len(st.doubted) > 0 && !st.forbids && !slices.ContainsFunc(st.doubted, there)
	}
	for { // one that goes may be the last for which another one stayed
		at := slices.IndexFunc(kept, alone)
		if at < 0 {
			return kept
		}
		kept = slices.Delete(kept, at, at+1)
	}
}

// differ reports whether a later one of the lines likely changes an earlier one, or one that stays does.
func (c *corpus) differ(lines []int32) bool {
	return slices.ContainsFunc(lines, func(id int32) bool { return c.speech.of[id] != nil && len(c.speech.of[id].doubted) > 0 })
}

// byDeveloper reports whether a line is one of the developer, over which no later one of the user counts.
func (c *corpus) byDeveloper(id int32) bool { return c.segs[c.lines[id].seg].source == fromSystem }

// compareLines orders lines by where they stood last.
func (c *corpus) compareLines(a, b int32) int {
	x, y := &c.lines[a], &c.lines[b]
	return cmp.Or(cmp.Compare(x.seg, y.seg), cmp.Compare(x.row, y.row), cmp.Compare(x.col, y.col), cmp.Compare(a, b))
}
