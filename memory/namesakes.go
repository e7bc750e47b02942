package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// ofNamesake reports whether a held object is of somebody else than the plan's object, though both bear one name: a statement about one Tom, or about
// nobody knows which, changes nothing of the other.
func (p *plan) ofNamesake(held ctxmcp.ContextObject) bool {
	for _, d := range p.names.Decisions {
		bearers := p.names.Known.Named(d.Mention.Form, d.Mention.Key)
		if len(bearers) < 2 {
			continue
		}
		another, same := false, false
		for _, id := range held.CanonicalEntityIDs {
			root, _ := p.names.Known.Root(id)
			same = same || root.ID == d.EntityID
			another = another || slices.ContainsFunc(bearers, func(e entities.Entity) bool { return e.ID == root.ID })
		}
		if another && !same {
			return true
		}
	}
	return false
}

// longestNaming is the number of characters of the statement by which a namesake is told from another.
const longestNaming = 80

// tellNamesakes warns of names in a new object that several bear, with the statement that named each of them first: the user is to say which one is
// meant. It comes after the answer is kept for repetitions, which holds no content.
func (s *writer) tellNamesakes(ctx context.Context, by ctxmcp.Caller, r *Remembered) error {
	home, err := ctxmcp.ParseNamespace(r.Namespace)
	if err != nil || s.Entities == nil {
		return err
	}
	for _, n := range r.Entities {
		if n.Decision != entities.Undecided {
			continue
		}
		bearers, err := s.bearers(ctx, by, home, n)
		if err != nil {
			return err
		}
		if len(bearers) < 2 {
			continue
		}
		review, err := s.docket.aboutEntity(ctx, by, n.EntityID)
		if err != nil || review == "" {
			return err
		}
		told, err := s.namings(ctx, by, bearers)
		if err != nil {
			return err
		}
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of the name %q are held (%s): ask the user which one is meant; until review %s says so, this is of none of them",
			len(bearers), n.Mention, strings.Join(told, " / "), review))
	}
	return nil
}

// bearers returns the entities that a pending name may be of and that bear this very name.
func (s *writer) bearers(ctx context.Context, by ctxmcp.Caller, home ctxmcp.Scope, n Named) ([]entities.Entity, error) {
	lookup := func(ids []string) (*entities.Known, error) {
		found, err := s.Entities.Lookup(ctx, entities.Query{View: viewFrom(by, home), IDs: ids})
		if err != nil {
			return nil, fmt.Errorf("look up namesakes: %w", err)
		}
		return entities.NewKnown(found, nil), nil
	}
	known, err := lookup([]string{n.EntityID})
	if err != nil {
		return nil, err
	}
	pending, _ := known.Root(n.EntityID)
	var ids []string
	for _, c := range pending.Candidates {
		ids = append(ids, c.ID)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	if known, err = lookup(ids); err != nil {
		return nil, err
	}
	return known.Named(pending.Form, pending.Key), nil
}

// namings returns the statements that named the entities first, as far as they are held still, in a few words.
func (s *writer) namings(ctx context.Context, by ctxmcp.Caller, bearers []entities.Entity) ([]string, error) {
	hide := s.Redact.Pass(ctx, by.Tenant)
	var told []string
	for _, e := range bearers {
		text := e.Name
		if versions, err := s.versions(ctx, by, e.ObjectID); err == nil && len(openOf(versions)) > 0 {
			text = openOf(versions)[0].Content
		}
		text, _ = hide.Text(text)
		told = append(told, fmt.Sprintf("%q", ctxmcp.Clip(text, longestNaming)))
	}
	return told, hide.Err()
}

// aboutEntity returns the id of the open review of a pending entity's identity, or "".
func (s *docket) aboutEntity(ctx context.Context, by ctxmcp.Caller, id string) (string, error) {
	q := reviewsOf(by)
	q.Subject = id
	open, err := s.Store.Reviews(ctx, q)
	if err != nil {
		return "", fmt.Errorf("find reviews: %w", err)
	}
	for _, r := range open {
		if r.Kind == EntityReview && r.Subjects[0] == id {
			return r.ID, nil
		}
	}
	return "", nil
}
