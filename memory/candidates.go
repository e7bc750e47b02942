package memory

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// Candidates holds the candidates of a compile before the gate: the compiler of context decides on each, and says why.
type Candidates struct {
	Memories []Memory // found by words and vectors, and valid here and now; best first
	// AlwaysOn are rules, constraints, tool schemas and preferences that hold here, whatever the question's words.
	AlwaysOn []ctxmcp.ContextObject
	// OutOfScope are objects that the words find too, and that do not hold here and now: of another scope of the caller's, of
	// another time, or in a conflict. None of them is above the caller's rights.
	OutOfScope []ctxmcp.ContextObject
	// Sources has the last version of each object that any of these is derived from, by object id.
	Sources  map[string]ctxmcp.ContextObject
	Entities []NamedEntity
	Warnings []string
}

// NamedEntity is an entity that the question, or a claim of a candidate, names.
type NamedEntity struct {
	ID      string   // canonical
	Nodes   []string // that are one with it
	Names   []string
	Pending bool // nobody has decided who it is
	Asked   bool // the question names it
}

// AlwaysOnTypes are the types of objects that hold whatever a question says.
func AlwaysOnTypes() []ctxmcp.ObjectType {
	return []ctxmcp.ObjectType{ctxmcp.PolicyRule, ctxmcp.ToolSchema, ctxmcp.ActionableConstraint, ctxmcp.Preference}
}

// The bounds of the objects that are looked at beside those of a recall.
const (
	mostAlwaysOn   = 500
	mostSaying     = 200 // decisions and facts that may say when they matter, the newest
	mostOutOfScope = 60
	mostLookedUp   = 200 // nodes of the registry
)

// Need is a question beside that of an ask. Weight is the share of the relevance to it that counts, in (0, 1].
type Need struct {
	Text   string
	Weight float64
}

// Candidates returns the candidates for the ask and the needs beside it, at most most memories by the most relevant they are to any of them. The
// ask's own limits on the size of an answer do not count; without a question only what always holds is found. The objects are as stored,
// for their digests: Shown hides in them what the settings hide by now. It returns the errors of Recall.
func (s *recaller) Candidates(ctx context.Context, by ctxmcp.Caller, ask Ask, beside []Need, most int) (Candidates, error) {
	if err := s.checkAsk(&ask); err != nil {
		return Candidates{}, err
	}
	q, _, err := s.recallQuery(by, ask)
	if err != nil {
		return Candidates{}, err
	}
	q.Origin = "" // the gate judges the origin of each
	var b Candidates
	asked := s.read(ask)
	if err := s.findNeeds(ctx, q, ask, asked, beside, most, &b); err != nil {
		return Candidates{}, err
	}
	if b.AlwaysOn, err = s.alwaysOn(ctx, q, ask, serves(ask, beside)); err != nil {
		return Candidates{}, err
	}
	if err = s.withNewer(ctx, q, &b); err != nil {
		return Candidates{}, err
	}
	if b.OutOfScope, err = s.outOfScope(ctx, by, q, asked.Terms, b); err != nil {
		return Candidates{}, err
	}
	for _, list := range [][]ctxmcp.ContextObject{b.AlwaysOn, b.OutOfScope} {
		for _, o := range list {
			if !q.permits(&o) || o.TenantID != q.Tenant {
				return Candidates{}, fmt.Errorf("store returned %s, which the query does not select", o.ObjectID)
			}
		}
	}
	if err := s.withSources(ctx, by, &b); err != nil {
		return Candidates{}, err
	}
	return b, s.withEntities(ctx, q, asked.Mentions, &b)
}

