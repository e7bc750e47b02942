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
	short   map[string]string // of the ids of the memories
	entries []string
	notes   []string // a line each, the most useful first
}

// newPage returns the page of an answer.
func newPage(r memory.Recalled) *page {
	p := &page{short: shortIDs(r.Memories)}
	for _, m := range r.Memories {
		p.entries = append(p.entries, brief.Entry(p.short[m.Object.ObjectID], m.Object))
	}
	if len(r.Memories) == 0 {
		p.notes = append(p.notes, "no memory answers this")
	}
	if left := leftOut(r); left != "" {
		p.notes = append(p.notes, "left out: "+left)
	}
	p.notes = append(p.notes, r.Warnings...)
	return p
}

// shortIDs returns the short forms of the ids of memories that stand together.
func shortIDs(memories []memory.Memory) map[string]string {
	var ids []string
	for _, m := range memories {
		ids = append(ids, m.Object.ObjectID)
	}
	return ctxmcp.ShortIDs(ids)
}

// leftOut counts what was left out though it may answer, by reason. What is not relevant is news only where nothing is.
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
// useful before the others, then entries from the end. One line is left in any case.
func (p *page) within(most int, counter memory.Counter) (text string, entries int) {
	entries = len(p.entries)
	for notes := len(p.notes); ; {
		text = strings.Join(slices.Concat(p.entries[:entries], p.notes[:notes]), "\n")
		switch {
		case counter.Count(text) <= most || entries+notes <= 1:
			return text, entries
		case notes > 0:
			notes--
		default:
			entries--
		}
	}
}
