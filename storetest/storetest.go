package storetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/quota"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
	"github.com/ctx-mcp/ctx-mcp/tasks"
	audit "github.com/ctx-mcp/ctx-mcp/trail"
)

// Store is everything that a store offers.
type Store interface {
	memory.Store
	memory.VectorStore
	entities.Registry
	access.Store
	artifacts.Index
	artifacts.Keeper
	tasks.Store
	// FindPrefix and SavePrefix are compiler.Prefixes, which the tests of packages below the compiler cannot import.
	FindPrefix(ctx context.Context, key ctxmcp.PrefixKey) (*ctxmcp.Prefix, error)
	SavePrefix(ctx context.Context, key ctxmcp.PrefixKey, p ctxmcp.Prefix, at time.Time) error
	packets.Store
	receipts.Log
	actions.Store
	audit.Store
	quota.Ledger
	Bound(quota.Limits)
}

// Run proves the store. open returns an empty one, with a method Trail that returns the events of its audit trail in their order, and closes
// it when the test ends.
func Run(t *testing.T, open func(t *testing.T) Store) {
	for _, c := range slices.Concat(vectorCases, raceCases, []testCase{
		{"RoundTrip", roundTrip},
		{"IDsAreBytes", idsAreBytes},
		{"TimeQuestions", timeQuestions},
		{"CloseOnce", closeOnce},
		{"Expectations", expectations},
		{"AllOrNothing", allOrNothing},
		{"Replays", replays},
		{"Erasure", erasure},
		{"ErasedReasons", erasedReasons},
		{"SearchProbes", searchProbes},
		{"RandomHistories", randomHistories},
		{"Reviews", reviews},
		{"Due", due},
		{"Uses", uses},
		{"Experiences", experiences},
		{"EntityRoundTrip", entityRoundTrip},
		{"EntityFamilies", entityFamilies},
		{"EntityExpectations", entityExpectations},
		{"EntityCrowd", entityCrowd},
		{"EntityErasure", entityErasure},
		{"EntityHistories", entityHistories},
		{"EntityLists", entityLists},
		{"TokenRoundTrip", tokenRoundTrip},
		{"TokenOrder", tokenOrder},
		{"TokenConflict", tokenConflict},
		{"TokenUnknown", tokenUnknown},
		{"TokenRevocation", tokenRevocation},
		{"ArtifactRoundTrip", artifactRoundTrip},
		{"ArtifactTaken", artifactTaken},
		{"AnswersOnce", answersOnce},
		{"Retention", retention},
		{"Prefixes", prefixes},
		{"RandomArtifacts", randomArtifacts},
		{"TaskVersions", taskVersions},
		{"TaskLists", taskLists},
		{"TrailQueries", trailQueries},
		{"PacketRoundTrip", packetRoundTrip},
		{"PacketErasure", packetErasure},
		{"PacketPins", packetPins},
		{"PacketsAgain", packetsAgain},
		{"RandomPackets", randomPackets},
		{"ActionWaiting", actionWaiting},
		{"ActionProof", actionProof},
		{"ReceiptOrder", receiptOrder},
		{"ReceiptPlace", receiptPlace},
		{"ReceiptRefused", receiptRefused},
		{"ActionLogs", actionLogs},
		{"ActionSessions", actionSessions},
		{"ActionRetention", actionRetention},
		{"QuotaMemories", quotaMemories},
		{"QuotaReviews", quotaReviews},
		{"QuotaArtifacts", quotaArtifacts},
		{"QuotaPackets", quotaPackets},
		{"QuotaActions", quotaActions},
		{"QuotaHistories", quotaHistories},
	}) {
		t.Run(c.name, func(t *testing.T) { c.run(t, open(t)) })
	}
}

// RunVectors runs the tests of search by vectors alone.
func RunVectors(t *testing.T, open func(t *testing.T) Store) {
	for _, c := range vectorCases {
		t.Run(c.name, func(t *testing.T) { c.run(t, open(t)) })
	}
}

// RunRaces runs the tests of writers at the same time alone.
func RunRaces(t *testing.T, open func(t *testing.T) Store) {
	for _, c := range raceCases {
		t.Run(c.name, func(t *testing.T) { c.run(t, open(t)) })
	}
}

type testCase struct {
	name string
	run  func(*testing.T, Store)
}

var vectorCases = []testCase{
	{"Vectors", vectors},
	{"Refusals", refusals},
	{"NearestUnderFilter", nearestUnderFilter},
}

var raceCases = []testCase{
	{"RacingClosers", racingClosers},
	{"ReceiptRace", receiptRace},
	{"ActionRaces", actionRaces},
	{"TaskConflicts", taskConflicts},
	{"QuotaRaces", quotaRaces},
}

// epoch is when the histories of the tests begin.
var epoch = time.Date(2026, 1, 1, 12, 0, 0, 123_456_000, time.UTC)

func day(n int) time.Time { return epoch.AddDate(0, 0, n) }

// object returns a clean object of ann's that is valid and held from the epoch on.
func object(id, content string) ctxmcp.ContextObject {
	return ctxmcp.ContextObject{
		ObjectID: id, FactID: id, Version: 1, Content: content, ObjectType: ctxmcp.IdentityFact,
		CanonicalEntityIDs: []string{}, SourceOrigin: "user://ann", SourceAuthority: 0.9, ConfidenceScore: 0.95,
		Classification: ctxmcp.Restricted, TenantID: "acme", UserID: "ann", ProjectID: "web", Layer: ctxmcp.ProjectLayer,
		ValidFrom: epoch, TxStart: epoch, LastConfirmed: epoch, ApplicableTaskTypes: []ctxmcp.TaskType{},
		ContradictionStatus: ctxmcp.Clean, SourceKind: ctxmcp.UserStatement, Authority: ctxmcp.AuthorityUser,
	}
}

// everything returns the query for all that acme holds now.
func everything() memory.Query {
	return memory.Query{Tenant: "acme", Everywhere: true, Clearance: ctxmcp.HighlyRestricted}
}

func apply(t *testing.T, s memory.Store, c memory.Change) {
	t.Helper()
	if err := s.Apply(context.Background(), c); err != nil {
		t.Fatalf("Apply: %v", err)
	}
}

func wantConflict(t *testing.T, s memory.Store, c memory.Change) {
	t.Helper()
	if err := s.Apply(context.Background(), c); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
		t.Fatalf("Apply = %v, want a conflict", err)
	}
}

func find(t *testing.T, s memory.Store, q memory.Query) []ctxmcp.ContextObject {
	t.Helper()
	found, err := s.Find(context.Background(), q)
	if err != nil {
		t.Fatalf("Find: %v", err)
	}
	return found
}

// wantFound checks which objects q selects, by id.
func wantFound(t *testing.T, s memory.Store, q memory.Query, want ...string) {
	t.Helper()
	got := []string{}
	for _, o := range find(t, s, q) {
		got = append(got, o.ObjectID)
	}
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("Find(%+v) differs (-want +got):\n%s", q, diff)
	}
}

func closing(o ctxmcp.ContextObject, at time.Time, link string) memory.Closing {
	return memory.Closing{Tenant: o.TenantID, Key: ctxmcp.KeyOf(o), TxEnd: at,
		Closing: ctxmcp.Closing{Status: ctxmcp.Overridden, Link: link, Reason: "superseded"}}
}
