package memory

import (
	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// The beginnings of a statement, or of a part of one, that tells a rule of the one who makes it, and of what only sounds so.
var (
	rule   = language.NewPattern(`(?i)(?:^|[.;:,]\s+|\b(?:and|but|so)\s+)%s\b`, language.Standing.Row("rule"))
	noRule = language.NewPattern(`(?i)\b%s\b`, language.Standing.Row("no_rule"))
)

// IsRule reports whether the object is a person's statement of what they always or never do: "I never fly."
func IsRule(o ctxmcp.ContextObject) bool {
	said := o.SourceKind == ctxmcp.UserStatement && o.Authority <= ctxmcp.AuthorityUser && o.Author == ""
	return said && rule.MatchString(o.Content) && !noRule.MatchString(o.Content)
}
