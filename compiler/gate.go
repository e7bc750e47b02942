package compiler

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// gate leaves out items that the caller may not see, and those that belong elsewhere. Gather asks no store for what the caller may
// not see; this holds if it ever does.
func gate(s *state) error {
	for _, it := range s.live() {
		for _, g := range gates {
			if detail, shut := g.shut(s, it); shut {
				s.omit(it, g.reason, "", detail)
				break
			}
		}
	}
	return nil
}

// gates are tried in this order; the first that is shut decides.
var gates = [...]struct {
	reason Reason
	shut   func(s *state, it *item) (detail string, shut bool)
}{
	{OtherTenant, func(s *state, it *item) (string, bool) { return "", it.Object.TenantID != s.in.Caller.Tenant }},
	{AboveClearance, func(s *state, it *item) (string, bool) {
		return "", it.Object.Classification.Rank() > ceiling(s.in.Caller.Clearance).Rank()
	}},
	{NotPermitted, func(s *state, it *item) (string, bool) {
		return "", !it.Object.PermissionScope.Allows(s.in.Caller.Roles)
	}},
	{OtherScope, outsideScope},
	{OtherOrigin, otherOrigin},
}

// ceiling returns the clearance, or Public where that is no word of the vocabulary.
func ceiling(c ctxmcp.Classification) ctxmcp.Classification {
	if ctxmcp.Known(c, ctxmcp.Classifications()) {
		return c
	}
	return ctxmcp.Public
}

// outsideScope reports whether the item lives outside of the task's scope: in another project, session or task, or in
// a project that the caller may not name. An item that is no memory was asked for by its id, from the scope of the
// call.
func outsideScope(s *state, it *item) (string, bool) {
	if it.Kind != KindMemory {
		return "", false
	}
	home := it.Object.Home()
	allowed := s.in.Caller.Projects
	if home.Project != "" && len(allowed) > 0 && !slices.Contains(allowed, home.Project) {
		return "", true
	}
	if home.User != "" && home.User != s.in.Caller.User {
		return "", true
	}
	return "it lives in " + home.Namespace(), !home.Covers(s.in.Request.Scope)
}

// otherOrigin reports whether the item was learned from a web domain that the task is not about. If the task is about no
// domain, items of any domain are shown as data.
func otherOrigin(s *state, it *item) (string, bool) {
	on := s.in.Request.Origin
	if on == "" || it.Kind != KindMemory {
		return "", false
	}
	return "learned from " + strings.Join(it.Object.Domains, ", "),
		slices.ContainsFunc(it.Object.Domains, func(d string) bool { return d != on })
}
