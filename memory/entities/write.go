package entities

import (
	"maps"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// newNode returns the first version of a node for a mention, with its state open.
func (r *resolver) newNode(m Mention) Entity {
	return Entity{
		ID: r.c.NewID(), Version: 1, Tenant: r.c.Tenant, Home: r.c.Home, Name: m.Text, Key: m.Key, Form: m.Form, Kind: m.Kind,
		Authority: r.c.Authority, Classification: r.c.Classification, Permissions: r.c.Permissions, TxStart: r.c.At,
	}
}

// expect makes the change count on nobody else having made nodes for the names of its new ones. A name that very many bear
// is left out: a store brings no more than MostByKey.
func (r *resolver) expect() {
	bearers := map[string][]string{} // key -> nodes known before
	for _, e := range r.out.Change.Insert {
		if e.Version == 1 {
			bearers["="+e.Key] = nil
		}
	}
	for _, held := range r.known.nodes {
		for _, k := range held.SearchKeys() {
			if _, new := bearers[k]; new && !r.isNew(held.ID) {
				bearers[k] = append(bearers[k], held.ID)
			}
		}
	}
	e := Expectation{Query: Query{View: r.c.View, Alone: true}}
	for _, k := range slices.Sorted(maps.Keys(bearers)) {
		if len(bearers[k]) < MostByKey {
			e.Query.Keys, e.Open = append(e.Query.Keys, k), append(e.Open, bearers[k]...)
		}
	}
	slices.Sort(e.Open)
	e.Open = slices.Compact(e.Open)
	if len(e.Query.Keys) > 0 {
		r.out.Change.Expect = []Expectation{e}
	}
}

// insert adds a new node to the change.
func (r *resolver) insert(e Entity) {
	r.out.Change.Insert = append(r.out.Change.Insert, e)
	r.known.add(e)
}

func (r *resolver) isNew(id string) bool {
	return slices.ContainsFunc(r.out.Change.Insert, func(e Entity) bool { return e.ID == id && e.Version == 1 })
}

// alias adds a node that is one with another.
func (r *resolver) alias(m Mention, into string, score float64, reason string) string {
	e := r.newNode(m)
	e.State, e.Into, e.Score, e.Reason = Merged, into, score, reason
	r.insert(e)
	return e.ID
}

func (r *resolver) merge(e Entity, into string, score float64, reason string) {
	r.replace(e, func(next *Entity) {
		next.State, next.Into, next.Candidates, next.Score, next.Reason = Merged, into, nil, score, reason
	})
}

// replace ends a version and inserts the next.
func (r *resolver) replace(e Entity, edit func(*Entity)) {
	if i := slices.IndexFunc(r.out.Change.Insert, func(n Entity) bool { return n.ID == e.ID }); i >= 0 {
		edit(&r.out.Change.Insert[i])
		r.known.add(r.out.Change.Insert[i])
		return
	}
	closing, next := successor(r.known.nodes[e.ID], r.c.At)
	edit(&next)
	r.out.Change.Close = append(r.out.Change.Close, closing)
	r.out.Change.Insert = append(r.out.Change.Insert, next)
	r.known.add(next)
}

// successor returns the end of a version and the one that follows it, which begins later even if the clock stood still.
func successor(e Entity, at time.Time) (Closing, Entity) {
	if !at.After(e.TxStart) {
		at = e.TxStart.Add(time.Microsecond)
	}
	next := e
	next.Version, next.TxStart, next.By = e.Version+1, at, ""
	return Closing{Tenant: e.Tenant, ID: e.ID, Version: e.Version, TxEnd: at}, next
}

// refer records that the memory names the node.
func (r *resolver) refer(d Decision) {
	for _, p := range d.Mention.Purposes {
		ref := Reference{Tenant: r.c.Tenant, EntityID: d.Node, Purpose: p}
		if !slices.Contains(r.out.Change.Mention, ref) {
			r.out.Change.Mention = append(r.out.Change.Mention, ref)
		}
	}
}

// covers reports whether a memory in outer is visible from inner.
func covers(outer, inner string) bool {
	a, errA := ctxmcp.ParseNamespace(outer)
	b, errB := ctxmcp.ParseNamespace(inner)
	return errA == nil && errB == nil && a.Covers(b)
}
