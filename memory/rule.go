package memory

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/limits"
)

// The beginnings of a statement, or of a part of one, that tells a rule of its author, and of one that only sounds so.
var (
	rule   = language.NewPattern(`(?i)(?:^|[.;:,]\s+|\b(?:and|but|so)\s+)%s\b`, language.Standing.Row("rule"))
	noRule = language.NewPattern(`(?i)\b%s\b`, language.Standing.Row("no_rule"))
)

// IsRule reports whether the object is a person's rule for themselves: "I never fly."
func IsRule(o ctxmcp.ContextObject) bool {
	said := o.SourceKind == ctxmcp.UserStatement && o.Authority <= ctxmcp.AuthorityUser && o.Author == ""
	return said && rule.MatchString(o.Content) && !noRule.MatchString(o.Content)
}

// NotEaten reports whether the object surely names food that somebody does not eat.
func NotEaten(o ctxmcp.ContextObject) bool { return limits.NotEaten(ctxmcp.Cut(o.Content, mostRead)) }

// mostRead bounds the characters of a statement that are read for a limit.
const mostRead = 1000

// serves reports whether an ask, or a need beside it, has somebody eat.
func serves(ask Ask, beside []Need) bool {
	return limits.Serving(ask.Query) || slices.ContainsFunc(beside, func(n Need) bool { return limits.Serving(n.Text) })
}
