package sqlite

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// TestUnembeddedByScope: passing over the scopes that have every vector loses nothing of the others, whatever was erased.
func TestUnembeddedByScope(t *testing.T) {
	s := openStore(t, t.TempDir())
	var c memory.Change
	for i := range 9 {
		c.Insert = append(c.Insert, ctxmcp.ContextObject{
			ObjectID: fmt.Sprintf("o%d", i), FactID: "f", Version: 1, Content: "text", TenantID: "acme", UserID: "ann",
			ProjectID: fmt.Sprintf("p%d", i/3), Layer: ctxmcp.ProjectLayer, ObjectType: ctxmcp.IdentityFact,
			ContradictionStatus: ctxmcp.Clean, ValidFrom: made, TxStart: made,
		})
	}
	change := func(c memory.Change) {
		t.Helper()
		if err := s.Apply(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	embed := func(model string, objects ...int) {
		t.Helper()
		for _, i := range objects {
			change(memory.Change{Vectors: []memory.Vector{{Tenant: "acme", Model: model, Values: []float32{1},
				Key: memory.VersionKey{ObjectID: fmt.Sprintf("o%d", i), Version: 1}}}})
		}
	}
	want := func(model string, objects ...string) {
		t.Helper()
		found, err := s.Unembedded(t.Context(), model, 100)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range found {
			got = append(got, o.ObjectID)
		}
		if diff := cmp.Diff(objects, got); diff != "" {
			t.Errorf("Unembedded(%q) differs (-want +got):\n%s", model, diff)
		}
	}
	change(c)
	embed("m", 0, 1, 2, 3, 5)
	want("m", "o4", "o6", "o7", "o8")
	embed("other", 1, 6) // takes the place of m's
	want("m", "o1", "o4", "o6", "o7", "o8")
	change(memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "o0"}, {Tenant: "acme", ObjectID: "o7"}}})
	want("m", "o1", "o4", "o6", "o8")
	embed("m", 1, 4, 6, 8)
	want("m")
	want("other", "o1", "o2", "o3", "o4", "o5", "o6", "o8")
}
