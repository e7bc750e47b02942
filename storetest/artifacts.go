package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

func artifact(id string) ctxmcp.Artifact {
	return ctxmcp.Artifact{
		ID: id, TenantID: "acme", Home: ctxmcp.Scope{User: "ann", Project: "web", Session: "s1"}, Task: "search",
		Type: "search_results", Summary: "40 reports — 日本語 \"quoted\"", MediaType: artifacts.JSON, Size: 15_000,
		Digest: "aa", SchemaKeys: []string{"reports", "total"}, Classification: ctxmcp.Restricted, Origin: "tool://search",
		Created: epoch, RawDigest: "bb",
	}
}

// all returns the query for every artifact of acme.
func all() artifacts.Query { return artifacts.Query{Tenant: "acme", Everywhere: true, Unbounded: true} }

func applyArtifacts(t *testing.T, s artifacts.Index, c artifacts.Change) {
	t.Helper()
	if err := s.ApplyArtifacts(context.Background(), c); err != nil {
		t.Fatalf("ApplyArtifacts: %v", err)
	}
}

func wantArtifacts(t *testing.T, s artifacts.Index, q artifacts.Query, want ...ctxmcp.Artifact) {
	t.Helper()
	got, err := s.FindArtifacts(context.Background(), q)
	if err != nil {
		t.Fatalf("FindArtifacts: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("FindArtifacts(%+v) differs (-want +got):\n%s", q, diff)
	}
}

// artifactRoundTrip: a store gives back every field as it was given.
func artifactRoundTrip(t *testing.T, s Store) {
	full, bare := artifact("a_1"), ctxmcp.Artifact{ID: "a_2", TenantID: "acme", SchemaKeys: []string{}, Digest: "cc", Created: day(1)}
	applyArtifacts(t, s, artifacts.Change{Insert: []ctxmcp.Artifact{bare, full}})
	wantArtifacts(t, s, all(), full, bare)
	applyArtifacts(t, s, artifacts.Change{Remove: []artifacts.Key{{Tenant: "acme", ID: "a_1"}, {Tenant: "other", ID: "a_2"}}})
	wantArtifacts(t, s, all(), bare)
}

// artifactTaken: an id names one artifact of a tenant, and a refused write changes nothing.
func artifactTaken(t *testing.T, s Store) {
	first, other, theirs := artifact("a_1"), artifact("a_2"), artifact("a_1")
	theirs.TenantID = "other"
	applyArtifacts(t, s, artifacts.Change{Insert: []ctxmcp.Artifact{first, theirs}})
	second := first
	second.Summary = "another"
	for _, insert := range [][]ctxmcp.Artifact{{other, second}, {other, other}} {
		if err := s.ApplyArtifacts(context.Background(), artifacts.Change{Insert: insert}); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
			t.Errorf("ApplyArtifacts of an id that is taken = %v, want a conflict", err)
		}
	}
	wantArtifacts(t, s, all(), first)
}

// answersOnce: a call is answered with one result, and the same again is no fault.
func answersOnce(t *testing.T, s Store) {
	answer := artifacts.Answer{Tenant: "acme", Namespace: "user_ann", CallID: "call_1", Digest: "aa", At: epoch}
	elsewhere, changed := answer, answer
	elsewhere.Namespace, elsewhere.Digest, changed.Digest = "user_bob", "bb", "bb"
	for _, a := range []artifacts.Answer{answer, answer, elsewhere} {
		applyArtifacts(t, s, artifacts.Change{Answers: []artifacts.Answer{a}})
	}
	err := s.ApplyArtifacts(context.Background(), artifacts.Change{Insert: []ctxmcp.Artifact{artifact("a_1")}, Answers: []artifacts.Answer{changed}})
	if ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
		t.Errorf("a second result = %v, want a conflict", err)
	}
	wantArtifacts(t, s, all())
}

