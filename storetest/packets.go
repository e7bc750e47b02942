package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

// packet returns the record of a packet of ann's whose reference is made of one digit.
func packet(digit string) packets.Record {
	return packets.Record{
		Tenant: "acme", Ref: "sha256:" + strings.Repeat(digit, 64), Kind: packets.Compile, Schema: packets.Schema{Name: "compile", Version: "v1"},
		Home: ctxmcp.Scope{User: "ann", Project: "web", Session: "s1"}, Classification: ctxmcp.Restricted, Size: 100, Created: epoch,
	}
}

func allPackets() packets.Query {
	return packets.Query{Tenant: "acme", Everywhere: true, Unbounded: true}
}

func applyPackets(t *testing.T, s packets.Store, c packets.Change) {
	t.Helper()
	if err := s.ApplyPackets(context.Background(), c); err != nil {
		t.Fatalf("ApplyPackets: %v", err)
	}
}

func wantPackets(t *testing.T, s packets.Store, q packets.Query, want ...packets.Record) {
	t.Helper()
	got, err := s.FindPackets(context.Background(), q)
	if err != nil {
		t.Fatalf("FindPackets: %v", err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("FindPackets(%+v) differs (-want +got):\n%s", q, diff)
	}
}

// packetRoundTrip: a store gives back every field as it was given, and the same packet twice is one.
func packetRoundTrip(t *testing.T, s Store) {
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{object("o_1", "Ann likes tea")}})
	full, bare := packet("a"), packet("b")
	full.Parent, full.Trace, full.PII, full.PolicyDigest = bare.Ref, "tr-1", true, "sha256:"+strings.Repeat("c", 64)
	full.Objects, full.Artifacts, full.Derived = []string{"o_1"}, []string{"a_1", "a_2"}, []packets.Derivative{{ID: "a_3", Digest: "sha256:dd"}}
	bare.Created = day(1)
	applyPackets(t, s, packets.Change{Insert: []packets.Record{bare, full}})
	again := full
	again.Trace = "tr-2"
	applyPackets(t, s, packets.Change{Insert: []packets.Record{again}})
	wantPackets(t, s, allPackets(), full, bare)
	for digest, want := range map[string]bool{strings.Repeat("a", 64): true, strings.Repeat("c", 64): true, strings.Repeat("d", 64): false} {
		if got, err := s.HoldsDigest(context.Background(), digest); got != want || err != nil {
			t.Errorf("HoldsDigest(%s) = %v, %v, want %v", digest, got, err, want)
		}
	}
	holding := allPackets()
	for holding.Object = range map[string]bool{"o_1": true, "o_2": true} {
		for _, holding.Newest = range []bool{false, true} {
			want := map[string][]packets.Record{"o_1": {full}}[holding.Object]
			wantPackets(t, s, holding, want...)
		}
	}
	applyPackets(t, s, packets.Change{Remove: []packets.Key{{Tenant: "acme", Ref: full.Ref}, {Tenant: "other", Ref: bare.Ref}}})
	wantPackets(t, s, allPackets(), bare)
}

// packetErasure: with an object go the packets made of it, through artifacts too; nothing can be made of it any longer.
func packetErasure(t *testing.T, s Store) {
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{object("o_1", "Ann likes tea"), object("o_2", "Ann likes rice")}})
	applyArtifacts(t, s, artifacts.Change{Insert: []ctxmcp.Artifact{artifact("a_1"), artifact("a_2")}})
	first, through, other := packet("a"), packet("b"), packet("c")
	first.Objects, first.Derived = []string{"o_1"}, []packets.Derivative{{ID: "a_1", Digest: "sha256:aa"}}
	through.Artifacts, other.Objects, other.Artifacts = []string{"a_1"}, []string{"o_2"}, []string{"a_2"}
	applyPackets(t, s, packets.Change{Insert: []packets.Record{first, through, other}, Pins: []artifacts.Pin{
		{Tenant: "acme", Artifact: "a_1", Holder: packets.Holder(through.Ref)}, {Tenant: "acme", Artifact: "a_2", Holder: packets.Holder(other.Ref)},
		{Tenant: "acme", Artifact: "a_2", Holder: packets.Holder(first.Ref)},
	}})
	apply(t, s, memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "o_1"}}})
	first.Erased, through.Erased = true, true
	wantPackets(t, s, allPackets(), first, through, other)
	wantArtifacts(t, s, all(), artifact("a_2"))
	if pinned, err := s.Pinned(context.Background(), "acme", []string{"a_1", "a_2"}, epoch); err != nil || pinned["a_1"] || !pinned["a_2"] {
		t.Errorf("Pinned = %v, %v, want a_2 alone", pinned, err)
	}
	if held, err := s.HoldsDigest(context.Background(), strings.Repeat("a", 64)); held || err != nil {
		t.Errorf("an erased packet holds its bytes: %v, %v", held, err)
	}
	late := packet("d")
	late.Objects = []string{"o_2", "o_1"}
	err := s.ApplyPackets(context.Background(), packets.Change{Insert: []packets.Record{packet("e"), late}})
	if ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
		t.Errorf("a packet of what was erased = %v, want a conflict", err)
	}
	wantPackets(t, s, allPackets(), first, through, other)
}

