package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp/console/visits"
	"github.com/ctx-mcp/ctx-mcp/serve/allowance"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

// aCentury is a rate so low that a test earns nothing while it runs.
const aCentury = 1.0 / (100 * 365 * 24 * 3600)

// patient is a store that is never too slow: the machine of a test may be.
type patient struct{ allowance.Store }

func (p patient) TakeMessages(ctx context.Context, a allowance.Ask) (int, time.Duration, error) {
	return p.Store.TakeMessages(context.WithoutCancel(ctx), a)
}

// TestServersShareARate: callers who send to three servers at once get the burst once, whoever answers; another caller has their own. The servers connect
// as a role whom row-level security binds.
func TestServersShareARate(t *testing.T) {
	needServer(t)
	owner, app := fenced(t)
	stores := []*sqlite.Store{openStore(t, app), openStore(t, app), openStore(t, app)}
	const burst = 300
	var all []*allowance.Leases
	for _, s := range stores {
		all = append(all, allowance.New(patient{s.Allowances()}, aCentury, burst, slog.New(slog.DiscardHandler)))
	}
	users := []string{"ann", "bob", "o'neil \"x\""}
	passed := make([]atomic.Int64, len(users))
	now := time.Now() // of all messages: no lease is over while the test runs
	var wg sync.WaitGroup
	for u, user := range users {
		for _, l := range all {
			for range 2 {
				wg.Go(func() {
					for range burst {
						wait, counted := l.Wait(t.Context(), "acme", user, now)
						if !counted {
							t.Error("the database did not count a message")
							return
						}
						if wait == 0 {
							passed[u].Add(1)
						}
					}
				})
			}
		}
	}
	wg.Wait()
	for u, user := range users {
		if got := passed[u].Load(); got != burst {
			t.Errorf("%d messages of %s passed at three servers, want %d", got, user, burst)
		}
	}
	db := connect(t, owner)
	if got := bare(t, db, `SELECT count(*) FROM allowances`); got != "SELECT 1 [[3]]" {
		t.Errorf("rows of callers: %s", got)
	}
	// A century goes by: all is earned again, once, and idle callers are forgotten.
	if _, err := db.Exec(t.Context(), `UPDATE allowances SET due = 0 WHERE "user" = 'ann'`); err != nil {
		t.Fatal(err)
	}
	if err := stores[1].Allowances().ForgetIdle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := bare(t, db, `SELECT count(*) FROM allowances`); got != "SELECT 1 [[2]]" {
		t.Errorf("after the idle were forgotten, rows of callers: %s", got)
	}
	granted, _, err := stores[2].Allowances().TakeMessages(t.Context(), allowance.Ask{Tenant: "acme", User: "ann", PerSecond: aCentury, Burst: burst, Want: 2 * burst})
	if err != nil || granted != burst {
		t.Errorf("TakeMessages of more than there is = %d, %v, want %d", granted, err, burst)
	}
}

// TestTakeMessages: messages that are given back can be taken again, and a caller who has taken all is told the time until the next one.
func TestTakeMessages(t *testing.T) {
	needServer(t)
	s := openStore(t, server.Empty(t))
	for i, step := range []struct{ want, back, granted int }{{4, 0, 4}, {4, 0, 4}, {4, 0, 2}, {4, 0, 0}, {4, 3, 3}, {1, 0, 0}, {20, 10, 10}, {1, 1000, 1}, {20, 0, 9}} {
		granted, wait, err := s.Allowances().TakeMessages(t.Context(), allowance.Ask{Tenant: "acme", User: "ann", PerSecond: 1e-4, Burst: 10, Want: step.want, Back: step.back})
		if err != nil || granted != step.granted {
			t.Errorf("step %d: TakeMessages = %d, %v, want %d", i, granted, err, step.granted)
		}
		if waits := wait > 0; waits != (step.granted == 0) || wait > 10_000*time.Second {
			t.Errorf("step %d: the wait is %s", i, wait)
		}
	}
	if _, wait, err := s.Allowances().TakeMessages(t.Context(), allowance.Ask{Tenant: "acme", User: "bob", PerSecond: 1e-300, Burst: 1, Want: 1}); err != nil || wait != 0 {
		t.Errorf("at next to no rate the first message waits %s, %v", wait, err)
	}
	if _, wait, err := s.Allowances().TakeMessages(t.Context(), allowance.Ask{Tenant: "acme", User: "bob", PerSecond: 1e-300, Burst: 1, Want: 1}); err != nil || wait != longestWait {
		t.Errorf("at next to no rate the second message waits %s, %v", wait, err)
	}
}

// TestServersShareVisits: a browser that one server let in is known to another, until either lets it go; the number of them is bounded.
func TestServersShareVisits(t *testing.T) {
	needServer(t)
	owner, app := fenced(t)
	a, b := openStore(t, app).Visits(), openStore(t, app).Visits()
	add := func(name string, seen time.Time) {
		t.Helper()
		if err := a.AddVisit(t.Context(), visits.Row{Name: name, Sealed: []byte("sealed\x00" + name), Seen: seen}, noon.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	add("old", noon.Add(-time.Minute))
	got, err := b.FindVisit(t.Context(), "old")
	if err != nil || string(got.Sealed) != "sealed\x00old" || !got.Seen.Equal(noon.Add(-time.Minute)) {
		t.Fatalf("FindVisit at the other server = %+v, %v", got, err)
	}
	if err := b.SeeVisit(t.Context(), "old", noon); err != nil {
		t.Fatal(err)
	}
	if got, err := a.FindVisit(t.Context(), "old"); err != nil || !got.Seen.Equal(noon) {
		t.Errorf("seen at the other server: %+v, %v", got, err)
	}
	if err := b.EndVisit(t.Context(), "old"); err != nil {
		t.Fatal(err)
	}
	if _, err := a.FindVisit(t.Context(), "old"); err == nil {
		t.Error("a browser that left the other server is known")
	}
	db := connect(t, owner)
	if _, err := db.Exec(t.Context(), fmt.Sprintf(`INSERT INTO visits SELECT 'n' || i, '', %d + i FROM generate_series(1, %d) AS i`, noon.UnixMicro(), mostVisits)); err != nil {
		t.Fatal(err)
	}
	add("newest", noon.Add(time.Hour))
	if got := bare(t, db, `SELECT count(*), min(seen) FROM visits`); got != fmt.Sprintf("SELECT 1 [[%d %d]]", mostVisits, noon.UnixMicro()+2) {
		t.Errorf("rows of visits: %s", got)
	}
}
