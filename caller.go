package ctxmcp

import "slices"

// Caller is the user, agent or operator that asks: resolved once at the edge, from the token over HTTP and from the configuration over stdio, and
// passed as an argument to every domain call.
type Caller struct {
	Tenant    string
	User      string
	Roles     []string
	Clearance Classification // the most sensitive class that the caller may see
	Authority Authority      // the highest authority (smallest number) that the caller may assert
	Projects  []string       // the only projects that the caller may name; empty for any
}

// Operator is the role that may write memories of a whole tenant.
const Operator = "operator"

// Harness is the role of a program that runs an agent and speaks for the user: what it says that the user said is believed.
const Harness = "harness"

// Has reports whether the caller holds the role.
func (c Caller) Has(role string) bool { return slices.Contains(c.Roles, role) }

// With returns the caller with the role, once.
func (c Caller) With(role string) Caller {
	if !c.Has(role) {
		c.Roles = append(slices.Clone(c.Roles), role)
	}
	return c
}

// Ceiling returns the most sensitive class that the caller may see: the clearance, or Public where that is no word of the
// vocabulary, so that a clearance left out opens nothing.
func (c Caller) Ceiling() Classification {
	if Known(c.Clearance, Classifications()) {
		return c.Clearance
	}
	return Public
}

// Cleared reports whether the caller may see the class.
func (c Caller) Cleared(class Classification) bool { return class.Rank() <= c.Ceiling().Rank() }

// Resolve returns the full scope of a call: the scope asked for, completed by the defaults and bound to the caller's
// user. It returns CodeInvalid for a malformed id and CodeDenied for another user, a project that the caller may not
// name, and a caller without a user.
func (c Caller) Resolve(asked, defaults Scope) (Scope, error) {
	if err := asked.Validate(); err != nil {
		return Scope{}, err
	}
	if c.User == "" { // an empty part of a scope does not bound: this would be everybody
		return Scope{}, Errorf(CodeDenied, "the call comes from no user")
	}
	if asked.User != "" && asked.User != c.User {
		return Scope{}, Errorf(CodeDenied, "scope.user %q is not you", clip(asked.User)).
			WithHint("leave scope.user out: it is always %q", c.User)
	}
	s := Scope{User: c.User, Project: asked.Project, Session: asked.Session, Task: asked.Task}
	if s.Project == "" {
		s.Project = defaults.Project
	}
	if s.Session == "" {
		s.Session = defaults.Session
	}
	if s.Task == "" {
		s.Task = defaults.Task
	}
	if s.Project != "" && len(c.Projects) > 0 && !slices.Contains(c.Projects, s.Project) {
		return Scope{}, Errorf(CodeDenied, "project %q is not one of yours", clip(s.Project)).
			WithHint("name a project that your token allows in scope.project")
	}
	return s, nil
}

// PermissionScope names the roles that may and may not see an object. No allowed role means any; a deny wins.
type PermissionScope struct {
	AllowRoles []string `json:"allow_roles,omitempty"`
	DenyRoles  []string `json:"deny_roles,omitempty"`
}

// Allows reports whether a holder of the roles may see the object.
func (p PermissionScope) Allows(roles []string) bool {
	holds := func(role string) bool { return slices.Contains(roles, role) }
	if slices.ContainsFunc(p.DenyRoles, holds) {
		return false
	}
	return len(p.AllowRoles) == 0 || slices.ContainsFunc(p.AllowRoles, holds)
}
