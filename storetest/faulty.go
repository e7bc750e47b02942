package storetest

import (
	"context"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/quota"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
	"github.com/ctx-mcp/ctx-mcp/tasks"
	audit "github.com/ctx-mcp/ctx-mcp/trail"
)

// Faulty is a store whose methods can be made to fail. Each method is a point of the Faults, under its own name.
type Faulty struct {
	*Faults
	Store Store
}

var _ Store = Faulty{} // a method that is added to Store does not build without a point of its own

// ActionLog implements Store.
func (f Faulty) ActionLog(ctx context.Context, k actions.Key, after, limit int) ([]actions.Record, error) {
	return Strike(f.Faults, "ActionLog", func() ([]actions.Record, error) { return f.Store.ActionLog(ctx, k, after, limit) })
}

// ActionSessions implements Store.
func (f Faulty) ActionSessions(ctx context.Context, tenant, user string, behind *actions.Listed, limit int) ([]actions.Listed, error) {
	return Strike(f.Faults, "ActionSessions", func() ([]actions.Listed, error) { return f.Store.ActionSessions(ctx, tenant, user, behind, limit) })
}

// AppendAction implements Store.
func (f Faulty) AppendAction(ctx context.Context, k actions.Key, r actions.Record, until time.Time, audit ctxmcp.Event, proof *receipts.Proof) error {
	return f.Do("AppendAction", func() error { return f.Store.AppendAction(ctx, k, r, until, audit, proof) })
}

// AppendReceipt implements Store.
func (f Faulty) AppendReceipt(ctx context.Context, k receipts.Key, m receipts.Make) error {
	return f.Do("AppendReceipt", func() error { return f.Store.AppendReceipt(ctx, k, m) })
}

// Apply implements Store.
func (f Faulty) Apply(ctx context.Context, c memory.Change) error {
	return f.Do("Apply", func() error { return f.Store.Apply(ctx, c) })
}

// ApplyArtifacts implements Store.
func (f Faulty) ApplyArtifacts(ctx context.Context, c artifacts.Change) error {
	return f.Do("ApplyArtifacts", func() error { return f.Store.ApplyArtifacts(ctx, c) })
}

// ApplyPackets implements Store.
func (f Faulty) ApplyPackets(ctx context.Context, c packets.Change) error {
	return f.Do("ApplyPackets", func() error { return f.Store.ApplyPackets(ctx, c) })
}

// Around implements Store.
func (f Faulty) Around(ctx context.Context, q memory.Query, places []ranking.Place) ([]ranking.Candidate, error) {
	return Strike(f.Faults, "Around", func() ([]ranking.Candidate, error) { return f.Store.Around(ctx, q, places) })
}

// Count implements Store.
func (f Faulty) Count(ctx context.Context, q memory.Query) (int, error) {
	return Strike(f.Faults, "Count", func() (int, error) { return f.Store.Count(ctx, q) })
}

// CrowdedHomes implements Store.
func (f Faulty) CrowdedHomes(ctx context.Context, most int) ([]artifacts.Home, error) {
	return Strike(f.Faults, "CrowdedHomes", func() ([]artifacts.Home, error) { return f.Store.CrowdedHomes(ctx, most) })
}

// CrowdedPackets implements Store.
func (f Faulty) CrowdedPackets(ctx context.Context, most int) ([]artifacts.Home, error) {
	return Strike(f.Faults, "CrowdedPackets", func() ([]artifacts.Home, error) { return f.Store.CrowdedPackets(ctx, most) })
}

// Due implements Store.
func (f Faulty) Due(ctx context.Context, at time.Time, limit int) ([]ctxmcp.ContextObject, error) {
	return Strike(f.Faults, "Due", func() ([]ctxmcp.ContextObject, error) { return f.Store.Due(ctx, at, limit) })
}

// Events implements Store.
func (f Faulty) Events(ctx context.Context, q audit.Query) ([]audit.Entry, error) {
	return Strike(f.Faults, "Events", func() ([]audit.Entry, error) { return f.Store.Events(ctx, q) })
}

// Experiences implements Store.
func (f Faulty) Experiences(ctx context.Context, tenant, user string, objects []string) (map[string]memory.Experience, error) {
	return Strike(f.Faults, "Experiences", func() (map[string]memory.Experience, error) { return f.Store.Experiences(ctx, tenant, user, objects) })
}

