package compiler

import (
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// doubted returns three statements of which each later one puts the one before it in doubt.
func doubted(schema string) (*state, []*item) {
	s := newState(Inputs{Schema: schema}, tokens.Approximate{})
	var items []*item
	for i := range 3 {
		said := time.Date(2025, 1, 1+i, 9, 0, 0, 0, time.UTC)
		it := &item{Candidate: Candidate{Kind: KindMemory, Object: ctxmcp.ContextObject{ObservedAt: said}}}
		if i > 0 {
			items[i-1].doubt = it
		}
		items = append(items, it)
	}
	return s, items
}

// TestDoubtNamesTheDay: the day of a later statement is told without the doubt about that one.
func TestDoubtNamesTheDay(t *testing.T) {
	for schema, want := range map[string]string{
		InputsSchema:       "2025-01-01 (maybe outdated since 2025-01-02)",
		fourthInputsSchema: "2025-01-01 (maybe outdated since 2025-01-02 (maybe outdated since 2025-01-03))",
	} {
		if s, items := doubted(schema); s.saidAt(items[0]) != want {
			t.Errorf("%s: saidAt = %q, want %q", schema, s.saidAt(items[0]), want)
		}
	}
}
