package entities

import (
	"cmp"
	"context"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// Registry is the read model of the entities in a store. It decides nothing.
type Registry interface {
	// Lookup returns the entities that q.Select selects of all open versions.
	Lookup(ctx context.Context, q Query) ([]Entity, error)
	// List returns the versions that l.Match selects, by descending id, at most l.Limit of them.
	List(ctx context.Context, l Listing) ([]Entity, error)
	// Versions returns every version of a node, in order, without a look at who may see them.
	Versions(ctx context.Context, tenant, id string) ([]Entity, error)
	// Together returns every reference of the last most memories, by object id, that refer to one of the entities.
	Together(ctx context.Context, tenant string, ids []string, most int) ([]Reference, error)
}

// View bounds what a caller may see: the namespaces that cover the caller's place, and rights as for memories.
type View struct {
	Tenant     string
	Namespaces []string
	Roles      []string
	Clearance  ctxmcp.Classification
}

// Sees reports whether e is visible.
func (v View) Sees(e Entity) bool {
	return e.Tenant == v.Tenant && slices.Contains(v.Namespaces, e.Home) &&
		e.Classification.Rank() <= v.Clearance.Rank() && e.Permissions.Allows(v.Roles)
}

// Query asks for the nodes that a view sees, by their search keys or their ids.
type Query struct {
	View
	Keys []string // of SearchKeys
	IDs  []string
	// Alone leaves out the entities that the nodes found are one with.
	Alone bool
}

// MostByKey bounds how many nodes of one home a search key brings, the last made first: a part of a name may be common.
const MostByKey = 16

// Select returns the open versions among all that q asks for. All stand in the order in which they were made. With
// each node come those that it is one with, as far as the view sees them. It is the specification of Registry.Lookup.
func (q Query) Select(all []Entity) []Entity {
	found := map[string]Entity{}
	type place struct{ home, key string }
	counts := map[place]int{}
	for _, e := range slices.Backward(all) {
		if !e.TxEnd.IsZero() || e.Tenant != q.Tenant || !slices.Contains(q.Namespaces, e.Home) {
			continue
		}
		asked := slices.Contains(q.IDs, e.ID)
		for _, k := range e.SearchKeys() {
			if slices.Contains(q.Keys, k) {
				counts[place{e.Home, k}]++
				asked = asked || counts[place{e.Home, k}] <= MostByKey
			}
		}
		if asked && q.Sees(e) {
			found[e.ID] = e
		}
	}
	if !q.Alone {
		q.addFamily(found, all)
	}
	out := make([]Entity, 0, len(found))
	for _, e := range found {
		out = append(out, e)
	}
	slices.SortFunc(out, Compare)
	return out
}

// addFamily adds to found the nodes that its nodes are merged into, and those that are merged into these.
func (q Query) addFamily(found map[string]Entity, all []Entity) {
	for grown := true; grown; {
		grown = false
		for _, e := range all {
			if _, held := found[e.ID]; held || !e.TxEnd.IsZero() || !q.Sees(e) {
				continue
			}
			_, child := found[e.Into]
			parent := slices.ContainsFunc(values(found), func(f Entity) bool { return f.Into == e.ID })
			if child && e.Into != "" || parent {
				found[e.ID], grown = e, true
			}
		}
	}
}

func values(m map[string]Entity) []Entity {
	out := make([]Entity, 0, len(m))
	for _, e := range m {
		out = append(out, e)
	}
	return out
}

// Together returns every reference of the tenant's last most memories, by object id, that refer to one of the entities, in
// order. It is the specification of Registry.Together.
func Together(all []Reference, tenant string, ids []string, most int) []Reference {
	var objects []string
	for _, r := range all {
		if r.Tenant == tenant && slices.Contains(ids, r.EntityID) {
			objects = append(objects, r.ObjectID)
		}
	}
	slices.Sort(objects)
	objects = slices.Compact(objects)
	objects = objects[max(0, len(objects)-most):]
	out := []Reference{}
	for _, r := range all {
		if r.Tenant == tenant && slices.Contains(objects, r.ObjectID) {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, CompareReferences)
	return slices.Compact(out)
}

// CompareReferences orders references by memory, entity and purpose.
func CompareReferences(a, b Reference) int {
	return cmp.Or(cmp.Compare(a.Tenant, b.Tenant), cmp.Compare(a.ObjectID, b.ObjectID), cmp.Compare(a.EntityID, b.EntityID),
		cmp.Compare(a.Purpose, b.Purpose))
}
