package memory

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestRoomIsEmptyAfterwards: what a question found is in no memory that the next one gets, and an erasure need not look for it there.
func TestRoomIsEmptyAfterwards(t *testing.T) {
	r := &room{all: make([]Memory, 3, 5)}
	for i := range r.all[:5] {
		r.all[:5][i] = Memory{Object: ctxmcp.ContextObject{Content: "secret"}, HoldsOn: true, Tokens: 7}
	}
	r.empty()
	for i, m := range r.all[:5] {
		if m.Object.Content != "" || m.HoldsOn || m.Tokens != 0 {
			t.Errorf("place %d holds %q, want nothing", i, m.Object.Content)
		}
	}
}
