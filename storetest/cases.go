package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// roundTrip: a store gives back every field as it was given.
func roundTrip(t *testing.T, s Store) {
	o := object("full", "日本語 \"quoted\"\nsecond line — 🚀")
	o.Claim = ctxmcp.Claim{Subject: "Ann", Predicate: "lives_in", Value: "Łódź"}
	o.NormalizedClaim = o.Claim.String()
	o.Aliases, o.DerivedFrom = []string{"a", "b"}, []string{"x"}
	o.PermissionScope = ctxmcp.PermissionScope{AllowRoles: []string{"dev"}, DenyRoles: []string{"guest"}}
	o.SessionID, o.TaskID, o.Layer = "s", "t", ctxmcp.TaskLayer
	o.ValidUntil, o.ObservedAt, o.LastUsed = day(9), day(-1), day(2)
	o.WhyItMatters, o.BehavioralImplication, o.UpdatePath = "why", "so", "crm://ann"
	o.ApplicableTaskTypes = []ctxmcp.TaskType{ctxmcp.DataExtraction}
	o.DecayRule = &ctxmcp.DecayRule{HalfLifeDays: 30, MinimumThreshold: 0.2}
	o.RetirementRule, o.Author, o.Archived = ctxmcp.HardDelete, "Ann B.", true
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{o}})
	apply(t, s, memory.Change{Close: []memory.Closing{closing(o, day(3), "next")}})
	o.TxEnd = day(3)
	o.Closing = &ctxmcp.Closing{Status: ctxmcp.Overridden, Link: "next", Reason: "superseded"}
	q := everything()
	q.Roles, q.EveryVersion, q.Archived = []string{"dev"}, true, true
	if diff := cmp.Diff([]ctxmcp.ContextObject{o}, find(t, s, q)); diff != "" {
		t.Errorf("round trip differs (-want +got):\n%s", diff)
	}
	apply(t, s, memory.Change{Confirm: []memory.Confirmation{{Tenant: "acme", ObjectID: "full", At: day(4)}}})
	apply(t, s, memory.Change{Confirm: []memory.Confirmation{{Tenant: "acme", ObjectID: "full", At: day(1)}}})
	if got := find(t, s, q)[0].LastConfirmed; !got.Equal(day(4)) {
		t.Errorf("LastConfirmed = %v, want the latest, %v", got, day(4))
	}
}

// idsAreBytes: ids that some collation holds for equal are four projects.
func idsAreBytes(t *testing.T, s Store) {
	var c memory.Change
	for _, p := range []string{"p", "P", "p.", "p_"} {
		o := object("in-"+p, "the same text")
		o.ProjectID = p
		c.Insert = append(c.Insert, o)
	}
	apply(t, s, c)
	for _, p := range []string{"p", "P", "p.", "p_"} {
		q := everything()
		q.Everywhere, q.Namespaces = false, []string{"user_ann:project_" + p}
		wantFound(t, s, q, "in-"+p)
		q.Namespaces, q.Under = nil, &ctxmcp.Scope{User: "ann", Project: p}
		wantFound(t, s, q, "in-"+p)
	}
	q := everything()
	q.Everywhere = false
	wantFound(t, s, q)
}

