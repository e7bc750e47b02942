package redact

import (
	"cmp"
	"slices"
)

// A span is a stretch of text to replace.
type span struct {
	start, end int
	label      string
	rank       int    // of the detector that found it; where several found it, the lowest names it
	quote      string // written on both sides of the placeholder: a bare JSON number becomes a string
	width      width  // of the characters around it
}

func (sp span) len() int { return sp.end - sp.start }

// merge returns the spans sorted and joined where they overlap; the longest of those that were joined names the
// whole. A placeholder is one piece: a span inside one is dropped, a span that cuts one takes it whole.
func merge(spans, placeholders []span) []span {
	kept := spans[:0]
	for _, sp := range spans {
		if sp, ok := around(sp, placeholders); ok {
			kept = append(kept, sp)
		}
	}
	slices.SortFunc(kept, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return cmp.Or(b.end-a.end, a.rank-b.rank)
	})
	out, longest := kept[:0], 0 // never ahead of the place that is read
	for _, sp := range kept {
		if n := len(out); n > 0 && sp.start < out[n-1].end {
			last := &out[n-1]
			last.end = max(last.end, sp.end)
			if sp.len() > longest {
				last.label, longest = sp.label, sp.len()
			}
			continue
		}
		out, longest = append(out, sp), sp.len()
	}
	return out
}

// around widens sp so that it cuts no placeholder. It reports false if sp lies in one.
func around(sp span, placeholders []span) (span, bool) {
	i, _ := slices.BinarySearchFunc(placeholders, sp.start, func(p span, at int) int { return cmp.Compare(p.end, at+1) })
	for ; i < len(placeholders) && placeholders[i].start < sp.end; i++ {
		p := placeholders[i]
		if p.start <= sp.start && sp.end <= p.end {
			return span{}, false
		}
		sp.start, sp.end = min(sp.start, p.start), max(sp.end, p.end)
	}
	return sp, true
}
