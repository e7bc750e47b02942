package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/quota"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

// usage returns the usage of every tenant, and ends the test if there is none.
func usage(t *testing.T, s quota.Ledger) []quota.Use {
	t.Helper()
	held, err := s.Usage(context.Background())
	if err != nil {
		t.Fatalf("Usage: %v", err)
	}
	return held
}

func wantUse(t *testing.T, s quota.Ledger, name quota.Name, want int64) {
	t.Helper()
	var got int64
	for _, u := range usage(t, s) {
		if u.Tenant == "acme" && u.Name == name {
			got = u.Used
		}
	}
	if got != want {
		t.Errorf("acme holds %d %s, want %d", got, name, want)
	}
}

// wantSameUse checks that the store counts the same as the reference.
func wantSameUse(t *testing.T, reference, s quota.Ledger) {
	t.Helper()
	if diff := cmp.Diff(usage(t, reference), usage(t, s)); diff != "" {
		t.Fatalf("Usage differs (-want +got):\n%s", diff)
	}
}

func wantTooLarge(t *testing.T, err error, name quota.Name) {
	t.Helper()
	if ctxmcp.CodeOf(err) != ctxmcp.CodeTooLarge || !strings.Contains(err.Error(), "quota "+string(name)) {
		t.Fatalf("got %v, want the quota %s", err, name)
	}
}

// quotaMemories: versions count, closed ones too, until they are erased. A correction may use the reserve, archiving and
// erasing are never refused, and another tenant has room of its own.
func quotaMemories(t *testing.T, s Store) {
	ctx := context.Background()
	s.Bound(quota.Limits{quota.Memories: 3})
	a, b := object("a", "one"), object("b", "two")
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{a, b}})
	wantTooLarge(t, s.Apply(ctx, memory.Change{Insert: []ctxmcp.ContextObject{object("c", "three"), object("d", "four")}}), quota.Memories)
	wantFound(t, s, everything(), "a", "b") // nothing of it is stored
	theirs := object("c", "three")
	theirs.TenantID = "globex"
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{object("c", "three"), theirs}})
	apply(t, s, memory.Change{Confirm: []memory.Confirmation{{Tenant: "acme", ObjectID: "a", At: day(1)}}})
	next := object("a2", "one, corrected")
	apply(t, s, memory.Change{Close: []memory.Closing{closing(a, day(1), "a2")}, Insert: []ctxmcp.ContextObject{next}})
	wantUse(t, s, quota.Memories, 4)
	again := object("b2", "two, corrected")
	correct := memory.Change{Close: []memory.Closing{closing(b, day(1), "b2")}, Insert: []ctxmcp.ContextObject{again}}
	wantTooLarge(t, s.Apply(ctx, correct), quota.Memories)
	archived := b
	archived.Version, archived.Archived = 2, true
	apply(t, s, memory.Change{Close: []memory.Closing{closing(b, day(1), "")}, Insert: []ctxmcp.ContextObject{archived}})
	wantUse(t, s, quota.Memories, 5)
	for _, id := range []string{"a", "b", "c"} {
		apply(t, s, memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: id}}})
	}
	wantUse(t, s, quota.Memories, 1)
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{object("d", "four")}})
}

// quotaReviews: those count that wait.
func quotaReviews(t *testing.T, s Store) {
	s.Bound(quota.Limits{quota.Reviews: 1})
	ask := func(id string) memory.Change {
		return memory.Change{Insert: []ctxmcp.ContextObject{object("o"+id, "text "+id)},
			Ask: []memory.Review{{ID: id, Tenant: "acme", Namespace: "n", Kind: memory.ConflictReview, Subjects: []string{id}, Asked: day(1)}}}
	}
	apply(t, s, ask("1"))
	wantTooLarge(t, s.Apply(context.Background(), ask("2")), quota.Reviews)
	wantFound(t, s, everything(), "o1")
	upkeep := ask("2")
	upkeep.Insert = nil
	apply(t, s, upkeep) // a change without a new memory is never refused, also if it asks a question
	wantUse(t, s, quota.Reviews, 2)
	apply(t, s, memory.Change{Settle: []memory.Settlement{{Tenant: "acme", ID: "1", At: day(2), Decision: "so"}, {Tenant: "acme", ID: "2", At: day(2), Decision: "so"}}})
	apply(t, s, ask("3"))
	wantUse(t, s, quota.Reviews, 1)
}

// quotaArtifacts: bytes count, those of the original too, and go with the reference.
func quotaArtifacts(t *testing.T, s Store) {
	ctx := context.Background()
	big := artifact("a_1")
	big.RawSize = 500
	s.Bound(quota.Limits{quota.ArtifactBytes: artifacts.Cost(big) + 2000})
	applyArtifacts(t, s, artifacts.Change{Insert: []ctxmcp.Artifact{big}})
	wantUse(t, s, quota.ArtifactBytes, 15_000+500+1024)
	small := artifact("a_2")
	small.Size = 977
	over := artifacts.Change{Insert: []ctxmcp.Artifact{small}}
	wantTooLarge(t, s.ApplyArtifacts(ctx, over), quota.ArtifactBytes)
	wantTooLarge(t, s.Room(ctx, over.Claims()...), quota.ArtifactBytes)
	wantArtifacts(t, s, all(), big)
	small.Size--
	applyArtifacts(t, s, artifacts.Change{Insert: []ctxmcp.Artifact{small}})
	applyArtifacts(t, s, artifacts.Change{Remove: []artifacts.Key{{Tenant: "acme", ID: "a_1"}, {Tenant: "acme", ID: "a_1"}}})
	wantUse(t, s, quota.ArtifactBytes, 2000)
}