// Find implements Store.
func (f Faulty) Find(ctx context.Context, q memory.Query) ([]ctxmcp.ContextObject, error) {
	return Strike(f.Faults, "Find", func() ([]ctxmcp.ContextObject, error) { return f.Store.Find(ctx, q) })
}

// FindArtifacts implements Store.
func (f Faulty) FindArtifacts(ctx context.Context, q artifacts.Query) ([]ctxmcp.Artifact, error) {
	return Strike(f.Faults, "FindArtifacts", func() ([]ctxmcp.Artifact, error) { return f.Store.FindArtifacts(ctx, q) })
}

// FindPackets implements Store.
func (f Faulty) FindPackets(ctx context.Context, q packets.Query) ([]packets.Record, error) {
	return Strike(f.Faults, "FindPackets", func() ([]packets.Record, error) { return f.Store.FindPackets(ctx, q) })
}

// FindPrefix implements Store.
func (f Faulty) FindPrefix(ctx context.Context, k ctxmcp.PrefixKey) (*ctxmcp.Prefix, error) {
	return Strike(f.Faults, "FindPrefix", func() (*ctxmcp.Prefix, error) { return f.Store.FindPrefix(ctx, k) })
}

// FindTasks implements Store.
func (f Faulty) FindTasks(ctx context.Context, tenant string, namespaces []string, task string) ([]tasks.State, error) {
	return Strike(f.Faults, "FindTasks", func() ([]tasks.State, error) { return f.Store.FindTasks(ctx, tenant, namespaces, task) })
}

// FindToken implements Store.
func (f Faulty) FindToken(ctx context.Context, hash string) (*access.Token, error) {
	return Strike(f.Faults, "FindToken", func() (*access.Token, error) { return f.Store.FindToken(ctx, hash) })
}

// HeldIn implements Store.
func (f Faulty) HeldIn(ctx context.Context, h artifacts.Home, before time.Time) ([]string, error) {
	return Strike(f.Faults, "HeldIn", func() ([]string, error) { return f.Store.HeldIn(ctx, h, before) })
}

// HoldsDigest implements Store.
func (f Faulty) HoldsDigest(ctx context.Context, digest string) (bool, error) {
	return Strike(f.Faults, "HoldsDigest", func() (bool, error) { return f.Store.HoldsDigest(ctx, digest) })
}

// LastWrite implements Store.
func (f Faulty) LastWrite(ctx context.Context, tenant, namespace string) (time.Time, error) {
	return Strike(f.Faults, "LastWrite", func() (time.Time, error) { return f.Store.LastWrite(ctx, tenant, namespace) })
}

// ListTokens implements Store.
func (f Faulty) ListTokens(ctx context.Context) ([]access.Token, error) {
	return Strike(f.Faults, "ListTokens", func() ([]access.Token, error) { return f.Store.ListTokens(ctx) })
}

// List implements Store.
func (f Faulty) List(ctx context.Context, l entities.Listing) ([]entities.Entity, error) {
	return Strike(f.Faults, "List", func() ([]entities.Entity, error) { return f.Store.List(ctx, l) })
}

// BrowseTasks implements Store.
func (f Faulty) BrowseTasks(ctx context.Context, l tasks.Browsing) ([]tasks.State, error) {
	return Strike(f.Faults, "BrowseTasks", func() ([]tasks.State, error) { return f.Store.BrowseTasks(ctx, l) })
}

// LogEnd implements Store.
func (f Faulty) LogEnd(ctx context.Context) (receipts.End, error) {
	return Strike(f.Faults, "LogEnd", func() (receipts.End, error) { return f.Store.LogEnd(ctx) })
}

// Lookup implements Store.
func (f Faulty) Lookup(ctx context.Context, q entities.Query) ([]entities.Entity, error) {
	return Strike(f.Faults, "Lookup", func() ([]entities.Entity, error) { return f.Store.Lookup(ctx, q) })
}

// Pinned implements Store.
func (f Faulty) Pinned(ctx context.Context, tenant string, ids []string, at time.Time) (map[string]bool, error) {
	return Strike(f.Faults, "Pinned", func() (map[string]bool, error) { return f.Store.Pinned(ctx, tenant, ids, at) })
}

// Receipts implements Store.
func (f Faulty) Receipts(ctx context.Context, q receipts.Query) ([]receipts.Entry, error) {
	return Strike(f.Faults, "Receipts", func() ([]receipts.Entry, error) { return f.Store.Receipts(ctx, q) })
}

// Replay implements Store.
func (f Faulty) Replay(ctx context.Context, k memory.Key) (*memory.Replay, error) {
	return Strike(f.Faults, "Replay", func() (*memory.Replay, error) { return f.Store.Replay(ctx, k) })
}

