package admission

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

var (
	ann = ctxmcp.Caller{Tenant: "acme", User: "ann"}
	bob = ctxmcp.Caller{Tenant: "acme", User: "bob"}
	eve = ctxmcp.Caller{Tenant: "other", User: "ann"}
)

// mustEnter fails the test unless the work begins at once.
func mustEnter(t *testing.T, g *Gate, by ctxmcp.Caller, size int64) (leave func()) {
	t.Helper()
	began := time.Now()
	leave, err := g.Enter(t.Context(), by, size)
	if err != nil || time.Since(began) != 0 {
		t.Fatalf("Enter = %v after %s", err, time.Since(began))
	}
	return leave
}

func mustRefuse(t *testing.T, g *Gate, by ctxmcp.Caller, size int64) {
	t.Helper()
	began := time.Now()
	_, err := g.Enter(t.Context(), by, size)
	e, ok := errors.AsType[*ctxmcp.Error](err)
	if !ok || e.Code != ctxmcp.CodeUnavailable || !strings.Contains(e.Hint, "try again in 2 s") || time.Since(began) != g.Wait {
		t.Fatalf("Enter = %v after %s", err, time.Since(began))
	}
}

func TestGateBoundsAllAndEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &Gate{All: 3, Each: 2, Wait: 2 * time.Second, Doing: "expensive calls"}
		first := mustEnter(t, g, ann, 1)
		mustEnter(t, g, ann, 1)
		mustRefuse(t, g, ann, 1)
		third := mustEnter(t, g, bob, 1)
		mustRefuse(t, g, eve, 1)
		third()
		third() // once is enough
		mustEnter(t, g, eve, 1)
		first()
		mustEnter(t, g, ann, 1)
		mustRefuse(t, g, eve, 1)
	})
}

// TestGateLetsTheOldestThrough: those who wait go on in their order as soon as there is room, but for a caller who is over
// their share, who holds up nobody.
func TestGateLetsTheOldestThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &Gate{All: 2, Each: 1, Wait: time.Minute}
		leaveAnn, leaveBob := mustEnter(t, g, ann, 1), mustEnter(t, g, bob, 1)
		var order []string
		var mu sync.Mutex
		for i, by := range []ctxmcp.Caller{ann, ann, eve, bob} {
			go func() {
				time.Sleep(time.Duration(i) * time.Millisecond) // the order of arrival
				if _, err := g.Enter(t.Context(), by, 1); err == nil {
					mu.Lock()
					defer mu.Unlock()
					order = append(order, fmt.Sprint(by.Tenant, " ", by.User))
				}
			}()
		}
		time.Sleep(time.Second)
		leaveBob()
		synctest.Wait()
		leaveAnn()
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		if got := strings.Join(order, ", "); got != "other ann, acme ann" {
			t.Errorf("through came %s", got)
		}
		time.Sleep(time.Minute)
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.used != 2 || len(g.queue) != 0 {
			t.Errorf("%d under way, %d waiting", g.used, len(g.queue))
		}
	})
}

// TestGateBySize: large work is not overtaken for ever by small, and work that is larger than the gate passes it alone.
func TestGateBySize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &Gate{All: 100, Each: 80, Wait: 2 * time.Second}
		leave := mustEnter(t, g, ann, 30)
		large := make(chan func(), 1)
		go func() {
			leave, _ := g.Enter(t.Context(), bob, 1000)
			large <- leave
		}()
		synctest.Wait()
		small := make(chan error, 1)
		go func() { _, err := g.Enter(t.Context(), eve, 1); small <- err }()
		synctest.Wait()
		leave()
		leaveLarge := <-large
		if leaveLarge == nil || <-small != nil || g.used != 81 {
			t.Fatalf("%d under way", g.used)
		}
		leaveLarge()
		mustEnter(t, g, ann, 80)
	})
}

func TestGateGivesUpWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &Gate{All: 1, Wait: time.Minute}
		leave := mustEnter(t, g, ann, 1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := g.Enter(ctx, bob, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Enter = %v", err)
		}
		leave()
		mustEnter(t, g, bob, 1)
	})
}

func TestGateIsShutWhileMemoryIsShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		short := ctxmcp.Errorf(ctxmcp.CodeUnavailable, "memory is short")
		var near error = short
		g := &Gate{Near: func() error { return near }}
		if _, err := g.Enter(t.Context(), ann, 1); !errors.Is(err, short) {
			t.Errorf("Enter = %v", err)
		}
		near = nil
		for range 100 { // without bounds
			mustEnter(t, g, ann, 1<<40)
		}
	})
}