// quotaPackets: the same packet again adds nothing, and those count that were erased until they are retired.
func quotaPackets(t *testing.T, s Store) {
	ctx := context.Background()
	s.Bound(quota.Limits{quota.Packets: 2})
	apply(t, s, memory.Change{Insert: []ctxmcp.ContextObject{object("o_1", "text")}})
	of := packet("a")
	of.Objects = []string{"o_1"}
	applyPackets(t, s, packets.Change{Insert: []packets.Record{of, packet("b"), of}})
	applyPackets(t, s, packets.Change{Insert: []packets.Record{packet("b")}})
	wantTooLarge(t, s.ApplyPackets(ctx, packets.Change{Insert: []packets.Record{packet("c")}}), quota.Packets)
	apply(t, s, memory.Change{Erase: []memory.Erasure{{Tenant: "acme", ObjectID: "o_1"}}})
	wantUse(t, s, quota.Packets, 2)
	applyPackets(t, s, packets.Change{Remove: []packets.Key{{Tenant: "acme", Ref: of.Ref}}})
	applyPackets(t, s, packets.Change{Insert: []packets.Record{packet("c")}})
	wantUse(t, s, quota.Packets, 2)
}

// quotaActions: sessions count, and the bytes of their records; a session can always be ended, and all goes with it.
func quotaActions(t *testing.T, s Store) {
	size := int64(len(actionRecord(1).Body))
	s.Bound(quota.Limits{quota.ActionSessions: 1, quota.ActionBytes: 2 * size})
	k := actionKey("s1")
	for seq := range 2 {
		if err := appendAction(s, k, actionRecord(seq+1), day(1)); err != nil {
			t.Fatalf("AppendAction: %v", err)
		}
	}
	wantTooLarge(t, appendAction(s, k, actionRecord(3), day(1)), quota.ActionBytes)
	wantLog(t, s, k, 0, 0, actionRecord(1), actionRecord(2))
	short := actionRecord(1)
	short.Body = json.RawMessage("")
	wantTooLarge(t, appendAction(s, actionKey("s2"), short, day(1)), quota.ActionSessions)
	end := actionRecord(3)
	end.Kind = actions.EndRecord
	if err := appendAction(s, k, end, day(1)); err != nil {
		t.Fatalf("the end of a full session: %v", err)
	}
	wantUse(t, s, quota.ActionBytes, 3*size)
	if _, err := s.SweepActions(context.Background(), day(2)); err != nil {
		t.Fatalf("SweepActions: %v", err)
	}
	if held := usage(t, s); len(held) != 0 {
		t.Errorf("after the sweep %v is held, want nothing", held)
	}
}

// quotaRaces: of many who write at once, as many come in as there is room for, with every kind of write.
func quotaRaces(t *testing.T, s Store) {
	const racers, room = 24, 5
	ctx, size := context.Background(), artifacts.Cost(artifact(""))
	s.Bound(quota.Limits{quota.Memories: room, quota.Packets: room, quota.ActionSessions: room, quota.ArtifactBytes: room*size + size - 1})
	for name, write := range map[quota.Name]func(i int) error{
		quota.Memories: func(i int) error {
			return s.Apply(ctx, memory.Change{Insert: []ctxmcp.ContextObject{object(fmt.Sprint("o", i), "text")}})
		},
		quota.ArtifactBytes: func(i int) error {
			return s.ApplyArtifacts(ctx, artifacts.Change{Insert: []ctxmcp.Artifact{artifact(fmt.Sprint("a_", i))}})
		},
		quota.Packets: func(i int) error {
			return s.ApplyPackets(ctx, packets.Change{Insert: []packets.Record{packet(string(rune('a' + i)))}})
		},
		quota.ActionSessions: func(i int) error { return appendAction(s, actionKey(fmt.Sprint("s", i)), actionRecord(1), day(1)) },
	} {
		t.Run(string(name), func(t *testing.T) { Race(t, racers, room, ctxmcp.CodeTooLarge, write) })
	}
}

// quotaHistories: over random changes under random limits the store refuses the same changes as the reference, and counts as it does.
func quotaHistories(t *testing.T, s Store) {
	w := &world{rnd: rand.New(rand.NewPCG(*seed, 11)), reference: &inmem.Store{}}
	limits := quota.Limits{quota.Memories: int64(40 + w.rnd.IntN(80)), quota.Reviews: int64(2 + w.rnd.IntN(5))}
	s.Bound(limits)
	w.reference.Bound(limits)
	refused := 0
	for i := range 2 * *steps {
		c := w.change()
		want, got := w.reference.Apply(context.Background(), c), s.Apply(context.Background(), c)
		if (want == nil) != (got == nil) || want != nil && want.Error() != got.Error() && ctxmcp.CodeOf(want) != ctxmcp.CodeConflict {
			t.Fatalf("step %d of seed %d: Apply = %v, want %v", i, *seed, got, want)
		}
		if ctxmcp.CodeOf(want) == ctxmcp.CodeTooLarge {
			refused++
		}
		wantSameUse(t, w.reference, s)
	}
	if refused == 0 {
		t.Errorf("nothing was refused under %v", limits)
	}
}
