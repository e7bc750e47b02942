package memory_test

import (
	"fmt"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// TestOtherWordsInLargeStore: where not all that is held can be looked at, an answer that shares no word with its question is found by words
// near it.
func TestOtherWordsInLargeStore(t *testing.T) {
	overStores(t, func(t *testing.T, store memory.Store) {
		s, _ := newService(store)
		remember(t, s, ann, memory.Draft{Content: "The car stands behind the bakery.", Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: atHome})
		o := find(t, store, every("acme"))[0]
		var c memory.Change
		for n := range 420 {
			o.ObjectID, o.Content = fmt.Sprintf("00000000-0000-4000-9000-%012d", n), fmt.Sprintf("Shelf %d holds box %d.", n, n)
			o.FactID, o.CanonicalEntityIDs = o.ObjectID, []string{}
			c.Insert = append(c.Insert, o)
		}
		if err := store.Apply(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		r, err := s.Recall(t.Context(), ann, memory.Ask{Query: "Where is the automobile?", Scope: atHome})
		if err != nil || len(r.Memories) == 0 || r.Memories[0].Object.Content != "The car stands behind the bakery." {
			t.Errorf("recall = %d memories, %v", len(r.Memories), err)
		}
	})
}
