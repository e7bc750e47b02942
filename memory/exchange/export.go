package exchange

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/ctx-mcp/ctx-mcp/memory"
)

// Export writes every version of every object of the tenant that the store holds, for all users: one line each, in
// the order of memory.Compare. The same objects give the same bytes. It returns the number of versions written; the
// error is the store's or the writer's.
func Export(ctx context.Context, store memory.Store, tenant string, w io.Writer) (n int, err error) {
	return ExportOf(ctx, store, everything(tenant), w)
}

// ExportOf writes the versions that the query selects, as Export does.
func ExportOf(ctx context.Context, store memory.Store, q memory.Query, w io.Writer) (n int, err error) {
	all, err := store.Find(ctx, q)
	if err != nil {
		return 0, fmt.Errorf("export: %w", err)
	}
	buffered := bufio.NewWriter(w)
	lines := newEncoder(buffered)
	for i, o := range all {
		if err := ctx.Err(); err != nil {
			return i, fmt.Errorf("export: %w", err)
		}
		if err := lines.Encode(canonical(o)); err != nil {
			return i, fmt.Errorf("export object %s: %w", o.ObjectID, err)
		}
	}
	if err := buffered.Flush(); err != nil {
		return len(all), fmt.Errorf("export: %w", err)
	}
	return len(all), nil
}

// everything returns the query for all that the tenant ever held.
func everything(tenant string) memory.Query {
	return memory.Query{Tenant: tenant, Everywhere: true, Unrestricted: true, EveryVersion: true, Archived: true}
}
