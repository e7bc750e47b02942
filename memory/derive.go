package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// inherit bounds a derived object by the weakest of its sources, so that a summary launders nothing.
func (s *writer) inherit(ctx context.Context, by ctxmcp.Caller, o *ctxmcp.ContextObject) error {
	if len(o.DerivedFrom) == 0 {
		return nil
	}
	q := ownedBy(by)
	q.ObjectIDs, q.EveryVersion, q.Archived = o.DerivedFrom, true, true
	sources, err := s.Store.Find(ctx, q)
	if err != nil {
		return fmt.Errorf("find sources: %w", err)
	}
	seen := map[string]bool{}
	for _, src := range sources {
		seen[src.ObjectID] = true
		if home := src.Home(); home.Project != "" && home.Project != o.Home().Project {
			return ctxmcp.Errorf(ctxmcp.CodeInvalid, "derived_from: object %s belongs to project %s: what is derived from it stays there",
				src.ObjectID, home.Project).WithHint("set level to project and scope.project to %s", home.Project)
		}
		o.Authority, o.Domains = max(o.Authority, src.Authority), union(o.Domains, src.Domains)
		o.SourceAuthority = min(o.SourceAuthority, src.SourceAuthority)
		o.ConfidenceScore = min(o.ConfidenceScore, src.ConfidenceScore)
		if src.Classification.Rank() > o.Classification.Rank() {
			o.Classification = src.Classification
		}
		if !narrow(&o.PermissionScope, src.PermissionScope) {
			return ctxmcp.Errorf(ctxmcp.CodeInvalid, "derived_from: no role may see what is derived from all of these").
				WithHint("derive from objects whose allow_roles have a role in common, and allow that role")
		}
	}
	for _, id := range o.DerivedFrom {
		if !seen[id] {
			return ctxmcp.Errorf(ctxmcp.CodeNotFound, "derived_from: there is no object %q", id)
		}
	}
	return nil
}

// narrow bounds p by the permissions of a source: it denies the roles that either denies, and allows those that both allow. It
// reports whether some role is left.
func narrow(p *ctxmcp.PermissionScope, source ctxmcp.PermissionScope) bool {
	p.DenyRoles = slices.Compact(slices.Sorted(slices.Values(slices.Concat(p.DenyRoles, source.DenyRoles))))
	switch {
	case len(source.AllowRoles) == 0:
		return true
	case len(p.AllowRoles) == 0:
		p.AllowRoles = source.AllowRoles
		return true
	}
	p.AllowRoles = slices.DeleteFunc(slices.Clone(p.AllowRoles), func(role string) bool {
		return !slices.Contains(source.AllowRoles, role)
	})
	return len(p.AllowRoles) > 0
}
