package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// newDecision keeps a pending entity as one of its own; the other decisions are the ids of those that it may be.
const newDecision = "new"

func (s *reviewer) entityItem(ctx context.Context, by ctxmcp.Caller, r Review) (*ReviewItem, error) {
	known, err := s.subjectEntities(ctx, by, r)
	if err != nil || known == nil {
		return nil, err
	}
	pending, seen := known.Root(r.Subjects[0])
	if !seen || pending.State != entities.Pending {
		return nil, nil // a later statement has decided it, or it is not for this caller's eyes
	}
	item := &ReviewItem{ID: r.ID, Kind: r.Kind, Question: fmt.Sprintf("%q may be of one that is known. Which one is it?", pending.Name)}
	for _, id := range r.Subjects[1:] {
		root, seen := known.Root(id)
		if !seen || root.ID == pending.ID || slices.Contains(item.Decisions, root.ID) {
			continue
		}
		item.Candidates = append(item.Candidates, ReviewCandidate{ID: root.ID, Name: root.Name, Object: s.firstNaming(ctx, by, root)})
		item.Decisions = append(item.Decisions, root.ID)
	}
	item.Decisions = append(item.Decisions, newDecision)
	return item, nil
}

// subjectEntities reads the entities that a review is about, as the caller sees them from where the question arose.
func (s *reviewer) subjectEntities(ctx context.Context, by ctxmcp.Caller, r Review) (*entities.Known, error) {
	home, err := ctxmcp.ParseNamespace(r.Namespace)
	if err != nil || s.Entities == nil {
		return nil, err
	}
	found, err := s.Entities.Lookup(ctx, entities.Query{View: viewFrom(by, home), IDs: r.Subjects})
	if err != nil {
		return nil, fmt.Errorf("look up entities: %w", err)
	}
	return entities.NewKnown(found, nil), nil
}

// firstNaming returns the memory that named an entity first, for a person to tell who it is; the name alone where the
// caller may not see it.
func (s *reviewer) firstNaming(ctx context.Context, by ctxmcp.Caller, e entities.Entity) ctxmcp.ContextObject {
	versions, err := s.versions(ctx, by, e.ObjectID)
	if err != nil {
		return ctxmcp.ContextObject{Content: e.Name, Authority: e.Authority, ValidFrom: e.TxStart, TxStart: e.TxStart}
	}
	return versions[len(versions)-1]
}

// settleEntity merges the pending entity into the one that it is, or keeps it.
func (s *reviewer) settleEntity(ctx context.Context, by ctxmcp.Caller, r Review, _ *ReviewItem, decision string) (Change, string, error) {
	known, err := s.subjectEntities(ctx, by, r)
	if err != nil {
		return Change{}, "", err
	}
	ruling := entities.Ruling{By: by.User, Authority: by.Authority, At: s.now(), Reason: "review"}
	pending, _ := known.Root(r.Subjects[0])
	if decision == newDecision {
		c, err := known.Keep(r.Subjects[0], ruling)
		return Change{Entities: c}, fmt.Sprintf("%q is an entity of its own", pending.Name), err
	}
	into, _ := known.Root(decision)
	c, err := known.Merge(r.Subjects[0], decision, ruling)
	return Change{Entities: c}, fmt.Sprintf("%q is the %q that was known, from now on and in what was said before", pending.Name, into.Name), err
}
