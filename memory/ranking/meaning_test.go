package ranking

import (
	"fmt"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

// nearest returns versions with the similarities, best first, and then as many more as there are others, with another one.
func nearest(others int, other float64, similarities ...float64) []Near {
	var near []Near
	for range others {
		similarities = append(similarities, other)
	}
	for i, s := range similarities {
		id := fmt.Sprintf("o%d", i)
		near = append(near, Near{Candidate: Candidate{Object: &ctxmcp.ContextObject{ObjectID: id, Version: 1}}, Similarity: s})
	}
	return near
}

// TestCertainty: the meaning of a similarity depends on the typical one of its model, of which a few memories say little.
func TestCertainty(t *testing.T) {
	for _, test := range []struct {
		name      string
		near      []Near
		low, high float64
	}{
		{"nothing is near", nil, 0, 0},
		{"the same text", nearest(199, 0.2, 1), 0.99, 1},
		{"one stands out", nearest(199, 0.2, 0.7), 0.3, 0.5},
		{"one stands out, by a model that finds all alike", nearest(199, 0.7, 0.88), 0.3, 0.5},
		{"none stands out", nearest(200, 0.2), 0, 0.05},
		{"none stands out, by a model that finds all alike", nearest(200, 0.7), 0, 0.05},
		{"the only memory, and it answers", nearest(0, 0, 0.8), 0.4, 0.8},
		{"the only memory, and it does not", nearest(0, 0, 0.1), 0, 0.05},
		{"opposite to all", nearest(5, -0.5, -0.1), 0, 0},
	} {
		if got := Weigh(test.near).certainty(); got < test.low || got > test.high {
			t.Errorf("%s: certainty = %v, want %v to %v", test.name, got, test.low, test.high)
		}
	}
}

// TestJoin: vectors bring what stands out, once, and not what is like everything else.
func TestJoin(t *testing.T) {
	near := nearest(99, 0, 0.9, 0.5)
	held := []Candidate{near[0].Candidate}
	if got := Weigh(near).Join(held); len(got) != 2 || got[1].Object.ObjectID != "o1" {
		t.Errorf("join = %d candidates, want what was held and o1", len(got))
	}
}
