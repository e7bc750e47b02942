package tools

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
)

// page is the text of an answer with memories: an entry each, and then a note on those that were left out.
type page struct {
	entries []string // in a brief, the first of a part with the heading above it
	notes   []string // a line each, the most useful first
}

// newPage returns the page of an answer, with a hint and the kept things beside memories.
func newPage(r memory.Recalled, hint string, kept ...namedOut) *page {
	p, short, part := &page{}, shortIDs(r.Memories), brief.Part("")
	for _, m := range r.Memories {
		entry := brief.Entry(short[m.Object.ObjectID], m.Object)
		if r.Brief && m.Part != part {
			part = m.Part
			entry = part.Heading() + "\n" + entry
		}
		p.entries = append(p.entries, entry)
	}
	if hint != "" {
		p.notes = append(p.notes, hint)
	}
	for _, k := range kept {
		p.notes = append(p.notes, k.told)
	}
	if r.Next != "" {
		p.notes = append(p.notes, "the next page: cursor "+r.Next)
	}
	if left := leftOut(r); left != "" {
		p.notes = append(p.notes, "left out: "+left)
	}
	p.notes = append(p.notes, r.Warnings...)
	return p
}

// hint returns what a reader should try next, or "".
func (c call) hint(r memory.Recalled) string {
	switch {
	case r.Unsure:
		return "it is not sure that any of these answers the question"
	case len(r.Memories) > 0 && r.Held > len(r.Memories):
		return fmt.Sprintf("%d of %d memories", len(r.Memories), r.Held)
	case len(r.Memories) > 0 || r.Omitted[memory.OverBudget] > 0:
		return ""
	case r.Held == 0 && r.Then:
		return "nothing is held here of that time: without as_of and believed_at recall tells what holds now"
	case r.Held == 0:
		return "nothing is remembered here yet"
	}
	return fmt.Sprintf("none of the memories held here (%d) answers this: recall without query gives a brief", r.Held)
}

// shortIDs returns the short forms of the ids of memories that stand together.
func shortIDs(memories []memory.Memory) map[string]string {
	var ids []string
	for _, m := range memories {
		ids = append(ids, m.Object.ObjectID)
	}
	return ctxmcp.ShortIDs(ids)
}

// leftOut counts, by reason, the memories that were left out though they may answer. Irrelevance is news only where nothing is relevant.
func leftOut(r memory.Recalled) string {
	var counts []string
	for _, why := range slices.Sorted(maps.Keys(r.Omitted)) {
		if n := r.Omitted[why]; n > 0 && (why != memory.BelowRelevance || len(r.Memories) == 0) {
			counts = append(counts, fmt.Sprintf("%d %s", n, why))
		}
	}
	return strings.Join(counts, ", ")
}

// within returns the text of the page with at most most tokens, and how many entries are in it: notes give way first, the least
// useful before the others, then entries from the end. Of the last line the beginning is left.
func (p *page) within(most int, counter memory.Counter) (text string, entries int) {
	entries = len(p.entries)
	for notes := len(p.notes); ; {
		text = strings.Join(slices.Concat(p.entries[:entries], p.notes[:notes]), "\n")
		switch {
		case counter.Count(text) <= most || text == "":
			return text, entries
		case entries+notes == 1:
			return shortest(text, most, counter), 0
		case notes > 0:
			notes--
		default:
			entries--
		}
	}
}

// shortest returns the beginning of a text, in whole words, that has at most most tokens.
func shortest(text string, most int, counter memory.Counter) string {
	words := strings.Fields(text)
	for len(words) > 0 && counter.Count(strings.Join(words, " ")+" …") > most {
		words = words[:len(words)-1]
	}
	return strings.TrimSpace(strings.Join(words, " ") + " …")
}