// timeQuestions: a backdated correction answers "true then" and "believed then" differently.
func timeQuestions(t *testing.T, s Store) {
	basic := object("basic", "the plan is basic")
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{basic}})
	pro, rest := object("pro", "the plan is pro"), basic // recorded on day 90, backdated to day 45
	pro.FactID, pro.Version, pro.ValidFrom, pro.TxStart = "basic", 2, day(45), day(90)
	rest.Version, rest.ValidUntil, rest.TxStart, rest.SupersessionLink = 3, day(45), day(90), "pro"
	apply(t, s, memory.Change{
		Close:  []memory.Closing{closing(basic, day(90), "pro")},
		Insert: []ctxmcp.ContextObject{pro, rest},
	})
	at := func(asOf, believed time.Time) memory.Query {
		q := everything()
		q.AsOf, q.BelievedAt = asOf, believed
		return q
	}
	wantFound(t, s, at(day(100), time.Time{}), "pro")  // true now
	wantFound(t, s, at(day(60), day(60)), "basic")     // believed on day 60
	wantFound(t, s, at(day(60), time.Time{}), "pro")   // true on day 60
	wantFound(t, s, at(day(44), time.Time{}), "basic") // true before the change
	wantFound(t, s, at(day(45), time.Time{}), "pro")   // an interval holds its beginning,
	wantFound(t, s, at(day(60), day(90)), "pro")       // not its end
	wantFound(t, s, at(day(-1), time.Time{}))          // true before anything
	wantFound(t, s, at(day(60), day(-1)))              // believed before anything
	wantFound(t, s, at(time.Time{}, day(90)), "basic", "pro")
	every := everything()
	every.EveryVersion = true
	wantFound(t, s, every, "basic", "basic", "pro")
}

func closeOnce(t *testing.T, s Store) {
	o := object("a", "text")
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{o}})
	wantConflict(t, s, memory.Change{Insert: []ctxmcp.ContextObject{o}})
	apply(t, s, memory.Change{Close: []memory.Closing{closing(o, day(1), "b")}})
	wantConflict(t, s, memory.Change{Close: []memory.Closing{closing(o, day(2), "c")}})
	wantConflict(t, s, memory.Change{Close: []memory.Closing{closing(object("none", ""), day(2), "c")}})
}

// racingClosers: of many who close one version, one wins.
func racingClosers(t *testing.T, s Store) {
	o := object("a", "text")
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{o}})
	Race(t, 16, 1, ctxmcp.CodeConflict, func(i int) error {
		next := object(string(rune('b'+i)), "text")
		return s.Apply(context.Background(), memory.Change{
			Close: []memory.Closing{closing(o, day(1), next.ObjectID)}, Insert: []ctxmcp.ContextObject{next},
		})
	})
	if open := find(t, s, everything()); len(open) != 1 {
		t.Errorf("%d versions are open, want 1", len(open))
	}
}

// expectations: a plan that saw something else open is refused.
func expectations(t *testing.T, s Store) {
	a, b := object("a", "one"), object("b", "two")
	nothing := memory.Expectation{Query: everything()}
	apply(t, s, memory.Change{Expect: []memory.Expectation{nothing}, Insert: []ctxmcp.ContextObject{a}})
	wantConflict(t, s, memory.Change{Expect: []memory.Expectation{nothing}, Insert: []ctxmcp.ContextObject{b}})
	sawA := memory.Expectation{Query: everything(), Open: []ctxmcp.VersionKey{ctxmcp.KeyOf(a)}}
	apply(t, s, memory.Change{Expect: []memory.Expectation{sawA}, Insert: []ctxmcp.ContextObject{b}})
	wantFound(t, s, everything(), "a", "b")
}

// allOrNothing: a change that fails in part leaves no part behind.
func allOrNothing(t *testing.T, s Store) {
	a, b := object("a", "one"), object("b", "two")
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{a}})
	wantConflict(t, s, memory.Change{
		Close:  []memory.Closing{closing(a, day(1), "b"), closing(object("none", ""), day(1), "b")},
		Insert: []ctxmcp.ContextObject{b},
	})
	wantFound(t, s, everything(), "a")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Apply(ctx, memory.Change{Insert: []ctxmcp.ContextObject{b}}); err == nil {
		wantFound(t, s, everything(), "a", "b") // seen through
	} else {
		wantFound(t, s, everything(), "a")
	}
}