// retention: the questions of retention are answered from rows and pins.
func retention(t *testing.T, s Store) {
	ctx := context.Background()
	var insert []ctxmcp.Artifact
	for i := range 5 {
		a := artifact(fmt.Sprintf("a_%d", i))
		if i > 2 {
			a.Home.Session, a.Digest, a.RawDigest = "s2", "dd", ""
		}
		insert = append(insert, a)
	}
	applyArtifacts(t, s, artifacts.Change{Insert: insert})
	got, err := s.CrowdedHomes(ctx, 2)
	want := []artifacts.Home{{Tenant: "acme", Namespace: "user_ann:project_web:session_s1"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("CrowdedHomes differs (-want +got), %v:\n%s", err, diff)
	}
	first := want[0]
	for before, want := range map[time.Time][]string{{}: {"a_0", "a_1", "a_2"}, insert[0].Created: nil, insert[0].Created.Add(time.Microsecond): {"a_0", "a_1", "a_2"}} {
		ids, err := s.HeldIn(ctx, first, before)
		if diff := cmp.Diff(want, ids, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("HeldIn before %v differs (-want +got), %v:\n%s", before, err, diff)
		}
	}
	if ids, err := s.HeldIn(ctx, artifacts.Home{Tenant: "other", Namespace: first.Namespace}, time.Time{}); len(ids) != 0 || err != nil {
		t.Errorf("HeldIn of another tenant = %v, %v", ids, err)
	}
	for digest, want := range map[string]bool{"aa": true, "bb": true, "dd": true, "zz": false, "": false} {
		if got, err := s.HoldsDigest(ctx, digest); got != want || err != nil {
			t.Errorf("HoldsDigest(%q) = %v, %v, want %v", digest, got, err, want)
		}
	}
	state := taskState("t1", 1)
	pins := []artifacts.Pin{{Tenant: "acme", Artifact: "a_0", Holder: "task:t1"}, {Tenant: "acme", Artifact: "a_1", Holder: "task:t1", Until: day(1)}}
	saveTask(t, s, state, pins...)
	for at, want := range map[time.Time]map[string]bool{
		epoch: {"a_0": true, "a_1": true}, day(1): {"a_0": true},
	} {
		got, err := s.Pinned(ctx, "acme", []string{"a_0", "a_1", "a_2"}, at)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("Pinned at %v differs (-want +got), %v:\n%s", at, err, diff)
		}
	}
	held := artifacts.Pin{Tenant: "acme", Artifact: "a_2", Holder: "conversation", Until: day(1)}
	longer := held
	longer.Until = day(3)
	applyArtifacts(t, s, artifacts.Change{Pins: []artifacts.Pin{held}})
	applyArtifacts(t, s, artifacts.Change{Pins: []artifacts.Pin{longer}})
	if got, err := s.Pinned(ctx, "acme", []string{"a_2"}, day(2)); !got["a_2"] || err != nil {
		t.Errorf("what is held for longer is not pinned: %v, %v", got, err)
	}
	applyArtifacts(t, s, artifacts.Change{Remove: []artifacts.Key{{Tenant: "acme", ID: "a_0"}}})
	if got, err := s.Pinned(ctx, "acme", []string{"a_0"}, epoch); len(got) != 0 || err != nil {
		t.Errorf("what is gone is pinned: %v, %v", got, err)
	}
}

// randomArtifacts: every query selects the artifacts that Match accepts, in the order of Compare.
func randomArtifacts(t *testing.T, s Store) {
	r := rand.New(rand.NewPCG(7, 7))
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	reference := &inmem.Store{}
	for i := range 60 {
		a := artifact(fmt.Sprintf("a_%d", i))
		a.TenantID = pick("acme", "other")
		a.Home = ctxmcp.Scope{User: pick("ann", "bob"), Project: pick("", "web", "api"), Session: pick("", "s1"), Task: pick("", "", "t1")}
		a.Task, a.Digest = pick("", "t1", "t2"), pick("aa", "bb")
		a.Classification = ctxmcp.Classifications()[r.IntN(4)]
		a.Created = day(r.IntN(3))
		c := artifacts.Change{Insert: []ctxmcp.Artifact{a}}
		applyArtifacts(t, s, c)
		applyArtifacts(t, reference, c)
	}
	selected := 0
	for range 200 {
		at := ctxmcp.Scope{User: pick("ann", "bob"), Project: pick("", "web", "api"), Session: pick("", "s1"), Task: pick("", "t1")}
		q := artifacts.Query{Tenant: pick("acme", "other"), Clearance: ctxmcp.Classifications()[r.IntN(4)], Limit: r.IntN(2) * 5}
		for _, outer := range at.Ancestors() {
			q.Namespaces = append(q.Namespaces, outer.Namespace())
		}
		q.Everywhere, q.Unbounded, q.Task = r.IntN(4) == 0, r.IntN(4) == 0, pick("", "", "", "t1")
		q.Digest = pick("", "", "aa", "cc")
		if r.IntN(3) == 0 {
			q.Projects = []string{"web"}
		}
		if r.IntN(2) == 0 {
			q.Tasks = []string{"t1", "t3"}[:1+r.IntN(2)]
		}
		if r.IntN(3) == 0 {
			q.Before = day(1)
		}
		for range r.IntN(3) * 4 {
			q.IDs = append(q.IDs, fmt.Sprintf("a_%d", r.IntN(70)))
		}
		q.Owner, q.Newest = pick("", "", "ann", "an"), r.IntN(3) == 0
		if r.IntN(4) == 0 {
			q.Behind = &artifacts.Mark{Created: day(r.IntN(3)), ID: fmt.Sprintf("a_%d", r.IntN(70))}
		}
		want, err := reference.FindArtifacts(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		selected += len(want)
		wantArtifacts(t, s, q, slices.Clip(want)...)
	}
	if selected == 0 {
		t.Error("no query selected anything")
	}
	wantSameUse(t, reference, s)
}
