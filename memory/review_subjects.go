package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

func reviewsOf(by ctxmcp.Caller) ReviewQuery {
	return ReviewQuery{Tenant: by.Tenant, Under: ctxmcp.Scope{User: by.User}, Projects: by.Projects}
}

// subjects returns the open versions of the review's objects that the caller sees and that keep selects.
func (s *reviewer) subjects(ctx context.Context, by ctxmcp.Caller, r Review, keep func(ctxmcp.ContextObject) bool) ([]ctxmcp.ContextObject, error) {
	q := ownedBy(by)
	q.ObjectIDs, q.Archived = r.Subjects, true
	all, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find what it is about: %w", err)
	}
	return slices.DeleteFunc(all, func(o ctxmcp.ContextObject) bool { return !keep(o) }), nil
}

// seesAll reports whether the versions are all that the review is about: a person who sees half of a conflict does not decide
// it.
func (s *reviewer) seesAll(ctx context.Context, r Review, versions []ctxmcp.ContextObject) (bool, error) {
	home, err := ctxmcp.ParseNamespace(r.Namespace)
	if err != nil {
		return false, fmt.Errorf("home of a review: %w", err)
	}
	var places []string
	for _, outer := range home.Ancestors() {
		places = append(places, outer.Namespace())
	}
	all, err := s.Store.Find(ctx, Query{Tenant: r.Tenant, Namespaces: places, Unrestricted: true,
		ObjectIDs: r.Subjects, Statuses: []ctxmcp.ContradictionStatus{ctxmcp.Quarantined}})
	if err != nil {
		return false, fmt.Errorf("find what it is about: %w", err)
	}
	return len(candidatesOf(all)) == len(candidatesOf(versions)), nil
}
