package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// reviews: a question is open until it is settled, once, and is not asked twice meanwhile.
func reviews(t *testing.T, s Store) {
	r := memory.Review{ID: "r1", Tenant: "acme", Namespace: "user_ann:project_web", Kind: memory.ConflictReview,
		Subjects: []string{"a", "b"}, Asked: day(1)}
	again := r
	again.ID = "r2"
	apply(t, s, memory.Change{Ask: []memory.Review{r}})
	wantConflict(t, s, memory.Change{Ask: []memory.Review{again}})
	wantConflict(t, s, memory.Change{Settle: []memory.Settlement{{Tenant: "globex", ID: "r1", At: day(2), Decision: "a"}}})
	ann := memory.ReviewQuery{Tenant: "acme", Under: ctxmcp.Scope{User: "ann"}}
	wantReviews(t, s, ann, r)
	wantReviews(t, s, memory.ReviewQuery{Tenant: "acme", Under: ctxmcp.Scope{User: "bob"}})
	wantReviews(t, s, memory.ReviewQuery{Tenant: "globex"})
	settled := memory.Change{Settle: []memory.Settlement{{Tenant: "acme", ID: "r1", At: day(2), Decision: "a"}}}
	apply(t, s, settled)
	wantReviews(t, s, ann)
	wantConflict(t, s, settled)
	apply(t, s, memory.Change{Ask: []memory.Review{again}})
	wantReviews(t, s, ann, again)
	wantConflict(t, s, memory.Change{Ask: []memory.Review{r}})
}

func wantReviews(t *testing.T, s Store, q memory.ReviewQuery, want ...memory.Review) {
	t.Helper()
	got, err := s.Reviews(context.Background(), q)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("Reviews(%+v) = %v, differs (-want +got):\n%s", q, err, diff)
	}
}

// due: a memory whose time may be over is found from then on, the earliest first, until it has ended.
func due(t *testing.T, s Store) {
	fades, ends, lasts := object("fades", "this fades"), object("ends", "this ends"), object("lasts", "this lasts")
	fades.DecayRule = &ctxmcp.DecayRule{HalfLifeDays: 10, MinimumThreshold: fades.ConfidenceScore / 2}
	ends.ValidUntil, ends.RetirementRule = day(5), ctxmcp.HardDelete
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{fades, ends, lasts}})
	wantDue(t, s, day(5).Add(-time.Microsecond), 9)
	wantDue(t, s, day(5), 9, "ends")
	wantDue(t, s, day(30), 9, "ends", "fades")
	wantDue(t, s, day(30), 1, "ends")
	apply(t, s, memory.Change{Postpone: []memory.Postponement{{Tenant: "acme", Key: ctxmcp.KeyOf(ends), At: day(20)}}})
	wantDue(t, s, day(30), 9, "fades", "ends")
	apply(t, s, memory.Change{Postpone: []memory.Postponement{{Tenant: "acme", Key: ctxmcp.KeyOf(ends)}}})
	apply(t, s, memory.Change{Close: []memory.Closing{closing(fades, day(30), "next")}})
	wantDue(t, s, day(90), 9)
}

func wantDue(t *testing.T, s Store, at time.Time, limit int, want ...string) {
	t.Helper()
	found, err := s.Due(context.Background(), at, limit)
	var got []string
	for _, o := range found {
		got = append(got, o.ObjectID)
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("Due(%v) = %v, differs (-want +got):\n%s", at, err, diff)
	}
}

// uses: the latest use counts, for objects that are still held.
func uses(t *testing.T, s Store) {
	o := object("used", "this is used")
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{o}})
	for _, n := range []int{2, 4, 3} {
		apply(t, s, memory.Change{Use: []memory.Use{{Tenant: "acme", ObjectID: "used", At: day(n)}, {Tenant: "acme", ObjectID: "gone", At: day(n)}}})
	}
	if got := find(t, s, everything())[0].LastUsed; !got.Equal(day(4)) {
		t.Errorf("LastUsed = %v, want %v", got, day(4))
	}
	apply(t, s, memory.Change{Close: []memory.Closing{closing(o, day(5), "next")}})
	apply(t, s, memory.Change{Use: []memory.Use{{Tenant: "acme", ObjectID: "used", At: day(6)}}})
	q := everything()
	q.EveryVersion = true
	if got := find(t, s, q)[0].LastUsed; !got.Equal(day(4)) {
		t.Errorf("LastUsed of an ended version = %v, want %v", got, day(4))
	}
}
