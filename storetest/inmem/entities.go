package inmem

import (
	"context"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// Lookup implements entities.Registry.
func (s *Store) Lookup(_ context.Context, q entities.Query) ([]entities.Entity, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	found := q.Select(s.nodes)
	for i, e := range found {
		found[i] = cloneEntity(e)
	}
	return found, nil
}

// List implements entities.Registry.
func (s *Store) List(_ context.Context, l entities.Listing) ([]entities.Entity, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var found []entities.Entity
	for _, e := range s.nodes {
		if l.Match(e) {
			found = append(found, cloneEntity(e))
		}
	}
	slices.SortFunc(found, func(a, b entities.Entity) int { return strings.Compare(b.ID, a.ID) })
	return found[:min(len(found), l.Limit)], nil
}

// Versions implements entities.Registry.
func (s *Store) Versions(_ context.Context, tenant, id string) ([]entities.Entity, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var out []entities.Entity
	for _, e := range s.nodes {
		if e.Tenant == tenant && e.ID == id {
			out = append(out, cloneEntity(e))
		}
	}
	slices.SortFunc(out, func(a, b entities.Entity) int { return a.Version - b.Version })
	return out, nil
}

// Together implements entities.Registry.
func (s *Store) Together(_ context.Context, tenant string, ids []string, most int) ([]entities.Reference, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return entities.Together(s.named, tenant, ids, most), nil
}

// checkEntities returns a CodeConflict Error unless everything that c counts on holds.
func (s *Store) checkEntities(c entities.Change) error {
	for _, e := range c.Expect {
		var open []string
		for _, n := range e.Query.Select(s.nodes) {
			open = append(open, n.ID)
		}
		slices.Sort(open)
		if !slices.Equal(open, e.Open) {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "entities changed in between").WithHint("call again")
		}
	}
	closed := map[[2]string]bool{}
	for _, cl := range c.Close {
		if n := s.node(cl.Tenant, cl.ID); n == nil || n.Version != cl.Version {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "entity %s has changed in between", cl.ID)
		}
		closed[[2]string{cl.Tenant, cl.ID}] = true
	}
	for _, e := range c.Insert {
		taken := slices.ContainsFunc(s.nodes, func(n entities.Entity) bool {
			return n.Tenant == e.Tenant && n.ID == e.ID && n.Version == e.Version
		})
		if taken || s.node(e.Tenant, e.ID) != nil && !closed[[2]string{e.Tenant, e.ID}] {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "entity %s has such a version already", e.ID)
		}
	}
	return nil
}

// node returns the open version of a node, or nil.
func (s *Store) node(tenant, id string) *entities.Entity {
	for i, e := range s.nodes {
		if e.Tenant == tenant && e.ID == id && e.TxEnd.IsZero() {
			return &s.nodes[i]
		}
	}
	return nil
}

// learn carries out a change that has been checked.
func (s *Store) learn(c entities.Change) {
	for _, cl := range c.Close {
		s.node(cl.Tenant, cl.ID).TxEnd = cl.TxEnd
	}
	for _, e := range c.Insert {
		s.nodes = append(s.nodes, cloneEntity(e))
	}
	s.named = append(s.named, c.Mention...)
	slices.SortFunc(s.named, entities.CompareReferences)
	s.named = slices.Compact(s.named)
}

// forgetNames removes the entities that only an erased object named.
func (s *Store) forgetNames(e memory.Erasure) {
	of := func(r entities.Reference) bool { return r.Tenant == e.Tenant && r.ObjectID == e.ObjectID }
	doomed := map[string]bool{}
	for _, r := range s.named {
		if of(r) {
			doomed[r.EntityID] = true
		}
	}
	s.named = slices.DeleteFunc(s.named, of)
	for _, r := range s.named {
		if r.Tenant == e.Tenant {
			delete(doomed, r.EntityID)
		}
	}
	s.nodes = slices.DeleteFunc(s.nodes, func(n entities.Entity) bool { return n.Tenant == e.Tenant && doomed[n.ID] })
}

// cloneEntity returns a copy that shares no memory with e.
func cloneEntity(e entities.Entity) entities.Entity {
	e.Candidates = slices.Clone(e.Candidates)
	e.Permissions.AllowRoles = slices.Clone(e.Permissions.AllowRoles)
	e.Permissions.DenyRoles = slices.Clone(e.Permissions.DenyRoles)
	return e
}
