package actions

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// compact summarizes the oldest actions of a long history. The grounds of decisions are kept elsewhere: the sources of
// values in provenance, counts and classes in the state.
func (a *accumulator) compact() {
	keep := a.opts.KeepRecent
	switch n := len(a.entries); {
	case *a.opts.SummarizeAt > 0 && n >= *a.opts.SummarizeAt:
	case n > a.opts.MaxHistory:
		keep = a.opts.MaxHistory
	default:
		return
	}
	cut := len(a.entries) - min(keep, len(a.entries))
	for _, e := range a.entries[:cut] {
		a.summarize(e)
	}
	a.entries = append([]Entry(nil), a.entries[cut:]...)
}

func (a *accumulator) summarize(e Entry) {
	if a.summary == nil {
		a.summary = &Summary{From: e.Timestamp, Tools: map[string]int{}}
	}
	s := a.summary
	s.Actions++
	s.To = e.Timestamp
	s.Tools[e.Tool]++
	if e.Verdict != ctxmcp.Allow {
		s.Flagged++
	}
	s.Digest = digestOf(s.Digest, e)
}

// maxSummary is the length of the summary of a result, in characters.
const maxSummary = 200

// summarize returns the beginning of a result, on one line. The text is redacted.
func summarize(b resultBody) string {
	return ctxmcp.Shorten(strings.Join(strings.Fields(b.Text), " "), maxSummary)
}
