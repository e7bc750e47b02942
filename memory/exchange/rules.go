package exchange

import (
	"regexp"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// rule is a condition on a version beyond its schema. doc names the versions that it refuses, as docs/format/context-object.md does.
type rule struct {
	doc   string
	check func(ctxmcp.ContextObject) error
}

// rules lists them in the order in which they are asked.
var rules = []rule{
	{"a `tenant_id`, `user_id`, `project_id`, `session_id`, `task_id`, role, `derived_from`, `origin_domains` or `matters` that is not an id", checkIDs},
	{"a `layer` without the part of the scope that bounds it", checkPlace},
	{"a `valid_until` that is not after `valid_from`, a `tx_end` that is not after `tx_start`", checkIntervals},
	{"a `closing` without `tx_end`, a `tx_end` without `closing`", checkClosing},
	{"a `source_origin` or `update_path` that does not begin with a scheme", checkURIs},
	{"a `decay_rule.half_life_days` of 0", checkDecay},
}

func checkIDs(o ctxmcp.ContextObject) error {
	for _, id := range []struct {
		name, id string
		required bool
	}{
		{"tenant_id", o.TenantID, true}, {"user_id", o.UserID, false}, {"project_id", o.ProjectID, false},
		{"session_id", o.SessionID, false}, {"task_id", o.TaskID, false},
	} {
		if (id.required || id.id != "") && !ctxmcp.ValidID(id.id) {
			return notID(id.name)
		}
	}
	for _, list := range []struct {
		name string
		ids  []string
	}{
		{"permission_scope.allow_roles", o.PermissionScope.AllowRoles},
		{"permission_scope.deny_roles", o.PermissionScope.DenyRoles},
		{"derived_from", o.DerivedFrom},
		{"origin_domains", o.Domains},
		{"matters", o.Matters},
	} {
		if slices.ContainsFunc(list.ids, func(id string) bool { return !ctxmcp.ValidID(id) }) {
			return notID(list.name)
		}
	}
	return nil
}

func notID(name string) error {
	return invalid(name, "is not an id").WithHint("use 1 to %d of the characters A-Z a-z 0-9 _ . -", ctxmcp.MaxIDLength)
}

// checkPlace keeps a version from being visible more widely than its layer says: without the part that bounds it, it
// would be visible to all who are in no such place. A belief is its user's at least.
func checkPlace(o ctxmcp.ContextObject) error {
	bounds := map[ctxmcp.Layer]struct{ name, id string }{
		ctxmcp.UserLayer:    {"user_id", o.UserID},
		ctxmcp.ProjectLayer: {"project_id", o.ProjectID},
		ctxmcp.SessionLayer: {"session_id", o.SessionID},
		ctxmcp.TaskLayer:    {"task_id", o.TaskID},
		ctxmcp.BeliefLayer:  {"user_id", o.UserID},
	}
	if part, bounded := bounds[o.Layer]; bounded && part.id == "" {
		return invalid("layer", "is %q and needs %s", o.Layer, part.name)
	}
	return nil
}

func checkIntervals(o ctxmcp.ContextObject) error {
	switch {
	case o.Valid().Empty():
		return invalid("valid_until", "is not after valid_from")
	case o.Tx().Empty():
		return invalid("tx_end", "is not after tx_start")
	}
	return nil
}

func checkClosing(o ctxmcp.ContextObject) error {
	switch {
	case o.Closing == nil && !o.TxEnd.IsZero():
		return invalid("closing", "is missing although tx_end is set")
	case o.Closing != nil && o.TxEnd.IsZero():
		return invalid("closing", "is set although tx_end is not")
	}
	return nil
}

// A URI that was redacted keeps its placeholder, in which case it may have lost its scheme.
var (
	schemeForm  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
	placeholder = regexp.MustCompile(`\[[A-Z0-9_]+:REDACTED(#[a-z0-9]+)?\]`)
)

func checkURIs(o ctxmcp.ContextObject) error {
	for _, uri := range []struct{ name, text string }{{"source_origin", o.SourceOrigin}, {"update_path", o.UpdatePath}} {
		absent := uri.name == "update_path" && uri.text == ""
		if !absent && !schemeForm.MatchString(uri.text) && !placeholder.MatchString(uri.text) {
			return invalid(uri.name, "does not begin with a scheme").WithHint("write it as in https://example.org/page")
		}
	}
	return nil
}

func checkDecay(o ctxmcp.ContextObject) error {
	if o.DecayRule != nil && o.DecayRule.HalfLifeDays == 0 {
		return invalid("decay_rule.half_life_days", "is 0").WithHint("leave decay_rule out for what does not fade")
	}
	return nil
}
