package access

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
)

// DefaultLifetime is how long a token counts whose draft does not say.
const DefaultLifetime = 90 * 24 * time.Hour

// MaxNameLength bounds the name of a token, in characters.
const MaxNameLength = 100

// Draft describes a token to be made. Tenant and User are required; any other field has a default.
type Draft struct {
	Name      string // a label for people
	Tenant    string
	User      string
	Roles     []string
	Projects  []string              // the only projects that may be named; empty for any
	Clearance ctxmcp.Classification // the most sensitive class that may be seen; default restricted
	Authority *ctxmcp.Authority     // the most that may be asserted; default user
	Expires   time.Time             // default: after DefaultLifetime
	Endless   bool                  // never expires; Expires must be zero
}

// token returns the token that the draft describes, without id and digest. It returns a CodeInvalid Error that names
// the field which is wrong.
func (d Draft) token(now time.Time) (Token, error) {
	t := Token{Name: d.Name, Created: now, Expires: ctxmcp.Instant(d.Expires), Caller: ctxmcp.Caller{
		Tenant: d.Tenant, User: d.User, Roles: slices.Clone(d.Roles), Projects: slices.Clone(d.Projects),
		Clearance: d.Clearance, Authority: ctxmcp.AuthorityUser,
	}}
	if t.Caller.Clearance == "" {
		t.Caller.Clearance = ctxmcp.Restricted
	}
	if d.Authority != nil {
		t.Caller.Authority = *d.Authority
	}
	if t.Expires.IsZero() && !d.Endless {
		t.Expires = now.Add(DefaultLifetime)
	}
	if err := checkName(d.Name); err != nil {
		return Token{}, err
	}
	if err := checkCaller(t.Caller); err != nil {
		return Token{}, err
	}
	return t, checkExpiry(d, t)
}

func checkName(name string) error {
	if utf8.ValidString(name) && utf8.RuneCountInString(name) <= MaxNameLength &&
		!strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return nil
	}
	return ctxmcp.Errorf(ctxmcp.CodeInvalid, "name is not a label").
		WithHint("use up to %d printable characters on one line", MaxNameLength)
}

func checkCaller(c ctxmcp.Caller) error {
	ids := []struct {
		field string
		ids   []string
	}{{"tenant", []string{c.Tenant}}, {"user", []string{c.User}}, {"roles", c.Roles}, {"projects", c.Projects}}
	for _, f := range ids {
		for _, id := range f.ids {
			if !ctxmcp.ValidID(id) {
				return ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s: %.60q is not an id", f.field, id).
					WithHint("use 1 to %d of the characters A-Z a-z 0-9 _ . -", ctxmcp.MaxIDLength)
			}
		}
	}
	if err := ctxmcp.CheckWord("clearance", c.Clearance, ctxmcp.Classifications()); err != nil {
		return err
	}
	if c.Authority < ctxmcp.AuthorityPlatform || c.Authority > ctxmcp.AuthorityRetrieved {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "authority %d is not a level", c.Authority).
			WithHint("use %d (platform) to %d (retrieved)", ctxmcp.AuthorityPlatform, ctxmcp.AuthorityRetrieved)
	}
	return nil
}

// lastYear is the last one that JSON and SQL dates can write.
const lastYear = 9999

func checkExpiry(d Draft, t Token) error {
	switch {
	case d.Endless && !d.Expires.IsZero():
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "an endless token cannot expire").WithHint("leave out one of the two")
	case d.Endless:
		return nil
	case t.State(t.Created) == Expired:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "expires is not in the future").
			WithHint("name an instant after %s", t.Created.Format(time.RFC3339))
	case t.Expires.Year() > lastYear:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "expires is after the year %d", lastYear).
			WithHint("ask for an endless token, or name an earlier instant")
	default:
		return nil
	}
}