// findNeeds finds the memories for the question of an ask and for those beside it, best first and at most so many: each by the most that it is relevant to one of them.
func (s *recaller) findNeeds(ctx context.Context, q Query, ask Ask, asked ranking.Question, beside []Need, most int, b *Candidates) error {
	var all []*Memory // they are large, and stand in the rooms
	held := map[ctxmcp.VersionKey]*Memory{}
	parts := s.searchNeeds(ctx, q, ask, asked, beside)
	defer func() {
		for _, part := range parts {
			part.in.giveBack()
		}
	}()
	for _, part := range parts {
		if part.err != nil {
			return part.err
		}
		b.Warnings = append(b.Warnings, part.warnings...)
		for i := range part.found {
			m := &part.found[i]
			m.Relevance *= part.weight
			if other := held[ctxmcp.KeyOf(m.Object)]; other != nil {
				other.Relevance = max(other.Relevance, m.Relevance)
				continue
			}
			held[ctxmcp.KeyOf(m.Object)] = m
			all = append(all, m)
		}
	}
	slices.Sort(b.Warnings)
	b.Warnings = slices.Compact(b.Warnings)
	slices.SortStableFunc(all, func(x, y *Memory) int { return cmp.Compare(y.Relevance, x.Relevance) })
	all = all[:min(len(all), most)]
	b.Memories = make([]Memory, len(all))
	for i, m := range all {
		b.Memories[i] = *m
		b.Memories[i].Object = m.Object.Clone() // others have it too
	}
	return nil
}

// foundFor holds the memories that were found for one question.
type foundFor struct {
	in       *room
	weight   float64
	found    []Memory // best first
	warnings []string
	err      error
}

// searchNeeds searches for the question of an ask and for those beside it at the same time. The results have the order of the questions.
func (s *recaller) searchNeeds(ctx context.Context, q Query, ask Ask, asked ranking.Question, beside []Need) []foundFor {
	needs := append([]Need{{ask.Query, 1}}, beside...)
	all := make([]foundFor, len(needs))
	for i := range all {
		all[i].in = rooms.Get().(*room)
	}
	ctxmcp.Abreast(len(needs), func(i int) {
		if strings.TrimSpace(needs[i].Text) == "" {
			return
		}
		ask, asked := ask, asked
		if i > 0 {
			ask.Query = needs[i].Text
			asked = s.read(ask)
		}
		part := &all[i]
		part.weight = needs[i].Weight
		if part.found, part.warnings, part.err = s.searchInto(ctx, part.in, q, asked, ask.Limit); part.err == nil {
			part.found, part.err = s.newerFirst(ctx, q, part.found, asked, asked.AsksEarlier())
		}
	})
	return all
}

// Coexists reports whether a slot like that of the claim holds several values at a time.
func (s *recaller) Coexists(c ctxmcp.Claim) bool { return s.coexists(c) }

// standing are the types of objects that hold whatever a question says if they name the tasks for which, or why, they matter.
var standing = []ctxmcp.ObjectType{ctxmcp.ProjectDecision, ctxmcp.IdentityFact}

// binding are the types of objects that bind a call, whatever time it asks about.
var binding = []ctxmcp.ObjectType{ctxmcp.PolicyRule, ctxmcp.ToolSchema, ctxmcp.ActionableConstraint}

// alwaysOn returns the memories that hold for any question: rules, constraints and tool schemas as they are now; preferences, memories that say when they
// matter, and rules of a person, as of the time that is asked about; and diets, where somebody is to eat.
func (s *recaller) alwaysOn(ctx context.Context, q Query, ask Ask, eating bool) ([]ctxmcp.ContextObject, error) {
	q.Limit = mostAlwaysOn
	now := q
	now.AsOf, now.BelievedAt, now.Types = s.now(), time.Time{}, binding
	if ask.AsOf.IsZero() && ask.BelievedAt.IsZero() {
		now.AsOf = q.AsOf
	}
	prefers, says := q, q
	prefers.Types = []ctxmcp.ObjectType{ctxmcp.Preference}
	says.Types, says.Newest, says.Limit = standing, true, mostSaying
	var found []ctxmcp.ContextObject
	for _, of := range []Query{now, prefers, says} {
		more, err := s.Store.Find(ctx, of)
		if err != nil {
			return nil, fmt.Errorf("find what always holds: %w", err)
		}
		found = append(found, more...)
	}
	held := slices.Clone(found)
	return slices.DeleteFunc(held, func(o ctxmcp.ContextObject) bool {
		outdated := o.MaybeOutdatedBy != "" && o.ObjectType != ctxmcp.ActionableConstraint && slices.ContainsFunc(found, func(by ctxmcp.ContextObject) bool {
			return by.ObjectID == o.MaybeOutdatedBy && partOutdated(o, by) == ""
		})
		silent := slices.Contains(standing, o.ObjectType) && o.WhyItMatters == "" && len(o.ApplicableTaskTypes) == 0 && !IsRule(o) && !(eating && NotEaten(o))
		return outdated || silent
	}), nil
}

