package memory

import (
	"context"
	"fmt"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Browsing selects what a person looks through: everything of theirs, wherever it lives, and what holds for the whole tenant. A zero
// field does not restrict.
type Browsing struct {
	Project      string
	Types        []ctxmcp.ObjectType
	Sources      []ctxmcp.SourceKind
	Subject      string // of the claim
	Contested    bool   // only what contradicts something else
	EveryVersion bool   // what is no longer held too
	AsOf         time.Time
	BelievedAt   time.Time
	AsStored     bool   // with what the settings hide by now, to look for it
	Cursor       string // of the page before
	Limit        int
}

// Page is a part of a list.
type Page struct {
	Objects []ctxmcp.ContextObject
	Held    int    // objects that the selection has in all
	Next    string // cursor of the next page; empty: this is the last
}

// Browse returns a page of what the caller selects, the newest first. It returns CodeInvalid for a cursor that is none.
func (s *recaller) Browse(ctx context.Context, by ctxmcp.Caller, b Browsing) (Page, error) {
	q := ownedBy(by)
	if b.Project != "" {
		q.Under, q.Namespaces = &ctxmcp.Scope{User: by.User, Project: b.Project}, nil
	}
	q.Types, q.Sources, q.EveryVersion, q.Archived = b.Types, b.Sources, b.EveryVersion, b.EveryVersion
	q.AsOf, q.BelievedAt = ctxmcp.Instant(b.AsOf), ctxmcp.Instant(b.BelievedAt)
	if b.Subject != "" {
		q.Subjects = []string{ctxmcp.Normalize(b.Subject)}
	}
	if b.Contested {
		q.Statuses = contradictedStatuses
	}
	var page Page
	var err error
	if page.Held, err = s.Store.Count(ctx, q); err != nil {
		return Page{}, fmt.Errorf("count: %w", err)
	}
	if b.Cursor != "" {
		if q.Before, err = parseCursor(b.Cursor); err != nil {
			return Page{}, err
		}
	}
	q.Newest, q.Limit = true, b.Limit+1
	if page.Objects, err = s.Store.Find(ctx, q); err != nil {
		return Page{}, fmt.Errorf("browse: %w", err)
	}
	if err := q.selects(page.Objects); err != nil {
		return Page{}, err
	}
	if len(page.Objects) > b.Limit {
		page.Objects = page.Objects[:b.Limit]
		page.Next = Cursor(page.Objects[b.Limit-1])
	}
	if b.AsStored {
		return page, nil
	}
	return page, s.Shown(ctx, by, page.Objects)
}

// DisplacedBy returns the versions that the object ended, as the caller sees them, of whatever fact, the newest first: limit of them at most.
func (s *recaller) DisplacedBy(ctx context.Context, by ctxmcp.Caller, objectID string, limit int) ([]ctxmcp.ContextObject, error) {
	return s.related(ctx, by, Query{DisplacedBy: []string{objectID}, EveryVersion: true, Archived: true}, limit)
}

// DerivedFrom returns the memories that are held and were derived from the object, as the caller sees them, the newest first: limit of them at most.
func (s *recaller) DerivedFrom(ctx context.Context, by ctxmcp.Caller, objectID string, limit int) ([]ctxmcp.ContextObject, error) {
	return s.related(ctx, by, Query{DerivedFrom: []string{objectID}}, limit)
}

// related returns the newest versions of the caller that have the relation to an object.
func (s *recaller) related(ctx context.Context, by ctxmcp.Caller, to Query, limit int) ([]ctxmcp.ContextObject, error) {
	q := ownedBy(by)
	q.DerivedFrom, q.DisplacedBy, q.EveryVersion, q.Archived = to.DerivedFrom, to.DisplacedBy, to.EveryVersion, to.Archived
	q.Newest, q.Limit = true, limit
	found, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find what is related: %w", err)
	}
	if err := q.selects(found); err != nil {
		return nil, err
	}
	return found, s.Shown(ctx, by, found)
}

// selects returns a fault if the store has been wrong: that is never to become a leak.
func (q Query) selects(found []ctxmcp.ContextObject) error {
	for _, o := range found {
		if !q.Match(o) {
			return fmt.Errorf("store returned %s, which the query does not select", o.ObjectID)
		}
	}
	return nil
}
