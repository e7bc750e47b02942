package memory_test

import (
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

// TestTwoOfOneName: a name with words that tell who is meant is that one, and a bare name is put before the user.
func TestTwoOfOneName(t *testing.T) {
	store := &inmem.Store{}
	s, clock := newService(store)
	s.Entities = store
	who := map[string]string{} // entity, by the first word of its description
	for i, c := range []struct {
		content, who string
		decision     entities.Verdict
	}{
		{"My brother Tom plays the cello.", "brother", entities.Created},
		{"My colleague Tom wrote the parser.", "colleague", entities.Created},
		{"My brother Tom has a new bow.", "brother", entities.Bound},
		{"Tom is ill.", "", entities.Undecided},
		{"My colleague Tom is back.", "colleague", entities.Bound},
	} {
		clock.set(start.Add(time.Duration(i) * 24 * time.Hour))
		d := memory.Draft{Content: c.content, Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: atHome}
		r, err := s.Remember(t.Context(), ann, d)
		if err != nil || len(r.Entities) != 1 {
			t.Fatalf("Remember(%q) = %+v, %v", c.content, r, err)
		}
		named := r.Entities[0]
		if named.Decision != c.decision || c.who != "" && who[c.who] != "" && who[c.who] != named.EntityID {
			t.Errorf("%q names %+v, want %s of %v", c.content, named, c.decision, who)
		}
		if c.decision == entities.Created {
			who[c.who] = named.EntityID
		}
	}
	if who["brother"] == who["colleague"] {
		t.Errorf("both are %v", who)
	}
}
