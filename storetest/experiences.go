package storetest

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// experiences: outcomes of an object are kept by user and tenant, for open and closed objects, until it is erased.
func experiences(t *testing.T, s Store) {
	o := object("used", "this is used")
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{o}})
	learn := func(tenant, user, id string, outcome memory.Outcome, n int) {
		apply(t, s, memory.Change{Use: []memory.Use{{Tenant: tenant, User: user, ObjectID: id, Outcome: outcome, At: day(n)}}})
	}
	want := memory.Experience{}
	for n, outcome := range []memory.Outcome{memory.WasShown, memory.WasConfirmed, memory.WasShown} {
		learn("acme", "ann", "used", outcome, n)
		want = want.With(outcome, day(n))
	}
	learn("acme", "bob", "used", memory.WasCorrected, 1)
	learn("acme", "ann", "gone", memory.WasShown, 1)
	learn("globex", "ann", "used", memory.WasShown, 1)
	learn("acme", "", "used", memory.WasShown, 1)
	if got := find(t, s, everything())[0].LastUsed; !got.Equal(day(2)) {
		t.Errorf("LastUsed = %v, want %v: only what is shown is used", got, day(2))
	}
	wantExperiences(t, s, "acme", "ann", map[string]memory.Experience{"used": want})
	wantExperiences(t, s, "acme", "bob", map[string]memory.Experience{"used": memory.Experience{}.With(memory.WasCorrected, day(1))})
	wantExperiences(t, s, "globex", "ann", map[string]memory.Experience{})
	apply(t, s, memory.Change{Close: []memory.Closing{closing(o, day(5), "next")}})
	learn("acme", "ann", "used", memory.WasForgotten, 5)
	wantExperiences(t, s, "acme", "ann", map[string]memory.Experience{"used": want.With(memory.WasForgotten, day(5))})
	apply(t, s, memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "used"}}})
	wantExperiences(t, s, "acme", "ann", map[string]memory.Experience{})
}

func wantExperiences(t *testing.T, s Store, tenant, user string, want map[string]memory.Experience) {
	t.Helper()
	got, err := s.Experiences(context.Background(), tenant, user, []string{"gone", "used", "used", "never"})
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("Experiences of %s at %s = %v, differs (-want +got):\n%s", user, tenant, err, diff)
	}
}

// compareExperiences asks for the experiences with some objects.
func (w *world) compareExperiences(t *testing.T, s Store, step int) {
	t.Helper()
	tenant, user := pick(w, "acme", "globex"), pick(w, "ann", "bob", "")
	var ids []string
	for range 10 {
		ids = append(ids, pick(w, w.made...).ObjectID)
	}
	want, _ := w.reference.Experiences(context.Background(), tenant, user, ids)
	got, err := s.Experiences(context.Background(), tenant, user, ids)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Fatalf("step %d: Experiences(%s, %s) = %v, differs (-want +got):\n%s", step, tenant, user, err, diff)
	}
}
