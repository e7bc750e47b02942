package compiler

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// TestOfReplaced: what took the place of a statement in the words of the turn comes for those words, to the end of a chain; what took the place of
// another does not.
func TestOfReplaced(t *testing.T) {
	for said, want := range map[string]bool{"Which program builds the charts?": true, "Which train goes to Bled?": false} {
		s := newState(Inputs{Schema: InputsSchema, Request: Request{UserMessage: said}, Policy: DefaultPolicy()}, tokens.Approximate{})
		s.said, s.stage = said, "rank"
		for _, v := range []struct {
			id, content, by string
			reason          Reason
		}{
			{"a", "Charts are made in Tableau.", "b", Expired},
			{"b", "We use Looker.", "c", Superseded},
			{"c", "Metabase took the place of Looker.", "", IrrelevantTask},
		} {
			s.items = append(s.items, &item{
				Candidate: Candidate{Kind: KindMemory, Object: ctxmcp.ContextObject{ObjectID: v.id, Content: v.content}},
				drop:      &drop{stage: s.stage, reason: v.reason, by: v.by},
			})
		}
		s.ofReplaced(s.question())
		if in := s.items[2].drop == nil; in != want || s.items[1].drop == nil {
			t.Errorf("%q: the end of the chain is in: %v, want %v", said, in, want)
		}
	}
}
