package artifacts

import (
	"context"

	"github.com/ctx-mcp/ctx-mcp"
)

// List returns the artifacts of the caller's own places, the newest first, at most limit. Behind is the mark of the last one of the page
// before; nil asks for the first page.
func (s *Service) List(ctx context.Context, by ctxmcp.Caller, behind *Mark, limit int) ([]ctxmcp.Artifact, error) {
	if by.User == "" {
		return nil, nil
	}
	return s.Select(ctx, Query{Tenant: by.Tenant, Owner: by.User, Clearance: by.Ceiling(), Projects: by.Projects,
		Newest: true, Behind: behind, Limit: limit})
}

// Owned returns one artifact of the caller's own places. It returns CodeNotFound as Find does.
func (s *Service) Owned(ctx context.Context, by ctxmcp.Caller, id string) (ctxmcp.Artifact, error) {
	if by.User == "" || id == "" {
		return ctxmcp.Artifact{}, missing(id)
	}
	found, err := s.Select(ctx, Query{Tenant: by.Tenant, Owner: by.User, Clearance: by.Ceiling(), Projects: by.Projects, IDs: []string{id}})
	if err != nil {
		return ctxmcp.Artifact{}, err
	}
	if len(found) == 0 {
		return ctxmcp.Artifact{}, missing(id)
	}
	return found[0], nil
}

// MarkOf returns the mark of an artifact.
func MarkOf(a ctxmcp.Artifact) *Mark { return &Mark{Created: a.Created, ID: a.ID} }
