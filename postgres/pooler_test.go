package postgres

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/storetest"
)

// TestPooledServers: two servers share one database through a pooler in transaction mode, with more transactions at a time than it has connections: nothing
// is lost, the upkeep is one server's, and nobody depends on the connection of the transaction before.
func TestPooledServers(t *testing.T) {
	needServer(t)
	address := server.Pooled(t)
	servers := []*sqlite.Store{openStore(t, address), openStore(t, address)}
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			key := ctxmcp.PrefixKey{Tenant: fmt.Sprint("tenant", i%8), Namespace: fmt.Sprint("n", i), Digest: "d"}
			if err := servers[i%2].SavePrefix(t.Context(), key, ctxmcp.Prefix{}, time.Unix(int64(i), 0)); err != nil {
				t.Errorf("SavePrefix: %v", err)
			}
			if p, err := servers[1-i%2].FindPrefix(t.Context(), key); err != nil || p == nil {
				t.Errorf("the other server finds %v, %v", p, err)
			}
		})
	}
	all.Wait()
	if _, err := servers[0].Facts().Agree(t.Context(), "name", "value"); err != nil {
		t.Error(err)
	}
	if got, err := servers[1].Facts().Fact(t.Context(), "name"); err != nil || got != "value" {
		t.Errorf("the other server's fact is %q, %v", got, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	began, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		servers[0].Alone(ctx, sqlite.Upkeep, func(ctx context.Context) { close(began); <-ctx.Done() })
	}()
	<-began
	if _, err := servers[1].Claim(t.Context()); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
		t.Errorf("Claim beside a server = %v, want conflict", err)
	}
	stop()
	<-ended
}

// TestStorePooled runs the stores' suite through a pooler in transaction mode. It takes minutes, so make test-postgres-pooled asks for it.
func TestStorePooled(t *testing.T) {
	needServer(t)
	if os.Getenv("TEST_POOLED") == "" {
		t.Skip("SKIPPED: make test-postgres-pooled runs the stores' suite through PgBouncer")
	}
	storetest.Run(t, func(t *testing.T) storetest.Store {
		address := server.Pooled(t)
		return audited{openStore(t, address), address}
	})
}
