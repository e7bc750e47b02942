package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

// entityHistories: over random changes to the registry the store answers every random question as the reference does.
func entityHistories(t *testing.T, s Store) {
	t.Logf("-storetest.seed=%d -storetest.steps=%d", *seed, *steps)
	w := &world{rnd: rand.New(rand.NewPCG(*seed, 11)), reference: &inmem.Store{}}
	ctx := context.Background()
	for i := range *steps {
		c := w.entityChange()
		want, got := w.reference.Apply(ctx, c), s.Apply(ctx, c)
		if (want == nil) != (got == nil) || want != nil && ctxmcp.CodeOf(want) != ctxmcp.CodeOf(got) {
			t.Fatalf("step %d: Apply = %v, want %v\n%+v", i, got, want, c)
		}
		for range 3 {
			w.compareEntities(t, s, i)
		}
	}
}

// entityChange makes up a change that now and then does not fit.
func (w *world) entityChange() memory.Change {
	var c memory.Change
	o := w.object()
	o.ObjectID, o.Version = fmt.Sprintf("m%02d", w.rnd.IntN(40)), len(w.made)+1
	w.made = append(w.made, o)
	c.Insert = append(c.Insert, o)
	for range w.rnd.IntN(3) {
		e := w.node()
		if open := w.openNode(e.Tenant, e.ID); open != nil && w.chance(80) {
			c.Entities.Close = append(c.Entities.Close, entities.Closing{Tenant: e.Tenant, ID: e.ID, Version: open.Version, TxEnd: day(w.rnd.IntN(60))})
			e.Version = open.Version + 1
		}
		c.Entities.Insert = append(c.Entities.Insert, e)
	}
	for range w.rnd.IntN(3) {
		c.Entities.Mention = append(c.Entities.Mention, entities.Reference{
			Tenant: o.TenantID, EntityID: w.nodeID(), ObjectID: o.ObjectID, Purpose: pick(w, entities.InContent, entities.AsSubject),
		})
	}
	if w.chance(20) {
		e := entities.Expectation{Query: w.entityQuery()}
		if found, _ := w.reference.Lookup(context.Background(), e.Query); w.chance(70) {
			for _, n := range found {
				e.Open = append(e.Open, n.ID)
			}
			slices.Sort(e.Open)
		}
		c.Entities.Expect = append(c.Entities.Expect, e)
	}
	if w.chance(3) {
		old := pick(w, w.made...)
		c.Erase = append(c.Erase, memory.Erasure{Tenant: old.TenantID, ObjectID: old.ObjectID})
	}
	return c
}

func (w *world) nodeID() string { return fmt.Sprintf("n%d", w.rnd.IntN(30)) }

func (w *world) openNode(tenant, id string) *entities.Entity {
	versions, _ := w.reference.Versions(context.Background(), tenant, id)
	if n := len(versions); n > 0 && versions[n-1].TxEnd.IsZero() {
		return &versions[n-1]
	}
	return nil
}

func (w *world) node() entities.Entity {
	e := node(w.nodeID(), pick(w, "Samuel Ortiz", "Sam", "Samantha Lee", "Nova", "Chicago office", "Łódź", "鈴木さん"))
	e.Tenant = pick(w, "acme", "acme", "globex")
	e.Home = ctxmcp.Scope{User: pick(w, "ann", "bob", ""), Project: pick(w, "", "web", "web2")}.Namespace()
	e.Classification, e.State = pick(w, ctxmcp.Classifications()...), pick(w, entities.States()...)
	e.Permissions = ctxmcp.PermissionScope{AllowRoles: w.roles(), DenyRoles: w.roles()}
	if e.State == entities.Merged {
		e.Into = w.nodeID()
	}
	e.TxStart = day(w.rnd.IntN(40))
	return e
}

func (w *world) entityQuery() entities.Query {
	q := entities.Query{View: entities.View{
		Tenant: pick(w, "acme", "globex"), Roles: w.roles(), Clearance: pick(w, ctxmcp.Classifications()...),
	}}
	for _, s := range (ctxmcp.Scope{User: pick(w, "ann", "bob"), Project: pick(w, "", "web", "web2")}).Ancestors() {
		q.Namespaces = append(q.Namespaces, s.Namespace())
	}
	for range w.rnd.IntN(3) {
		q.Keys = append(q.Keys, pick(w, "=sam", "^sam", "=samuel ortiz", "^ort", "=nova", "=lodz", "none"))
	}
	for range w.rnd.IntN(3) {
		q.IDs = append(q.IDs, w.nodeID())
	}
	q.Alone = w.chance(30)
	return q
}

// compareEntities asks the store and the reference the same.
func (w *world) compareEntities(t *testing.T, s Store, step int) {
	t.Helper()
	ctx, q := context.Background(), w.entityQuery()
	want, _ := w.reference.Lookup(ctx, q)
	if got := lookup(t, s, q); len(want)+len(got) > 0 {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("step %d: Lookup(%+v) differs (-want +got):\n%s", step, q, diff)
		}
	}
	ids, most := []string{w.nodeID(), w.nodeID()}, 1+w.rnd.IntN(5)
	together, _ := w.reference.Together(ctx, q.Tenant, ids, most)
	got, err := s.Together(ctx, q.Tenant, ids, most)
	if diff := cmp.Diff(together, got); err != nil || diff != "" {
		t.Fatalf("step %d: Together(%s, %v, %d) = %v, which differs (-want +got):\n%s", step, q.Tenant, ids, most, err, diff)
	}
	versions, _ := w.reference.Versions(ctx, q.Tenant, ids[0])
	gotVersions, err := s.Versions(ctx, q.Tenant, ids[0])
	if diff := cmp.Diff(versions, gotVersions); err != nil || diff != "" {
		t.Fatalf("step %d: Versions(%s, %s) = %v, which differ (-want +got):\n%s", step, q.Tenant, ids[0], err, diff)
	}
}
