package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// AboutAsk names people or things whose traces are looked for, by ids and names.
type AboutAsk struct {
	Named      []string
	Project    string // with the memories of no project
	Everywhere bool   // in every project instead
}

// About holds the traces of people or things among the memories that a caller owns.
type About struct {
	Entities   []Entity
	Names      []string               // that they go by, as they were said
	Memories   []ctxmcp.ContextObject // the last version of each that names them in any version, the newest first
	Elsewhere, // memories in other projects that say their names
	Beyond int // memories here that the caller may not end, and that are not among Memories
}

// mostTraced bounds the memories that the registry is asked for: it reads no fewer than a person can hold.
const mostTraced = 1 << 20

// About returns the traces of the entities that the ask names, ended and archived versions too. A memory names an entity if the registry says so, or if any of its
// texts has one of the names and the registry does not say that it means another one of that name. With no entity of a name, the name itself is looked
// for. It returns CodeNotFound if there is neither.
func (s *recaller) About(ctx context.Context, by ctxmcp.Caller, ask AboutAsk) (About, error) {
	q := ownedBy(by)
	q.EveryVersion, q.Archived, q.Newest = true, true, true
	all, err := s.Store.Find(ctx, q)
	if err != nil {
		return About{}, fmt.Errorf("find memories: %w", err)
	}
	if err := q.selects(all); err != nil {
		return About{}, err
	}
	here, elsewhere := all[:0:0], []ctxmcp.ContextObject{}
	for _, o := range all {
		if p := o.Home().Project; ask.Everywhere || p == "" || p == ask.Project {
			here = append(here, o)
		} else {
			elsewhere = append(elsewhere, o)
		}
	}
	a, means, err := s.names.traced(ctx, by, ask.Named, here)
	if err != nil {
		return About{}, err
	}
	a.sort(by, here, means)
	saying := entities.NewSaying(a.Names...)
	a.Elsewhere = len(objectsOf(elsewhere, func(o ctxmcp.ContextObject) bool { return says(saying, o) }))
	if len(a.Entities)+len(a.Memories)+a.Beyond == 0 {
		e := ctxmcp.Errorf(ctxmcp.CodeNotFound, "nothing here goes by that name")
		if a.Elsewhere > 0 {
			return a, e.WithHint("--everywhere looks in other projects too, where memories say it: %d", a.Elsewhere)
		}
		return a, e.WithHint("names are those that texts use: ctx-mcp entity list, or ctx-mcp memory search WORDS")
	}
	return a, s.Shown(ctx, by, a.Memories)
}

// sort puts the memories that are meant into those that the caller may end, and counts the others.
func (a *About) sort(by ctxmcp.Caller, versions []ctxmcp.ContextObject, means func(ctxmcp.ContextObject) bool) {
	meant := objectsOf(versions, means)
	last, beyond := map[string]ctxmcp.ContextObject{}, map[string]bool{}
	for _, o := range versions {
		if !meant[o.ObjectID] {
			continue
		}
		beyond[o.ObjectID] = beyond[o.ObjectID] || mayEnd(by, o) != nil
		if held, seen := last[o.ObjectID]; !seen || Compare(held, o) < 0 {
			last[o.ObjectID] = o
		}
	}
	for id, o := range last {
		if beyond[id] {
			a.Beyond++
			continue
		}
		a.Memories = append(a.Memories, o)
	}
	slices.SortFunc(a.Memories, func(x, y ctxmcp.ContextObject) int { return Compare(y, x) })
}

// objectsOf returns the ids of the objects of which a version is one that is meant.
func objectsOf(versions []ctxmcp.ContextObject, means func(ctxmcp.ContextObject) bool) map[string]bool {
	ids := map[string]bool{}
	for _, o := range versions {
		if !ids[o.ObjectID] && means(o) {
			ids[o.ObjectID] = true
		}
	}
	return ids
}

