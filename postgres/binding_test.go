package postgres

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBinding: the fence binds the role of the servers, and the owner of the tables gets past it; a table without it is named.
func TestBinding(t *testing.T) {
	needServer(t)
	owner, app := fenced(t)
	want := func(address string, want Binding) {
		t.Helper()
		got, err := BindingAt(t.Context(), address)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("BindingAt: %v (-want +got)\n%s", err, diff)
		}
	}
	want(app, Binding{Role: "app", Open: []string{}})
	want(owner, Binding{Role: "test", Open: []string{}, Past: []string{"it is a superuser", "it has BYPASSRLS", "it owns the tables"}})
	bare(t, connect(t, owner), `ALTER TABLE replays DISABLE ROW LEVEL SECURITY`)
	want(app, Binding{Role: "app", Open: []string{"replays"}})
}
