package memory

import (
	"context"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// Relation is an edge of the graph of entities: a claim of one about another. Its object says whether it holds at an
// instant.
type Relation struct {
	Subject   string // entity ids, canonical
	Predicate string
	Value     string
	Object    ctxmcp.ContextObject
}

// Relations returns the relations that open claims say of an entity, from a place, in the order of Compare. To be named in
// one memory is no relation.
func (s *registrar) Relations(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id string) ([]Relation, error) {
	if s.Entities == nil {
		return nil, nil
	}
	found, err := s.Entities.Lookup(ctx, entities.Query{View: viewFrom(by, at), IDs: []string{id}})
	if err != nil {
		return nil, fmt.Errorf("look up entities: %w", err)
	}
	refs, err := s.referring(ctx, by, found)
	if err != nil || len(refs) == 0 {
		return nil, err
	}
	ends := map[string]map[entities.Purpose]string{} // object id -> the ends of its claim
	for _, r := range refs {
		if r.Purpose == entities.AsSubject || r.Purpose == entities.AsValue {
			if ends[r.ObjectID] == nil {
				ends[r.ObjectID] = map[entities.Purpose]string{}
			}
			ends[r.ObjectID][r.Purpose] = r.EntityID
		}
	}
	all, err := s.edges(ctx, by, at, ends)
	if err != nil {
		return nil, err
	}
	var objects []*ctxmcp.ContextObject
	for i := range all {
		objects = append(objects, &all[i].Object)
	}
	_, err = s.shown(ctx, by.Tenant, objects...)
	return all, err
}

// edges returns the relations of the objects that have both ends.
func (s *registrar) edges(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ends map[string]map[entities.Purpose]string) ([]Relation, error) {
	var objects, nodes []string
	for id, e := range ends {
		if len(e) == 2 {
			objects, nodes = append(objects, id), append(nodes, e[entities.AsSubject], e[entities.AsValue])
		}
	}
	if len(objects) == 0 {
		return nil, nil
	}
	found, err := s.Entities.Lookup(ctx, entities.Query{View: viewFrom(by, at), IDs: nodes})
	if err != nil {
		return nil, fmt.Errorf("look up entities: %w", err)
	}
	known := entities.NewKnown(found, nil)
	q := visibleFrom(by, at)
	q.ObjectIDs, q.Statuses = objects, []ctxmcp.ContradictionStatus{ctxmcp.Clean}
	open, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find claims: %w", err)
	}
	var all []Relation
	for _, o := range open {
		subject, seenSubject := known.Root(ends[o.ObjectID][entities.AsSubject])
		value, seenValue := known.Root(ends[o.ObjectID][entities.AsValue])
		if seenSubject && seenValue && !o.Claim.IsZero() {
			all = append(all, Relation{subject.ID, ctxmcp.Normalize(o.Claim.Predicate), value.ID, o})
		}
	}
	return all, nil
}

// referring returns the references of the last memories that name one of the nodes.
func (s *registrar) referring(ctx context.Context, by ctxmcp.Caller, nodes []entities.Entity) ([]entities.Reference, error) {
	var ids []string
	for _, e := range nodes {
		ids = append(ids, e.ID)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	refs, err := s.Entities.Together(ctx, by.Tenant, ids, maxLimit)
	if err != nil {
		return nil, fmt.Errorf("find references: %w", err)
	}
	return refs, nil
}