// packetPins: a packet holds its artifacts until it is removed.
func packetPins(t *testing.T, s Store) {
	ctx := context.Background()
	r := packet("a")
	applyPackets(t, s, packets.Change{Insert: []packets.Record{r}, Pins: []artifacts.Pin{
		{Tenant: "acme", Artifact: "a_1", Holder: packets.Holder(r.Ref), Until: day(1)}, {Tenant: "acme", Artifact: "a_1", Holder: "task:t1", Until: day(2)},
		{Tenant: "acme", Artifact: "a_2", Holder: packets.Holder(r.Ref)},
	}})
	for _, want := range []map[string]bool{{"a_1": true, "a_2": true}, {"a_1": true}} {
		got, err := s.Pinned(ctx, "acme", []string{"a_1", "a_2"}, epoch)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("Pinned differs (-want +got), %v:\n%s", err, diff)
		}
		applyPackets(t, s, packets.Change{Remove: []packets.Key{{Tenant: "acme", Ref: r.Ref}}})
	}
	applyPackets(t, s, packets.Change{Insert: []packets.Record{packet("a"), packet("b"), packet("c")}})
	got, err := s.CrowdedPackets(ctx, 2)
	want := []artifacts.Home{{Tenant: "acme", Namespace: "user_ann:project_web:session_s1"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("CrowdedPackets differs (-want +got), %v:\n%s", err, diff)
	}
}

// packetsAgain: a packet that is made again is kept once, with the later of its instants; one that was erased stays as it is.
func packetsAgain(t *testing.T, s Store) {
	first, later, erased := packet("a"), packet("a"), packet("e")
	later.Created, erased.Erased = day(5), true
	applyPackets(t, s, packets.Change{Insert: []packets.Record{first, erased}})
	again := erased
	again.Created, again.Erased = day(6), false
	applyPackets(t, s, packets.Change{Insert: []packets.Record{later, again}})
	applyPackets(t, s, packets.Change{Insert: []packets.Record{first}})
	wantPackets(t, s, allPackets(), erased, later)
}

// randomPackets: every query selects the packets that Match accepts, in the order of Compare.
func randomPackets(t *testing.T, s Store) {
	r := rand.New(rand.NewPCG(8, 8))
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	reference := &inmem.Store{}
	ref := func(i int) string { return fmt.Sprintf("sha256:%064d", i) }
	for i := range 60 {
		p := packet("a")
		p.Ref, p.Tenant, p.Trace = ref(i), pick("acme", "other"), pick("", "tr-1", "tr-2")
		p.Home = ctxmcp.Scope{User: pick("", "ann", "bob"), Project: pick("", "web", "api"), Session: pick("", "s1")}
		p.Classification, p.Created = ctxmcp.Classifications()[r.IntN(4)], day(r.IntN(3))
		p.Erased = r.IntN(5) == 0
		for _, store := range []packets.Store{s, reference} {
			applyPackets(t, store, packets.Change{Insert: []packets.Record{p}})
		}
	}
	selected := 0
	for range 200 {
		at := ctxmcp.Scope{User: pick("ann", "bob"), Project: pick("", "web", "api"), Session: pick("", "s1")}
		q := packets.Query{
			Tenant: pick("acme", "other"), Clearance: ctxmcp.Classifications()[r.IntN(4)], Limit: r.IntN(2) * 5, Everywhere: r.IntN(3) == 0,
			AnyTenant: r.IntN(6) == 0, Unbounded: r.IntN(4) == 0, Trace: pick("", "", "tr-1"), User: pick("", "ann"), Erased: r.IntN(5) == 0,
		}
		for _, outer := range at.Ancestors() {
			q.Namespaces = append(q.Namespaces, outer.Namespace())
		}
		if r.IntN(3) == 0 {
			q.Projects = []string{"web"}
		}
		if r.IntN(3) == 0 {
			q.Before = day(1)
		}
		if r.IntN(3) == 0 {
			q.Ref = ref(r.IntN(60))
		}
		q.Newest = r.IntN(3) == 0
		if r.IntN(4) == 0 {
			q.Behind = &artifacts.Mark{Created: day(r.IntN(3)), ID: ref(r.IntN(60))}
		}
		want, err := reference.FindPackets(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		selected += len(want)
		wantPackets(t, s, q, slices.Clip(want)...)
	}
	if selected == 0 {
		t.Error("no query selected anything")
	}
	wantSameUse(t, reference, s)
}
