package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// Entity is one entity as it is known from a place.
type Entity struct {
	Root  entities.Entity
	Names []entities.Entity // the canonical one first
}

// FindEntities returns the entities that a text names from a place: by an id, a name or an alias. What the settings hide by now is hidden in their
// names; their keys are as stored.
func (s *registrar) FindEntities(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, named string) ([]Entity, error) {
	all, err := s.findEntities(ctx, by, at, named)
	hide := s.Redact.Pass(ctx, by.Tenant)
	for i := range all {
		all[i].Root.Name, _ = hide.Text(all[i].Root.Name)
		all[i].Names = slices.Clone(all[i].Names)
		hideNames(all[i].Names, hide)
	}
	return all, cmp.Or(err, hide.Err())
}

// hideNames redacts the names of entities by the settings of now.
func hideNames(list []entities.Entity, hide *redact.Pass) {
	for i := range list {
		list[i].Name, _ = hide.Text(list[i].Name)
	}
}

// findEntities is FindEntities with the names as stored.
func (s *registrar) findEntities(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, named string) ([]Entity, error) {
	if s.Entities == nil {
		return nil, nil
	}
	q := entities.Query{View: viewFrom(by, at), IDs: []string{named}, Keys: keysOfNames(named)}
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

// keysOfNames returns the search keys of the entities that bear one of the texts as their very name. A text that is no name has none.
func keysOfNames(texts ...string) []string {
	var names []entities.Mention
	for _, text := range texts {
		if m, isName := entities.Name(text); isName {
			names = append(names, m)
		}
	}
	return entities.NameKeys(names)
}

// ListEntities returns the entities that the caller may see, wherever they live, at most limit, by descending id: the last named about
// first. Named is a part of a name, behind the last id of the page before; both may be empty. What the settings hide by now is hidden in the names.
func (s *registrar) ListEntities(ctx context.Context, by ctxmcp.Caller, named, behind string, limit int) ([]entities.Entity, error) {
	found, err := s.listEntities(ctx, by, named, behind, limit)
	hide := s.Redact.Pass(ctx, by.Tenant)
	hideNames(found, hide)
	return found, cmp.Or(err, hide.Err())
}

// listEntities is ListEntities with the names as stored.
func (s *registrar) listEntities(ctx context.Context, by ctxmcp.Caller, named, behind string, limit int) ([]entities.Entity, error) {
	if s.Entities == nil || by.User == "" {
		return nil, nil
	}
	l := entities.Listing{Tenant: by.Tenant, User: by.User, Roles: by.Roles, Clearance: by.Ceiling(), Projects: by.Projects, Behind: behind, Limit: limit}
	if named != "" {
		l.Key = entities.KeyOf(entities.Proper, named)
	}
	found, err := s.Entities.List(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("list entities: %w", err)
	}
	for _, e := range found {
		if !l.Match(e) { // the store has been wrong: that is a fault, never a leak
			return nil, fmt.Errorf("store returned entity %s, which the listing does not select", e.ID)
		}
	}
	return found, nil
}

// PlaceOf returns the place that an entity is known from: its home. It returns CodeNotFound for one that the caller cannot see.
func (s *registrar) PlaceOf(ctx context.Context, by ctxmcp.Caller, id string) (ctxmcp.Scope, error) {
	none := ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no entity %q", ctxmcp.Clip(id, 60)).WithHint("the list of entities has all of them")
	if s.Entities == nil {
		return ctxmcp.Scope{}, none
	}
	versions, err := s.Entities.Versions(ctx, by.Tenant, id)
	if err != nil {
		return ctxmcp.Scope{}, fmt.Errorf("find versions: %w", err)
	}
	if len(versions) == 0 {
		return ctxmcp.Scope{}, none
	}
	home, err := ctxmcp.ParseNamespace(versions[0].Home)
	own := home.User == "" || home.User == by.User
	if err != nil || !own || len(by.Projects) > 0 && home.Project != "" && !slices.Contains(by.Projects, home.Project) {
		return ctxmcp.Scope{}, none
	}
	home.User = by.User // of what the whole tenant shares, a person sees what their own place sees
	found, err := s.FindEntities(ctx, by, home, id)
	if err == nil && len(found) == 0 {
		err = none
	}
	return home, err
}

// MergeEntities makes two entities one, by their ids, and SplitEntity takes a name out of the entity that it is one with.
// UndoEntity takes the last decision about a node back. They return CodeNotFound for an entity that the caller cannot see from
// the place, CodeConflict and CodeInvalid as the rules of entities say, and CodeDenied for a caller who cannot decide for a
// user.
func (s *registrar) MergeEntities(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id, into, reason string) error {
	return s.rule(ctx, by, at, "entity.merge", []string{id, into}, reason, func(k *entities.Known, r entities.Ruling) (entities.Change, error) {
		return k.Merge(id, into, r)
	})
}

// SplitEntity: see MergeEntities.
func (s *registrar) SplitEntity(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id, reason string) error {
	return s.rule(ctx, by, at, "entity.split", []string{id}, reason, func(k *entities.Known, r entities.Ruling) (entities.Change, error) {
		return k.Split(id, r)
	})
}

// UndoEntity: see MergeEntities.
func (s *registrar) UndoEntity(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, id, reason string) error {
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
func (s *registrar) rule(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, action string, ids []string, reason string,
	decide func(*entities.Known, entities.Ruling) (entities.Change, error)) error {
	if by.Authority > ctxmcp.AuthorityUser {
		return ctxmcp.Errorf(ctxmcp.CodeDenied, "who is who is for the user to decide").WithHint("ask the user")
	}
	if s.Entities == nil {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "entities are switched off").WithHint("set memory.entities to true")
	}
	reason, _, err := s.Redact(ctx, by.Tenant, reason)
	if err != nil {
		return err
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
