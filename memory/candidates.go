package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/entities"
)

// Bearing is what may bear on a task, before any gate: a compiler of context decides on each, and says why.
type Bearing struct {
	Memories []Memory // that the words and the vectors find and that hold, best first
	// Standing are rules, constraints, tool schemas and preferences that hold here, whatever the question's words.
	Standing []ctxmcp.ContextObject
	// Beside is what the words find too, and that does not hold here and now: of another scope of the caller's, of another
	// time, or in a conflict. Nothing in it is above the caller's rights.
	Beside []ctxmcp.ContextObject
	// Sources has the last version of what any of these is derived from, by object id.
	Sources  map[string]ctxmcp.ContextObject
	Entities []NamedEntity
	Warnings []string
}

// NamedEntity is who or what the question, or a claim of what was found, names.
type NamedEntity struct {
	ID      string   // canonical
	Nodes   []string // that are one with it
	Names   []string
	Pending bool // nobody has decided who it is
	Asked   bool // the question names it
}

// standingTypes are the types of what holds whatever a question says.
var standingTypes = []ctxmcp.ObjectType{ctxmcp.PolicyRule, ctxmcp.ToolSchema, ctxmcp.ActionableConstraint, ctxmcp.Preference}

// The bounds of what is looked at beside what recall would.
const (
	mostStanding = 500
	mostBeside   = 60
	mostLookedUp = 200 // nodes of the registry
)

// Bearing returns what may bear on the ask, at most most memories by their relevance. The bounds of the ask that tell how
// much to return do not count. It returns the errors of Recall.
func (s *recaller) Bearing(ctx context.Context, by ctxmcp.Caller, ask Ask, most int) (Bearing, error) {
	if err := s.checkAsk(&ask); err != nil {
		return Bearing{}, err
	}
	q, _, err := s.recallQuery(by, ask)
	if err != nil {
		return Bearing{}, err
	}
	q.Origin = "" // the gate says of each what it was learned from
	asked := s.read(ask)
	var b Bearing
	if b.Memories, b.Warnings, err = s.candidates(ctx, q, asked, ask.Limit); err != nil {
		return Bearing{}, err
	}
	b.Memories = b.Memories[:min(len(b.Memories), most)]
	if b.Standing, err = s.standing(ctx, q); err != nil {
		return Bearing{}, err
	}
	if b.Beside, err = s.beside(ctx, by, q, asked.Terms, b); err != nil {
		return Bearing{}, err
	}
	for _, list := range [][]ctxmcp.ContextObject{b.Standing, b.Beside} {
		for _, o := range list {
			if !q.permits(o) || o.TenantID != q.Tenant {
				return Bearing{}, fmt.Errorf("store returned %s, which the query does not select", o.ObjectID)
			}
		}
	}
	if err := s.withSources(ctx, by, &b); err != nil {
		return Bearing{}, err
	}
	return b, s.withEntities(ctx, q, asked.Mentions, &b)
}

// Coexists reports whether a slot like that of the claim holds several values at a time.
func (s *recaller) Coexists(c ctxmcp.Claim) bool { return s.coexists(c) }

func (s *recaller) standing(ctx context.Context, q Query) ([]ctxmcp.ContextObject, error) {
	q.Types, q.Limit = standingTypes, mostStanding
	found, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find what stands: %w", err)
	}
	return found, nil
}

// beside returns what the words find anywhere in the caller's own scopes, at any valid time and in any status, and that is
// not found already.
func (s *recaller) beside(ctx context.Context, by ctxmcp.Caller, q Query, terms []string, b Bearing) ([]ctxmcp.ContextObject, error) {
	if len(terms) == 0 {
		return nil, nil
	}
	wide := own(by)
	wide.BelievedAt = q.BelievedAt
	found, err := s.Store.Search(ctx, wide, terms, mostBeside)
	if err != nil {
		return nil, fmt.Errorf("search beside: %w", err)
	}
	held := map[ctxmcp.VersionKey]bool{}
	for _, m := range b.Memories {
		held[ctxmcp.KeyOf(m.Object)] = true
	}
	for _, o := range b.Standing {
		held[ctxmcp.KeyOf(o)] = true
	}
	var all []ctxmcp.ContextObject
	for _, c := range found.Candidates {
		if !held[ctxmcp.KeyOf(c.Object)] && !q.Match(c.Object) {
			all = append(all, c.Object)
		}
	}
	slices.SortFunc(all, Compare)
	return all, nil
}

// withSources finds what the objects are derived from, as the caller sees it.
func (s *recaller) withSources(ctx context.Context, by ctxmcp.Caller, b *Bearing) error {
	var ids []string
	add := func(o ctxmcp.ContextObject) { ids = append(ids, o.DerivedFrom...) }
	for _, m := range b.Memories {
		add(m.Object)
	}
	for _, o := range slices.Concat(b.Standing, b.Beside) {
		add(o)
	}
	b.Sources = map[string]ctxmcp.ContextObject{}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	q := own(by)
	q.ObjectIDs, q.EveryVersion, q.Archived = slices.Compact(ids), true, true
	found, err := s.Store.Find(ctx, q)
	if err != nil {
		return fmt.Errorf("find sources: %w", err)
	}
	for _, o := range found { // in order of TxStart: an open version stands for the object, else its last one
		held, seen := b.Sources[o.ObjectID]
		if !seen || o.TxEnd.IsZero() || !held.TxEnd.IsZero() {
			b.Sources[o.ObjectID] = o
		}
	}
	return nil
}

// withEntities finds who and what the question names, and of what was found those whose names are not decided.
func (s *recaller) withEntities(ctx context.Context, where Query, mentions []entities.Mention, b *Bearing) error {
	if s.Entities == nil {
		return nil
	}
	q := entities.Query{View: entities.View{Tenant: where.Tenant, Namespaces: where.Namespaces, Roles: where.Roles, Clearance: where.Clearance}}
	q.Keys, q.IDs = entities.NameKeys(mentions), b.named()
	if len(q.Keys)+len(q.IDs) == 0 {
		return nil
	}
	found, err := s.Entities.Lookup(ctx, q)
	if err != nil {
		return fmt.Errorf("look up entities: %w", err)
	}
	known := entities.NewKnown(found, nil)
	asked := map[string]bool{}
	for _, m := range mentions {
		for _, root := range known.Named(m.Form, m.Key) {
			asked[root.ID] = true
		}
	}
	for _, root := range known.Roots() {
		e := NamedEntity{ID: root.ID, Pending: !root.CarriesConstraints(), Asked: asked[root.ID]}
		for _, n := range known.Names(root.ID) {
			e.Nodes, e.Names = append(e.Nodes, n.ID), append(e.Names, n.Name)
		}
		b.Entities = append(b.Entities, e)
	}
	return nil
}

// named returns the nodes that constraints, claims and facts about people name, in order.
func (b *Bearing) named() []string {
	ids := map[string]bool{}
	note := func(o ctxmcp.ContextObject) {
		for _, id := range o.CanonicalEntityIDs {
			if len(ids) < mostLookedUp {
				ids[id] = true
			}
		}
	}
	for _, o := range b.Standing {
		note(o)
	}
	for _, m := range b.Memories {
		if !m.Object.Claim.IsZero() || m.Object.ObjectType == ctxmcp.IdentityFact {
			note(m.Object)
		}
	}
	return slices.Sorted(maps.Keys(ids))
}
