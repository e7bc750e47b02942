package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
)

// marks is a search for the objects by which others may be outdated. A mark names the object that set it: where that one was displaced, the
// one that took its place stands for it.
type marks struct {
	held   map[string]ctxmcp.ContextObject // found by the question already, by id
	newer  map[string]ctxmcp.ContextObject // that marks come to, by id
	next   map[string]string               // from an object that is held no longer to the one that took its place
	sought map[string]bool
	open   []string // still to be looked up
}

// newerOf brings the marks of candidates up to date, in place, and returns the objects that they name, and those that their marks name, by
// id: nil if there are no marks. A mark that comes to nothing that is held and visible is taken off.
func (s *recaller) newerOf(ctx context.Context, q Query, candidates []Memory) (map[string]ctxmcp.ContextObject, error) {
	m := marks{map[string]ctxmcp.ContextObject{}, map[string]ctxmcp.ContextObject{}, map[string]string{}, map[string]bool{}, nil}
	for i := range candidates {
		m.seek(candidates[i].Object.MaybeOutdatedBy)
	}
	if len(m.open) == 0 {
		return nil, nil
	}
	for _, c := range candidates {
		m.held[c.Object.ObjectID] = c.Object
	}
	for len(m.open) > 0 {
		if err := s.look(ctx, q, &m); err != nil {
			return nil, err
		}
	}
	for id, o := range m.newer {
		o.MaybeOutdatedBy = m.now(o)
		m.newer[id] = o
	}
	for i := range candidates {
		candidates[i].Object.MaybeOutdatedBy = m.now(candidates[i].Object)
	}
	return m.newer, nil
}

// seek notes the id of an object to look up, once.
func (m *marks) seek(id string) {
	if id != "" && !m.sought[id] {
		m.sought[id] = true
		m.open = append(m.open, id)
	}
}

// look looks the open ids up: by the question's own query, and those that it does not find in their history.
func (s *recaller) look(ctx context.Context, q Query, m *marks) error {
	var found []ctxmcp.ContextObject
	var missing []string
	for _, id := range m.open {
		if o, held := m.held[id]; held {
			found = append(found, o)
		} else {
			missing = append(missing, id)
		}
	}
	m.open = nil
	if len(missing) > 0 {
		byID := q
		byID.ObjectIDs, byID.Types, byID.Before, byID.Limit = missing, nil, nil, 0
		more, err := s.Store.Find(ctx, byID)
		if err != nil {
			return fmt.Errorf("find what outdates a memory: %w", err)
		}
		found = append(found, more...)
	}
	for _, o := range found {
		m.newer[o.ObjectID] = o
		m.seek(o.MaybeOutdatedBy)
		missing = slices.DeleteFunc(missing, func(id string) bool { return id == o.ObjectID })
	}
	return s.follow(ctx, q, m, missing)
}

// follow notes for ids of objects that are held no longer which objects took their places.
func (s *recaller) follow(ctx context.Context, q Query, m *marks, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	past := q
	past.ObjectIDs, past.Types, past.Before, past.Limit, past.Newest = ids, nil, nil, 0, false
	past.AsOf, past.BelievedAt, past.EveryVersion, past.Archived, past.Statuses = time.Time{}, time.Time{}, true, true, nil
	versions, err := s.Store.Find(ctx, past)
	if err != nil {
		return fmt.Errorf("find what took the place of a memory: %w", err)
	}
	for _, v := range versions { // in their order: the last one counts
		delete(m.next, v.ObjectID)
		if status := v.StatusNow(); status == ctxmcp.Overridden || status == ctxmcp.Clean {
			m.next[v.ObjectID] = v.LinkNow()
		}
	}
	for _, id := range ids {
		m.seek(m.next[id])
	}
	return nil
}

// now returns the id of the object that the mark of an object comes to, or "". One that took the place of another was said later than the
// object, or a review has put an older statement back in force.
func (m *marks) now(o ctxmcp.ContextObject) string {
	id := o.MaybeOutdatedBy
	for range len(m.next) + 1 {
		by, held := m.newer[id]
		switch {
		case held && (id == o.MaybeOutdatedBy || change.Of(by).At.After(change.Of(o).At)):
			return id
		case held:
			return ""
		}
		id = m.next[id]
	}
	return ""
}
