package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// Named is the decision on a name in a memory.
type Named struct {
	Mention  string `json:"-"` // content: not kept with the answer for repetitions
	Node     string // that bears the name
	EntityID string // canonical
	Decision entities.Verdict
	Score    float64 // in [0, 1]
}

// mostNeighbours bounds how many of the last memories that name an entity tell who its neighbours are.
const mostNeighbours = 32

// resolve finds the entities that an object names, before anything is written.
func (s *registrar) resolve(ctx context.Context, by ctxmcp.Caller, o ctxmcp.ContextObject) (entities.Resolution, error) {
	if s.Entities == nil {
		return entities.Resolution{}, nil
	}
	mentions := entities.Source{Content: o.Content, Author: o.Author, Claim: o.Claim}.Mentions()
	c := entities.Context{
		View: viewFrom(by, o.Home()), Home: o.Home().Namespace(), Authority: o.Authority, Classification: o.Classification,
		Permissions: o.PermissionScope, At: o.TxStart, NewID: s.NewID,
	}
	known, err := s.known(ctx, c.View, mentions)
	if err != nil {
		return entities.Resolution{}, err
	}
	if c.Apart, err = s.apart(ctx, by, o, mentions, known); err != nil {
		return entities.Resolution{}, err
	}
	return entities.Resolve(known, mentions, c), nil
}

// apart returns the entities that bear a name of the object and are others all the same, by the key of the name: the memory that named
// them first says of them what they are ("my brother Tom"), and the object says something else ("my colleague Tom").
func (s *registrar) apart(ctx context.Context, by ctxmcp.Caller, o ctxmcp.ContextObject, mentions []entities.Mention, known *entities.Known) (map[string][]string, error) {
	var others map[string][]string
	for _, m := range mentions {
		if len(descriptors(o.Content, m.Text)) == 0 {
			continue
		}
		for _, root := range known.Named(m.Form, m.Key) {
			q := ownedBy(by)
			q.ObjectIDs, q.EveryVersion, q.Archived = []string{root.ObjectID}, true, true
			first, err := s.Store.Find(ctx, q)
			if err != nil {
				return nil, fmt.Errorf("find who a name means: %w", err)
			}
			if len(first) > 0 && isOther(o.Content, first[0].Content, m.Text) {
				if others == nil {
					others = map[string][]string{}
				}
				others[m.Key] = append(others[m.Key], root.ID)
			}
		}
	}
	return others, nil
}

// known reads the entities that a view sees around some mentions: those that bear the very names, and only for names that leave
// a question the entities with similar names, and their neighbours.
func (s *registrar) known(ctx context.Context, v entities.View, mentions []entities.Mention) (*entities.Known, error) {
	if len(mentions) == 0 {
		return entities.NewKnown(nil, nil), nil
	}
	found, err := s.Entities.Lookup(ctx, entities.Query{View: v, Keys: entities.NameKeys(mentions)})
	if err != nil {
		return nil, fmt.Errorf("look up entities: %w", err)
	}
	known := entities.NewKnown(found, nil)
	open := known.Unsettled(mentions)
	if len(open) == 0 {
		return known, nil
	}
	like, err := s.Entities.Lookup(ctx, entities.Query{View: v, Keys: entities.Keys(open)})
	if err != nil {
		return nil, fmt.Errorf("look up entities: %w", err)
	}
	found = append(found, like...)
	known = entities.NewKnown(found, nil)
	unsure := known.Unsure(open)
	if len(unsure) == 0 {
		return known, nil
	}
	together, err := s.Entities.Together(ctx, v.Tenant, unsure, mostNeighbours)
	if err != nil {
		return nil, fmt.Errorf("find neighbours: %w", err)
	}
	return entities.NewKnown(found, together), nil
}

// namesOf returns the names of an entity that something on the authority may use, as they were said.
func namesOf(known *entities.Known, id string, authority ctxmcp.Authority) []string {
	var names []string
	for _, e := range known.Names(id) {
		lent := e.Authority == ctxmcp.AuthorityRetrieved && authority < e.Authority
		if !lent && !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	}
	return names
}

// mentioned gives the names of a kept answer their mentions back, which are not kept with it.
func (s *registrar) mentioned(ctx context.Context, by ctxmcp.Caller, names []Named) error {
	for i, n := range names {
		if s.Entities == nil {
			continue
		}
		versions, err := s.Entities.Versions(ctx, by.Tenant, n.Node)
		if err != nil {
			return fmt.Errorf("find names: %w", err)
		}
		if len(versions) > 0 {
			names[i].Mention = versions[0].Name
		}
	}
	return nil
}
