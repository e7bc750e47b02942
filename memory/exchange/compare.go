package exchange

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// lookup is the number of versions that are looked for in the store at once.
const lookup = 500

// missing returns the versions that the store does not hold, in their order. It returns CodeConflict for one that it
// holds with other content. A version stored under other rules of redaction counts as held: it is not stored anew.
func missing(ctx context.Context, store memory.Store, versions []version) ([]ctxmcp.ContextObject, error) {
	var fresh []ctxmcp.ContextObject
	for some := range slices.Chunk(versions, lookup) {
		held, err := heldOf(ctx, store, some)
		if err != nil {
			return nil, err
		}
		for _, v := range some {
			d, ok := held[keyOf(v.object)]
			switch {
			case !ok:
				fresh = append(fresh, v.object)
			case d != v.kept && d != v.written:
				return nil, onLine(v.line, differs(v.object))
			}
		}
	}
	return fresh, nil
}

func differs(o ctxmcp.ContextObject) error {
	return ctxmcp.Errorf(ctxmcp.CodeConflict, "version %d of object %s is held already with other content", o.Version,
		o.ObjectID).WithHint("import into an empty data directory, or leave the line out")
}

// heldOf returns the digests of all that the store holds of the objects.
func heldOf(ctx context.Context, store memory.Store, versions []version) (map[key]digest, error) {
	ids := map[string][]string{} // by tenant
	for _, v := range versions {
		ids[v.object.TenantID] = append(ids[v.object.TenantID], v.object.ObjectID)
	}
	held := map[key]digest{}
	for tenant, objects := range ids {
		q := everything(tenant)
		q.ObjectIDs = objects
		found, err := store.Find(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("find what is held: %w", err)
		}
		for _, o := range found {
			if held[keyOf(o)], err = digestOf(o); err != nil {
				return nil, fmt.Errorf("object %s in the store: %w", o.ObjectID, err)
			}
		}
	}
	return held, nil
}
