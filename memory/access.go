package memory

import (
	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// visibleFrom returns the query for the objects that the caller may see from at: the namespaces that cover it, and the caller's rights.
func visibleFrom(by ctxmcp.Caller, at ctxmcp.Scope) Query {
	q := permittedTo(by)
	for _, scope := range at.Ancestors() {
		q.Namespaces = append(q.Namespaces, scope.Namespace())
	}
	return q
}

// Reach returns the query for every version of the objects that the caller may see from at, and that are no longer held too.
func (s *recaller) Reach(by ctxmcp.Caller, at ctxmcp.Scope) Query {
	q := visibleFrom(by, at)
	q.EveryVersion, q.Archived = true, true
	return q
}

// belowPrefix returns the query for the objects that the caller may see below prefix. It returns CodeDenied for a prefix that reaches
// beyond the caller's own.
func belowPrefix(by ctxmcp.Caller, prefix ctxmcp.Scope) (Query, error) {
	if _, err := by.Resolve(prefix, ctxmcp.Scope{}); err != nil {
		return Query{}, err
	}
	prefix.User = by.User
	q := permittedTo(by)
	q.Under = &prefix
	return q, nil
}

// ownedBy returns the query for everything of the caller's, wherever it lives, and for the objects of the whole tenant.
func ownedBy(by ctxmcp.Caller) Query {
	q := permittedTo(by)
	q.Under = &ctxmcp.Scope{User: by.User}
	q.Namespaces = []string{""}
	return q
}

func permittedTo(by ctxmcp.Caller) Query {
	return Query{Tenant: by.Tenant, Roles: by.Roles, Clearance: by.Ceiling(), Projects: by.Projects}
}

// sameHome returns the query for the objects with the home of o, as the caller sees them.
func sameHome(by ctxmcp.Caller, o ctxmcp.ContextObject) Query {
	q := permittedTo(by)
	q.Namespaces = []string{o.Home().Namespace()}
	return q
}

// slotQuery returns the query for the objects in the slot of o with one of the statuses, whoever may see them.
func slotQuery(o ctxmcp.ContextObject, statuses ...ctxmcp.ContradictionStatus) Query {
	return Query{Tenant: o.TenantID, Namespaces: []string{o.Home().Namespace()}, Unrestricted: true, Slots: []string{o.Claim.Slot()},
		Statuses: statuses}
}

// viewFrom returns the part of the registry that a caller may see from a place.
func viewFrom(by ctxmcp.Caller, at ctxmcp.Scope) entities.View {
	q := visibleFrom(by, at)
	return entities.View{Tenant: q.Tenant, Namespaces: q.Namespaces, Roles: q.Roles, Clearance: q.Clearance}
}

// mayEnd returns CodeDenied unless the caller stands at least as high as the object, and is an operator if the object
// belongs to the whole tenant.
func mayEnd(by ctxmcp.Caller, o ctxmcp.ContextObject) error {
	if err := operatorsOnly(by, o); err != nil {
		return err
	}
	if o.Authority.Outranks(by.Authority) {
		return ctxmcp.Errorf(ctxmcp.CodeDenied, "object %s stands on higher authority than yours", o.ObjectID)
	}
	return nil
}

// operatorsOnly returns CodeDenied for an object that belongs to the whole tenant, unless the caller is an operator.
func operatorsOnly(by ctxmcp.Caller, o ctxmcp.ContextObject) error {
	if o.Home() == (ctxmcp.Scope{}) && !by.Has(ctxmcp.Operator) {
		return ctxmcp.Errorf(ctxmcp.CodeDenied, "object %s belongs to the whole tenant", o.ObjectID).
			WithHint("an operator may replace or end it")
	}
	return nil
}

// settles reports whether the user whom the caller speaks for may decide on the object: one that belongs to the
// whole tenant, or stands above every user, is not put before one.
func settles(by ctxmcp.Caller, o ctxmcp.ContextObject) bool {
	by.Authority = min(by.Authority, ctxmcp.AuthorityUser)
	return o.ObjectID == "" || mayEnd(by, o) == nil
}