func replays(t *testing.T, s Store) {
	ctx := context.Background()
	key := memory.Key{Tenant: "acme", User: "ann", Name: "k"}
	if r, err := s.Replay(ctx, key); r != nil || err != nil {
		t.Fatalf("Replay of an unused key = %v, %v, want nil, nil", r, err)
	}
	kept := memory.Replay{Key: key, Digest: "d", ObjectID: "a", Result: `{"x":1}`}
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{object("a", "one")}, Replay: &kept})
	if r, err := s.Replay(ctx, key); err != nil || r == nil || *r != kept {
		t.Errorf("Replay = %v, %v, want %v", r, err, kept)
	}
	wantConflict(t, s, memory.Change{Insert: []ctxmcp.ContextObject{object("b", "two")}, Replay: &kept})
	other := kept
	other.Key.User = "bob"
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{object("b", "two")}, Replay: &other})
	apply(t, s, memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "a"}}})
	if r, err := s.Replay(ctx, key); r != nil || err != nil {
		t.Errorf("Replay after the erasure = %v, %v, want nil, nil", r, err)
	}
}

// erasure: every version goes, with everything derived from it; other tenants' stay.
func erasure(t *testing.T, s Store) {
	a, theirs := object("a", "zebra crossing"), object("a", "zebra crossing")
	theirs.TenantID = "globex"
	later := a
	later.Version, later.TxStart = 2, day(1)
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{a, theirs, object("b", "giraffe house")}})
	apply(t, s, memory.Change{Close: []memory.Closing{closing(a, day(1), "")}, Insert: []ctxmcp.ContextObject{later}})
	erase := memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "a"}}}
	apply(t, s, erase)
	wantConflict(t, s, erase)
	every := everything()
	every.EveryVersion = true
	wantFound(t, s, every, "b")
	found, err := s.Search(context.Background(), every, []string{"zebra", "giraff", "hous"}, 10)
	if err != nil || len(found.Candidates) != 1 || found.Documents != 1 || found.Length != 2 || found.Frequency["zebra"] != 0 {
		t.Errorf("Search after the erasure = %+v, %v, want the giraffe house alone", found, err)
	}
	every.Tenant = "globex"
	wantFound(t, s, every, "a")
}

// trail is a store that tells its audit trail: in tests alone, for nothing reads it through a store.
type trail interface {
	Trail(ctx context.Context) ([]ctxmcp.Event, error)
}

// erasedReasons: the reason for which a memory was forgotten is erased with it, since it can quote the memory. The reason of the erasure
// itself, and those of other memories, stay.
func erasedReasons(t *testing.T, s Store) {
	forget := func(tenant, id, action, reason string) []ctxmcp.Event {
		return []ctxmcp.Event{{At: day(2), Tenant: tenant, User: "ann", Action: "forget." + action, ObjectID: id, Detail: reason}}
	}
	a, theirs := object("a", "zebra crossing"), object("a", "zebra crossing")
	theirs.TenantID = "globex"
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{a, theirs, object("b", "giraffe house")}})
	apply(t, s, memory.Change{Audit: forget("acme", "a", "retire", "the zebra left")})
	apply(t, s, memory.Change{Audit: forget("globex", "a", "retire", "theirs left")})
	apply(t, s, memory.Change{Audit: forget("acme", "b", "retire", "the house closed")})
	apply(t, s, memory.Change{Audit: []ctxmcp.Event{{At: day(2), Tenant: "acme", Action: "restore", ObjectID: "a", Detail: "asked"}}})
	for _, subjects := range []string{"b a", "b aa"} {
		apply(t, s, memory.Change{Audit: []ctxmcp.Event{{At: day(2), Tenant: "acme", Action: "review.conflict", ObjectID: subjects, Detail: "b: a zebra: no"}}})
	}
	apply(t, s, memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "a"}}, Audit: forget("acme", "a", "hard_delete", "she asked for it")})
	events, err := s.(trail).Trail(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range events {
		got = append(got, e.Tenant+" "+e.Action+" "+e.ObjectID+": "+e.Detail)
	}
	want := []string{
		"acme forget.retire a: ", "globex forget.retire a: theirs left", "acme forget.retire b: the house closed", "acme restore a: asked",
		"acme review.conflict b a: b", "acme review.conflict b aa: b: a zebra: no",
		"acme forget.hard_delete a: she asked for it",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the audit trail after the erasure (-want +got):\n%s", diff)
	}
}
