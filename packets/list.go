package packets

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// Holding returns the records of the packets that were made of a context object and that the caller may see, the newest first, at most limit.
func (s *Service) Holding(ctx context.Context, by ctxmcp.Caller, object string, limit int) ([]Record, error) {
	return s.listed(ctx, by, Query{Object: object, Limit: limit})
}

// List returns the records of the packets that the caller may see in any of its places, the newest first, at most limit. Behind is the
// mark of the last one of the page before; nil asks for the first page.
func (s *Service) List(ctx context.Context, by ctxmcp.Caller, behind *artifacts.Mark, limit int) ([]Record, error) {
	return s.listed(ctx, by, Query{Behind: behind, Limit: limit})
}

// listed adds to a query all that the caller restricts it by.
func (s *Service) listed(ctx context.Context, by ctxmcp.Caller, q Query) ([]Record, error) {
	if by.User == "" { // an empty part of a query does not restrict: this would be everybody
		return nil, nil
	}
	q.Tenant, q.User, q.Everywhere, q.Clearance, q.Projects, q.Newest = by.Tenant, by.User, true, by.Ceiling(), by.Projects, true
	found, err := s.Store.FindPackets(ctx, q)
	if err != nil {
		return nil, err
	}
	for _, r := range found {
		if !q.Match(r) {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInternal, "the store returned a packet that was not asked for")
		}
	}
	return found, nil
}

// MarkOf returns the mark of a record.
func MarkOf(r Record) *artifacts.Mark { return &artifacts.Mark{Created: r.Created, ID: r.Ref} }