// withNewer adds what has likely outdated something that always holds.
func (s *recaller) withNewer(ctx context.Context, q Query, b *Candidates) error {
	marked := make([]Memory, len(b.AlwaysOn))
	held := map[string]bool{}
	for i, o := range b.AlwaysOn {
		marked[i], held[o.ObjectID] = Memory{Object: o}, true
	}
	newer, err := s.newerOf(ctx, q, marked)
	for i, m := range marked {
		b.AlwaysOn[i].MaybeOutdatedBy = m.Object.MaybeOutdatedBy
	}
	for _, id := range slices.Sorted(maps.Keys(newer)) {
		if !held[id] {
			b.AlwaysOn = append(b.AlwaysOn, newer[id])
		}
	}
	return err
}

// outOfScope returns the objects that the words find anywhere in the caller's own scopes, at any valid time and in any status,
// and that are not found already.
func (s *recaller) outOfScope(ctx context.Context, by ctxmcp.Caller, q Query, terms []string, b Candidates) ([]ctxmcp.ContextObject, error) {
	if len(terms) == 0 {
		return nil, nil
	}
	wide := ownedBy(by)
	wide.BelievedAt = q.BelievedAt
	found, err := s.Store.Search(ctx, wide, terms, mostOutOfScope)
	if err != nil {
		return nil, fmt.Errorf("search out of scope: %w", err)
	}
	held := map[ctxmcp.VersionKey]bool{}
	for _, m := range b.Memories {
		held[ctxmcp.KeyOf(m.Object)] = true
	}
	for _, o := range b.AlwaysOn {
		held[ctxmcp.KeyOf(o)] = true
	}
	var all []ctxmcp.ContextObject
	for _, c := range found.Candidates {
		if !held[ctxmcp.KeyOf(*c.Object)] && !q.Match(*c.Object) {
			all = append(all, c.Object.Clone())
		}
	}
	slices.SortFunc(all, Compare)
	return all, nil
}

// withSources finds the objects that the candidates are derived from, as the caller sees them.
func (s *recaller) withSources(ctx context.Context, by ctxmcp.Caller, b *Candidates) error {
	var ids []string
	add := func(o ctxmcp.ContextObject) { ids = append(ids, o.DerivedFrom...) }
	for _, m := range b.Memories {
		add(m.Object)
	}
	for _, o := range slices.Concat(b.AlwaysOn, b.OutOfScope) {
		add(o)
	}
	b.Sources = map[string]ctxmcp.ContextObject{}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	q := ownedBy(by)
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

// withEntities finds the entities that the question names, and those of the candidates whose names are not decided.
func (s *recaller) withEntities(ctx context.Context, where Query, mentions []entities.Mention, b *Candidates) error {
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
func (b *Candidates) named() []string {
	ids := map[string]bool{}
	note := func(o ctxmcp.ContextObject) {
		for _, id := range o.CanonicalEntityIDs {
			if len(ids) < mostLookedUp {
				ids[id] = true
			}
		}
	}
	for _, o := range b.AlwaysOn {
		note(o)
	}
	for _, m := range b.Memories {
		if !m.Object.Claim.IsZero() || m.Object.ObjectType == ctxmcp.IdentityFact {
			note(m.Object)
		}
	}
	return slices.Sorted(maps.Keys(ids))
}
