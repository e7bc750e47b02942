package oauth

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// Claims names the claims that a caller is made of. A name with dots leads into objects, where no claim has it as it is.
type Claims struct {
	Tenant      string // claim of the tenant
	FixedTenant string // tenant of every caller, in the place of a claim
	User        string
	Roles       string
	Clearance   string
	Projects    string

	// HarnessRole and OperatorRole are the roles at the issuer that make a caller a harness or an operator; "": none does. These two words
	// themselves count for nothing in a token: the issuer may mean others by them.
	HarnessRole, OperatorRole string
	MostSensitive             ctxmcp.Classification // clearance of a token that says none
}

// claimSet holds the claims of a token.
type claimSet map[string]json.RawMessage

// userPrefix marks the users whose names at the issuer cannot be ids here.
const userPrefix = "oauth-"

// caller returns who a token speaks for. The errors name claims and quote none.
func (c Claims) caller(set claimSet) (ctxmcp.Caller, error) {
	by := ctxmcp.Caller{Tenant: c.FixedTenant, Clearance: c.MostSensitive, Authority: ctxmcp.AuthorityUser}
	if by.Tenant == "" {
		by.Tenant = set.word(c.Tenant)
	}
	if !ctxmcp.ValidID(by.Tenant) {
		return by, fmt.Errorf("claim %s names no tenant", c.Tenant)
	}
	if by.User = userID(set.word(c.User)); by.User == "" {
		return by, fmt.Errorf("claim %s names no user", c.User)
	}
	roles, _ := set.list(c.Roles)
	by.Roles = c.roles(roles)
	if value := set.find(c.Clearance); value != nil {
		by.Clearance = ctxmcp.Classification(set.word(c.Clearance))
	}
	if err := ctxmcp.CheckWord("clearance", by.Clearance, ctxmcp.Classifications()); err != nil {
		return by, fmt.Errorf("claim %s is no clearance", c.Clearance)
	}
	var err error
	by.Projects, err = c.projects(set)
	return by, err
}

// userID returns the name of a user as an id: as it is if it can be one, or else a digest. Two names never give one id.
func userID(name string) string {
	if name == "" || ctxmcp.ValidID(name) && !strings.HasPrefix(name, userPrefix) {
		return name
	}
	return userPrefix + ctxmcp.Digest(name)[:40]
}

// roles returns the roles of a caller, sorted, each once. Those that cannot be ids give no right here, so they are left out.
func (c Claims) roles(named []string) (roles []string) {
	for _, role := range named {
		switch {
		case c.HarnessRole != "" && role == c.HarnessRole:
			roles = append(roles, ctxmcp.Harness)
		case c.OperatorRole != "" && role == c.OperatorRole:
			roles = append(roles, ctxmcp.Operator)
		case role != ctxmcp.Harness && role != ctxmcp.Operator && ctxmcp.ValidID(role):
			roles = append(roles, role)
		}
	}
	slices.Sort(roles)
	return slices.Compact(roles)
}

// projects returns the only projects of a caller. A claim that is there and names none is an error: no project would mean any.
func (c Claims) projects(set claimSet) ([]string, error) {
	if set.find(c.Projects) == nil {
		return nil, nil
	}
	named, ok := set.list(c.Projects)
	if !ok || len(named) == 0 || slices.ContainsFunc(named, func(id string) bool { return !ctxmcp.ValidID(id) }) {
		return nil, errors.New("claim " + c.Projects + " is no list of projects")
	}
	slices.Sort(named)
	return slices.Compact(named), nil
}

// scopes returns the scopes of a token, from scope (RFC 9068, section 2.2.3), or from scp where a server writes that.
func scopes(set claimSet) []string {
	if granted, ok := set.list("scope"); ok {
		return granted
	}
	granted, _ := set.list("scp")
	return granted
}

// find returns the claim of a name, nil without one.
func (s claimSet) find(name string) json.RawMessage {
	if value, ok := s[name]; ok || name == "" {
		return value
	}
	first, rest, inside := strings.Cut(name, ".")
	var inner claimSet
	if !inside || json.Unmarshal(s[first], &inner) != nil {
		return nil
	}
	return inner.find(rest)
}

func (s claimSet) word(name string) (word string) {
	if json.Unmarshal(s.find(name), &word) != nil {
		return ""
	}
	return word
}

// list returns a claim that is a list of words, or one text with spaces between them.
func (s claimSet) list(name string) (words []string, ok bool) {
	value := s.find(name)
	if json.Unmarshal(value, &words) == nil && words != nil {
		return words, true
	}
	var text string
	if json.Unmarshal(value, &text) != nil || value == nil {
		return nil, false
	}
	return strings.Fields(text), true
}