// says reports whether a text of the version has one of the names.
func says(names entities.Saying, o ctxmcp.ContextObject) bool {
	return slices.ContainsFunc([]string{
		o.Content, o.NormalizedClaim, o.Author, o.Claim.Subject, o.Claim.Predicate, o.Claim.Value, o.WhyItMatters, o.BehavioralImplication, o.SourceOrigin, o.UpdatePath,
	}, names.Means)
}

// traced returns the entities that are named around the versions, with their names, and says whether a version means one of them.
func (s *registrar) traced(ctx context.Context, by ctxmcp.Caller, named []string, versions []ctxmcp.ContextObject) (About, func(ctxmcp.ContextObject) bool, error) {
	var a About
	view := permittedTo(by)
	from := map[string]bool{}
	for _, o := range versions {
		for _, up := range o.Home().Ancestors() {
			from[up.Namespace()] = true
		}
	}
	if s.Entities != nil {
		q := entities.Query{IDs: named, Keys: keysOfNames(named...), View: entities.View{
			Tenant: view.Tenant, Roles: view.Roles, Clearance: view.Clearance, Namespaces: slices.Sorted(maps.Keys(from)),
		}}
		found, err := s.Entities.Lookup(ctx, q)
		if err != nil {
			return a, nil, fmt.Errorf("look up entities: %w", err)
		}
		known := entities.NewKnown(found, nil)
		for _, root := range known.Roots() {
			a.Entities = append(a.Entities, Entity{root, known.Names(root.ID)})
		}
	}
	ids := a.naming(named)
	referred, err := s.referredTo(ctx, by, ids)
	if err != nil {
		return a, nil, err
	}
	namesakes, err := s.namesakes(ctx, by, slices.Sorted(maps.Keys(from)), a.Names, ids)
	if err != nil {
		return a, nil, err
	}
	saying := entities.NewSaying(a.Names...)
	return a, func(o ctxmcp.ContextObject) bool {
		return referred[o.ObjectID] || !namesakes[o.ObjectID] && says(saying, o)
	}, nil
}

// naming fills in the names, and returns the ids of the nodes. A word of the ask that is no id is a name too.
func (a *About) naming(asked []string) (ids []string) {
	add := func(name string) {
		if !slices.ContainsFunc(a.Names, func(n string) bool { return strings.EqualFold(n, name) }) {
			a.Names = append(a.Names, name)
		}
	}
	for _, e := range a.Entities {
		for _, n := range e.Names {
			if n.Kind != entities.Role || e.Root.Kind == entities.Role { // "the designer" is somebody else in other texts
				add(n.Name)
			}
			ids = append(ids, n.ID)
		}
	}
	for _, name := range asked {
		if !slices.Contains(ids, name) {
			add(name)
		}
	}
	return ids
}

// referredTo returns the ids of the memories that name one of the nodes.
func (s *registrar) referredTo(ctx context.Context, by ctxmcp.Caller, nodes []string) (map[string]bool, error) {
	objects := map[string]bool{}
	if len(nodes) == 0 {
		return objects, nil
	}
	refs, err := s.Entities.Together(ctx, by.Tenant, nodes, mostTraced)
	if err != nil {
		return nil, fmt.Errorf("find references: %w", err)
	}
	for _, r := range refs {
		if slices.Contains(nodes, r.EntityID) {
			objects[r.ObjectID] = true
		}
	}
	return objects, nil
}

// namesakes returns the ids of the memories that name an entity which goes by one of the names and is none of the nodes.
func (s *registrar) namesakes(ctx context.Context, by ctxmcp.Caller, from, names, nodes []string) (map[string]bool, error) {
	q := entities.Query{View: entities.View{Tenant: by.Tenant, Roles: by.Roles, Clearance: by.Ceiling(), Namespaces: from}, Keys: keysOfNames(names...)}
	if s.Entities == nil || len(q.Keys) == 0 {
		return nil, nil
	}
	found, err := s.Entities.Lookup(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("look up entities: %w", err)
	}
	var others []string
	for _, e := range found {
		if !slices.Contains(nodes, e.ID) {
			others = append(others, e.ID)
		}
	}
	return s.referredTo(ctx, by, others)
}
