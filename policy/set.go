package policy

import "github.com/ctx-mcp/ctx-mcp"

// Set is a set of rules that has been checked, with its default. It is safe for concurrent use.
type Set struct {
	digest string
}

// Digest returns the SHA-256 of the rules and the default, as sha256:hex: it names the set in a receipt.
func (s *Set) Digest() string { return s.digest }

// Decide returns what the rules say of the action. It never panics.
func (s *Set) Decide(in Input) ctxmcp.Decision {
	return ctxmcp.Decision{Verdict: ctxmcp.Deny, Rule: "engine", Why: "there are no rules"}
}
