package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/quota"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/storetest"
	"github.com/ctx-mcp/ctx-mcp/tasks"
)

// hold begins a transaction that writes for tenants, as another server would, and returns a function that ends it.
func hold(t *testing.T, address string, tenants ...string) (release func()) {
	t.Helper()
	_, release = holding(t, address, tenants...)
	return release
}

func holding(t *testing.T, address string, tenants ...string) (tx *sql.Tx, release func()) {
	t.Helper()
	tx, err := connections(t, address).Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := begin(t.Context(), tx, tenants); err != nil {
		t.Fatal(err)
	}
	return tx, sync.OnceFunc(func() {
		if err := tx.Rollback(); err != nil {
			t.Error(err)
		}
	})
}

// of returns an object of a tenant's.
func of(tenant, id string) memory.Change {
	o := object(id, "the door is red")
	o.TenantID = tenant
	return memory.Change{Insert: []ctxmcp.ContextObject{o}}
}

// A transaction of one tenant keeps no other tenant waiting, not even its own server's; the same tenant waits for it, and so does a change of all.
func TestTenantsDoNotWaitForEachOther(t *testing.T) {
	needServer(t)
	address := server.Empty(t)
	stores := []*sqlite.Store{openStore(t, address), openStore(t, address)}
	release := hold(t, address, "acme")
	done := make(chan error, 2)
	for _, s := range stores {
		go func() { done <- s.Apply(context.Background(), of("acme", fmt.Sprintf("%p", s))) }()
	}
	for i, s := range stores {
		if err := s.Apply(t.Context(), of("other", fmt.Sprint("o", i))); err != nil {
			t.Errorf("a write of another tenant: %v", err)
		}
	}
	waited, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if err := stores[0].Apply(waited, of("acme", "given up")); err == nil {
		t.Error("a write of the tenant whose lock is held took place")
	}
	select {
	case err := <-done:
		t.Errorf("a write of the tenant whose lock is held ended: %v", err)
	default:
	}
	release()
	for range stores {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	q := everything()
	if got, err := stores[0].Find(t.Context(), q); err != nil || len(got) != 2 {
		t.Errorf("Find = %d objects, %v, want the 2 whose callers did not give up", len(got), err)
	}
}

// A server of the version before locks all tenants at once, and so does a change of all: each waits for every tenant, and every tenant for it.
func TestChangeOfAllWaitsForAll(t *testing.T) {
	needServer(t)
	address := server.Empty(t)
	s := openStore(t, address)
	release := hold(t, address)
	done := make(chan error, 1)
	go func() { done <- s.Apply(context.Background(), of("acme", "one")) }()
	wantWaiting(t, address, 1)
	release()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	release = hold(t, address, "acme")
	go func() { done <- s.Retry(context.Background(), "model") }()
	wantWaiting(t, address, 1)
	release()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// wantWaiting waits until as many transactions of a schema wait for an advisory lock.
func wantWaiting(t *testing.T, address string, want int) {
	t.Helper()
	for {
		text, err := server.SQL("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
		if err != nil {
			t.Fatal(err, text)
		}
		if text == fmt.Sprintln(want) {
			return
		}
		if err := t.Context().Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// servers are two servers of one database, which take turns to write.
type servers struct {
	audited
	other *sqlite.Store
	turn  *atomic.Int64
}

func (s servers) next() *sqlite.Store {
	if s.turn.Add(1)%2 == 0 {
		return s.Store
	}
	return s.other
}

// Bound implements storetest.Store.
func (s servers) Bound(l quota.Limits) {
	s.Store.Bound(l)
	s.other.Bound(l)
}

// Apply implements memory.Store.
func (s servers) Apply(ctx context.Context, c memory.Change) error { return s.next().Apply(ctx, c) }

// ApplyArtifacts implements artifacts.Index.
func (s servers) ApplyArtifacts(ctx context.Context, c artifacts.Change) error {
	return s.next().ApplyArtifacts(ctx, c)
}

// ApplyPackets implements packets.Store.
func (s servers) ApplyPackets(ctx context.Context, c packets.Change) error {
	return s.next().ApplyPackets(ctx, c)
}

// SaveTask implements tasks.Store.
func (s servers) SaveTask(ctx context.Context, t tasks.State, pins []artifacts.Pin, e ctxmcp.Event) error {
	return s.next().SaveTask(ctx, t, pins, e)
}

// AppendReceipt implements receipts.Log.
func (s servers) AppendReceipt(ctx context.Context, k receipts.Key, make receipts.Make) error {
	return s.next().AppendReceipt(ctx, k, make)
}

// AppendAction implements actions.Store.
func (s servers) AppendAction(ctx context.Context, k actions.Key, r actions.Record, until time.Time, e ctxmcp.Event, proof *receipts.Proof) error {
	return s.next().AppendAction(ctx, k, r, until, e, proof)
}

// The races of the stores' suite end the same where the racers are at two servers.
func TestRacesOfTwoServers(t *testing.T) {
	needServer(t)
	storetest.RunRaces(t, func(t *testing.T) storetest.Store {
		address := server.Empty(t)
		return servers{audited{openStore(t, address), address}, openStore(t, address), new(atomic.Int64)}
	})
}

// Erasures are numbered in the order of their commits: a server that has followed one never passes over another that was begun before it.
func TestErasuresInTheOrderOfTheirCommits(t *testing.T) {
	needServer(t)
	address := server.Empty(t)
	a, b := openStore(t, address), openStore(t, address)
	for _, tenant := range []string{"acme", "other"} {
		if err := a.Apply(t.Context(), of(tenant, "one")); err != nil {
			t.Fatal(err)
		}
	}
	if got := found(t, b, "red door"); len(got) != 1 {
		t.Fatalf("before the erasure %v is found", got)
	}
	tx, release := holding(t, address, "third")
	if err := lock(t.Context(), tx, sqlite.TableOfErasures); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`INSERT INTO erasures DEFAULT VALUES`); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 2)
	for _, tenant := range []string{"acme", "other"} {
		go func() {
			done <- a.Apply(context.Background(), memory.Change{Erase: []memory.Erasure{{Tenant: tenant, ObjectID: "one"}}})
		}()
	}
	wantWaiting(t, address, 2)
	release()
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := found(t, b, "red door"); len(got) != 0 {
		t.Errorf("after the erasure %v is found", got)
	}
}

// touchOther changes a version of another tenant as a server of its own would, and returns the transaction before its end.
func touchOther(t *testing.T, address, tenant, id string) *sql.Tx {
	t.Helper()
	tx, err := connections(t, address).Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := begin(t.Context(), tx, []string{tenant}); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`UPDATE versions SET tx_end = ?, closing = '{}' WHERE tenant = ? AND object_id = ?`, noon.UnixMicro(), tenant, id); err != nil {
		t.Fatal(err)
	}
	return tx
}

// A change that was begun before one of another tenant and committed after it is followed by whatever is kept in memory.
func TestTouchesInTheOrderOfTheirCommits(t *testing.T) {
	needServer(t)
	address := server.Empty(t)
	s := openStore(t, address)
	for _, tenant := range []string{"acme", "other"} {
		if err := s.Apply(t.Context(), of(tenant, "one")); err != nil {
			t.Fatal(err)
		}
	}
	if got := found(t, s, "red door"); len(got) != 1 {
		t.Fatalf("before the end of the version %v is found", got)
	}
	first := touchOther(t, address, "acme", "one")
	if err := s.Apply(t.Context(), memory.Change{Mark: []memory.Marking{{Tenant: "other", ObjectID: "one", By: "later"}}}); err != nil {
		t.Fatal(err)
	}
	if got := found(t, s, "red door"); len(got) != 1 {
		t.Fatalf("before the commit %v is found", got)
	}
	if err := first.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := found(t, s, "red door"); len(got) != 0 {
		t.Errorf("%v is found after its end, want none", got)
	}
}

// A change drops old touches of its own scope, and waits for no other tenant's change that does the same.
func TestOldTouchesKeepNobodyWaiting(t *testing.T) {
	needServer(t)
	address := server.Empty(t)
	s := openStore(t, address)
	for _, tenant := range []string{"acme", "other"} {
		if err := s.Apply(t.Context(), of(tenant, "one")); err != nil {
			t.Fatal(err)
		}
	}
	db := connect(t, address)
	if _, err := db.Exec(t.Context(), `INSERT INTO touched (id) SELECT id FROM versions CROSS JOIN generate_series(1, 3000)`); err != nil {
		t.Fatal(err)
	}
	first := touchOther(t, address, "acme", "one")
	waited, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	if err := s.Apply(waited, memory.Change{Mark: []memory.Marking{{Tenant: "other", ObjectID: "one", By: "later"}}}); err != nil {
		t.Errorf("a change of another tenant: %v", err)
	}
	if err := first.Commit(); err != nil {
		t.Fatal(err)
	}
	var left, most int
	if err := db.QueryRow(t.Context(), `SELECT count(*), max(seq) - min(seq) FROM touched`).Scan(&left, &most); err != nil {
		t.Fatal(err)
	}
	if left >= 6000 || most > 2*4096 {
		t.Errorf("%d touches are left, over %d numbers", left, most)
	}
}