// Retry implements Store.
func (f Faulty) Retry(ctx context.Context, model string) error {
	return f.Do("Retry", func() error { return f.Store.Retry(ctx, model) })
}

// Reviews implements Store.
func (f Faulty) Reviews(ctx context.Context, q memory.ReviewQuery) ([]memory.Review, error) {
	return Strike(f.Faults, "Reviews", func() ([]memory.Review, error) { return f.Store.Reviews(ctx, q) })
}

// RevokeToken implements Store.
func (f Faulty) RevokeToken(ctx context.Context, id string, at time.Time) error {
	return f.Do("RevokeToken", func() error { return f.Store.RevokeToken(ctx, id, at) })
}

// SavePrefix implements Store.
func (f Faulty) SavePrefix(ctx context.Context, k ctxmcp.PrefixKey, p ctxmcp.Prefix, at time.Time) error {
	return f.Do("SavePrefix", func() error { return f.Store.SavePrefix(ctx, k, p, at) })
}

// SaveTask implements Store.
func (f Faulty) SaveTask(ctx context.Context, s tasks.State, pins []artifacts.Pin, audit ctxmcp.Event) error {
	return f.Do("SaveTask", func() error { return f.Store.SaveTask(ctx, s, pins, audit) })
}

// SaveToken implements Store.
func (f Faulty) SaveToken(ctx context.Context, t access.Token) error {
	return f.Do("SaveToken", func() error { return f.Store.SaveToken(ctx, t) })
}

// Search implements Store.
func (f Faulty) Search(ctx context.Context, q memory.Query, terms []string, most int) (ranking.Found, error) {
	return Strike(f.Faults, "Search", func() (ranking.Found, error) { return f.Store.Search(ctx, q, terms, most) })
}

// SweepActions implements Store.
func (f Faulty) SweepActions(ctx context.Context, at time.Time) (int, error) {
	return Strike(f.Faults, "SweepActions", func() (int, error) { return f.Store.SweepActions(ctx, at) })
}

// Together implements Store.
func (f Faulty) Together(ctx context.Context, tenant string, ids []string, most int) ([]entities.Reference, error) {
	return Strike(f.Faults, "Together", func() ([]entities.Reference, error) { return f.Store.Together(ctx, tenant, ids, most) })
}

// TreeHashes implements Store.
func (f Faulty) TreeHashes(ctx context.Context, indexes []int64) ([][32]byte, error) {
	return Strike(f.Faults, "TreeHashes", func() ([][32]byte, error) { return f.Store.TreeHashes(ctx, indexes) })
}

// Unembedded implements Store.
func (f Faulty) Unembedded(ctx context.Context, model string, limit int) ([]ctxmcp.ContextObject, error) {
	return Strike(f.Faults, "Unembedded", func() ([]ctxmcp.ContextObject, error) { return f.Store.Unembedded(ctx, model, limit) })
}

// Versions implements Store.
func (f Faulty) Versions(ctx context.Context, tenant, id string) ([]entities.Entity, error) {
	return Strike(f.Faults, "Versions", func() ([]entities.Entity, error) { return f.Store.Versions(ctx, tenant, id) })
}

// WaitingSessions implements Store.
func (f Faulty) WaitingSessions(ctx context.Context, tenant, user string) ([]actions.Key, error) {
	return Strike(f.Faults, "WaitingSessions", func() ([]actions.Key, error) { return f.Store.WaitingSessions(ctx, tenant, user) })
}

// Usage implements Store.
func (f Faulty) Usage(ctx context.Context) ([]quota.Use, error) {
	return Strike(f.Faults, "Usage", func() ([]quota.Use, error) { return f.Store.Usage(ctx) })
}

// Room implements Store.
func (f Faulty) Room(ctx context.Context, claims ...quota.Claim) error {
	return f.Do("Room", func() error { return f.Store.Room(ctx, claims...) })
}

// Bound implements Store. It cannot fail: it is no point.
func (f Faulty) Bound(l quota.Limits) { f.Store.Bound(l) }

// Nearest implements Store.
func (f Faulty) Nearest(ctx context.Context, q memory.Query, model string, v []float32, most int) (found []ranking.Near, whole bool, err error) {
	err = f.Do("Nearest", func() (err error) {
		found, whole, err = f.Store.Nearest(ctx, q, model, v, most)
		return err
	})
	return found, whole, err
}
