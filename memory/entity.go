package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/entities"
)

// Entity is what is known of one entity from a place.
type Entity struct {
	Root  entities.Entity
	Names []entities.Entity // the canonical one first
}

// FindEntities returns the entities that a text names from a place: by an id, a name or an alias.
func (s *Service) FindEntities(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, named string) ([]Entity, error) {
	if s.Entities == nil {
		return nil, nil
	}
	q := entities.Query{View: viewFrom(by, at), IDs: []string{named}}
	if m, isName := entities.Name(named); isName {
		q.Keys = []string{"=" + m.Key}
	}
	found, err := s.Entities.Lookup(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("look up entities: %w", err)
	}
	known := entities.NewKnown(found, nil)
	var all []Entity
	for _, root := range known.Roots() {
		all = append(all, Entity{root, known.Names(root.ID)})
	}
	return all, nil
}

// MergeEntities makes two entities one, by their ids, and SplitEntity takes a name out of the entity that it is one with.
// UndoEntity takes the last decision about a node back. They return CodeNotFound for what the caller cannot see from the
// place, CodeConflict and CodeInvalid as the rules of entities say, and CodeDenied for a caller who cannot decide for a
// user.
func (s *Service) MergeEntities(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id, into, reason string) error {
	return s.rule(ctx, by, at, "entity.merge", []string{id, into}, reason, func(k *entities.Known, r entities.Ruling) (entities.Change, error) {
		return k.Merge(id, into, r)
	})
}

// SplitEntity: see MergeEntities.
func (s *Service) SplitEntity(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id, reason string) error {
	return s.rule(ctx, by, at, "entity.split", []string{id}, reason, func(k *entities.Known, r entities.Ruling) (entities.Change, error) {
		return k.Split(id, r)
	})
}

// UndoEntity: see MergeEntities.
func (s *Service) UndoEntity(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id, reason string) error {
	return s.rule(ctx, by, at, "entity.undo", []string{id}, reason, func(k *entities.Known, r entities.Ruling) (entities.Change, error) {
		if _, seen := k.Root(id); !seen {
			return k.Split(id, r) // which says that there is none
		}
		versions, err := s.Entities.Versions(ctx, by.Tenant, id)
		if err != nil {
			return entities.Change{}, fmt.Errorf("find versions: %w", err)
		}
		return entities.Undo(versions, r)
	})
}

// rule carries out a person's decision about the entities with the ids.
func (s *Service) rule(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, action string, ids []string, reason string,
	decide func(*entities.Known, entities.Ruling) (entities.Change, error)) error {
	if by.Authority > ctxmcp.AuthorityUser {
		return ctxmcp.Errorf(ctxmcp.CodeDenied, "who is who is for the user to decide").WithHint("ask the user")
	}
	if s.Entities == nil {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "entities are switched off").WithHint("set memory.entities to true")
	}
	return s.commit(ctx, func() (*Change, error) {
		found, err := s.Entities.Lookup(ctx, entities.Query{View: viewFrom(by, at), IDs: ids})
		if err != nil {
			return nil, fmt.Errorf("look up entities: %w", err)
		}
		now := s.now()
		c, err := decide(entities.NewKnown(found, nil), entities.Ruling{By: by.User, Authority: by.Authority, At: now, Reason: reason})
		if err != nil {
			return nil, err
		}
		return &Change{Entities: c, Audit: []Event{{At: now, Tenant: by.Tenant, User: by.User, Action: action, ObjectID: ids[0]}}}, nil
	})
}

// Relation is an edge of the graph of entities: what a claim says of one about another. Whether it holds at an instant is
// for its object to say.
type Relation struct {
	Subject   string // entity ids, canonical
	Predicate string
	Value     string
	Object    ctxmcp.ContextObject
}

// Relations returns the relations that open claims say of an entity, from a place, in the order of Compare. To be named in
// one memory is no relation.
func (s *Service) Relations(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id string) ([]Relation, error) {
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
	return s.edges(ctx, by, at, ends)
}

// edges returns the relations of the objects that have both ends.
func (s *Service) edges(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ends map[string]map[entities.Purpose]string) ([]Relation, error) {
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
	q := visible(by, at)
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
func (s *Service) referring(ctx context.Context, by ctxmcp.Caller, nodes []entities.Entity) ([]entities.Reference, error) {
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

// historyOfEntity returns every version of what an entity, by its id or one of its names, is the subject of or named in, in
// the order of Compare.
func (s *Service) historyOfEntity(ctx context.Context, by ctxmcp.Caller, q Query, ask HistoryAsk) ([]ctxmcp.ContextObject, error) {
	found, err := s.FindEntities(ctx, by, ask.Scope, ask.Entity)
	if err != nil {
		return nil, err
	}
	var nodes []entities.Entity
	for _, e := range found {
		nodes = append(nodes, e.Names...)
	}
	for _, e := range nodes {
		if name := ctxmcp.Normalize(e.Name); !slices.Contains(q.Subjects, name) {
			q.Subjects = append(q.Subjects, name)
		}
	}
	all, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find versions: %w", err)
	}
	refs, err := s.referring(ctx, by, nodes)
	if err != nil || len(refs) == 0 {
		return all, err
	}
	q.Subjects, q.ObjectIDs = nil, nil
	for _, r := range refs {
		if slices.ContainsFunc(nodes, func(e entities.Entity) bool { return e.ID == r.EntityID }) {
			q.ObjectIDs = append(q.ObjectIDs, r.ObjectID)
		}
	}
	naming, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find versions: %w", err)
	}
	all = append(all, naming...)
	slices.SortFunc(all, Compare)
	return slices.CompactFunc(all, func(a, b ctxmcp.ContextObject) bool { return ctxmcp.KeyOf(a) == ctxmcp.KeyOf(b) }), nil
}
