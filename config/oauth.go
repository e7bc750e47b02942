package config

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/oauth"
)

// OAuth are the settings by which access tokens of an authorization server count.
type OAuth struct {
	Issuer, Audience, KeysURL        string
	Introspection, ClientID, Secret  string
	Tenant                           string
	TenantClaim, UserClaim           string
	RolesClaim                       string
	ClearanceClaim, ProjectsClaim    string
	HarnessRole, OperatorRole, Scope string
	Clearance                        ctxmcp.Classification
	SignIn                           SignIn
}

// SignIn are the settings by which people sign in to the console at the authorization server.
type SignIn struct {
	ClientID, Secret, Scopes string
	Lasts                    time.Duration
}

func newOAuth() OAuth {
	return OAuth{
		TenantClaim: "tenant", UserClaim: "sub", RolesClaim: "roles", ClearanceClaim: "clearance", ProjectsClaim: "projects",
		Clearance: ctxmcp.Restricted, SignIn: SignIn{Scopes: "openid", Lasts: 8 * time.Hour},
	}
}

var oauthSettings = []Setting{
	{Key: "auth.oauth.issuer", Doc: "authorization server whose access tokens count, beside those of ctx-mcp token: its identifier, https://…",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.Issuer) }},
	{Key: "auth.oauth.audience", Doc: "audience that a token must have; default http.public_url and /mcp",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.Audience) }},
	{Key: "auth.oauth.jwks_url", Doc: "keys of the issuer; default: as its metadata says",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.KeysURL) }},
	{Key: "auth.oauth.introspection_url", Doc: "endpoint that is asked about every token, in the place of reading it by keys; an answer counts for a minute",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.Introspection) }},
	{Key: "auth.oauth.client_id", Doc: "name of this server at that endpoint",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.ClientID) }},
	{Key: "auth.oauth.client_secret", Secret: true, Doc: "secret of this server at that endpoint",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.Secret) }},
	{Key: "auth.oauth.scopes", Doc: "scopes, with spaces, that a client without a token is told to ask for; default: all that read",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.Scope) }},
	{Key: "auth.oauth.tenant", Doc: "tenant of everybody who has a token of the issuer; default: as the claim says",
		value: func(c *Config) Value { return (*idValue)(&c.OAuth.Tenant) }},
	{Key: "auth.oauth.tenant_claim", Doc: "claim of the tenant, without which a token is refused; dots lead into objects",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.TenantClaim) }},
	{Key: "auth.oauth.user_claim", Doc: "claim of the user; a name that cannot be an id becomes oauth- and a digest",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.UserClaim) }},
	{Key: "auth.oauth.roles_claim", Doc: "claim of the roles, such as realm_access.roles",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.RolesClaim) }},
	{Key: "auth.oauth.harness_role", Doc: "role at the issuer that makes a caller a harness, a program whose word for the user counts; default: none does",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.HarnessRole) }},
	{Key: "auth.oauth.operator_role", Doc: "role at the issuer that makes a caller an operator; default: none does",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.OperatorRole) }},
	{Key: "auth.oauth.clearance_claim", Doc: "claim of the most sensitive class that the user may see",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.ClearanceClaim) }},
	{Key: "auth.oauth.clearance", Doc: "that class, for a token without the claim",
		value: func(c *Config) Value { return (*Clearance)(&c.OAuth.Clearance) }},
	{Key: "auth.oauth.projects_claim", Doc: "claim of the only projects that the user may name; a token without it may name any",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.ProjectsClaim) }},
	{Key: "auth.oauth.signin_client_id", Doc: "name of this server at the issuer, under which people sign in to the pages under /ui/; default: they enter a token",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.SignIn.ClientID) }},
	{Key: "auth.oauth.signin_client_secret", Secret: true, Doc: "secret of that name; none for a public client",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.SignIn.Secret) }},
	{Key: "auth.oauth.signin_scopes", Doc: "scopes, with spaces, that a sign-in asks for: openid, and those that bring the claims",
		value: func(c *Config) Value { return (*textValue)(&c.OAuth.SignIn.Scopes) }},
	{Key: "auth.oauth.signin_lasts", Doc: "time from a sign-in until the person has to sign in again",
		value: func(c *Config) Value { return (*durationValue)(&c.OAuth.SignIn.Lasts) }},
}

// OAuthOptions returns the options of the verifier of access tokens, without a clock; ok is false if no issuer is configured. path is that
// of the MCP endpoint.
func (c *Config) OAuthOptions(path string) (o oauth.Options, ok bool) {
	a := c.OAuth
	o = oauth.Options{
		Issuer: a.Issuer, Audience: a.Audience, KeysURL: a.KeysURL, Introspection: a.Introspection, ClientID: a.ClientID, ClientSecret: a.Secret,
		Claims: oauth.Claims{
			Tenant: a.TenantClaim, FixedTenant: a.Tenant, User: a.UserClaim, Roles: a.RolesClaim, Clearance: a.ClearanceClaim, Projects: a.ProjectsClaim,
			HarnessRole: a.HarnessRole, OperatorRole: a.OperatorRole, MostSensitive: a.Clearance,
		},
	}
	if o.Audience == "" {
		o.Audience = strings.TrimSuffix(c.PublicURL, "/") + path
	}
	return o, a.Issuer != ""
}

// SignInOptions returns the options of the sign-in to the console, whose answers come to path; ok is false if none is configured.
func (c *Config) SignInOptions(path string) (o oauth.SignInOptions, ok bool) {
	s := c.OAuth.SignIn
	o = oauth.SignInOptions{ClientID: s.ClientID, ClientSecret: s.Secret, Scopes: s.Scopes, Return: strings.TrimSuffix(c.PublicURL, "/") + path}
	return o, s.ClientID != ""
}

// check refuses settings under which no token could count, or one could be read on its way.
func (a OAuth) check(publicURL string) error {
	if a.Issuer == "" {
		if a.Audience+a.KeysURL+a.Introspection+a.ClientID+a.Tenant+a.HarnessRole+a.OperatorRole+a.Scope+a.SignIn.ClientID != "" {
			return invalid("auth.oauth.* without auth.oauth.issuer does nothing: name the authorization server")
		}
		return nil
	}
	if publicURL == "" {
		return invalid("auth.oauth.issuer needs http.public_url: clients ask for tokens under that name")
	}
	if a.TenantClaim == "" && a.Tenant == "" || a.UserClaim == "" {
		return invalid("auth.oauth.tenant_claim or auth.oauth.user_claim is empty: every token would be refused")
	}
	if (a.Introspection == "") != (a.ClientID == "") || (a.ClientID == "") != (a.Secret == "") {
		return invalid("auth.oauth.introspection_url, auth.oauth.client_id and auth.oauth.client_secret go together: set all or none")
	}
	if err := a.SignIn.check(cmp.Or(a.Audience, strings.TrimSuffix(publicURL, "/")+"/mcp")); err != nil {
		return err
	}
	for _, u := range []struct{ key, url string }{{"issuer", a.Issuer}, {"jwks_url", a.KeysURL}, {"introspection_url", a.Introspection}} {
		if u.url == "" {
			continue
		}
		if err := oauth.CheckURL(u.url); err != nil {
			return invalid("auth.oauth.%s: %v", u.key, err)
		}
	}
	return nil
}

// check refuses a client that could not sign anybody in, or whose identities could be taken for access tokens.
func (s SignIn) check(audience string) error {
	switch {
	case s.ClientID == "" && s.Secret != "":
		return invalid("auth.oauth.signin_client_secret without auth.oauth.signin_client_id does nothing: name the client")
	case s.ClientID == audience:
		return invalid("auth.oauth.signin_client_id is the audience of access tokens: register the pages under a name of their own")
	case !slices.Contains(strings.Fields(s.Scopes), "openid"):
		return invalid("auth.oauth.signin_scopes lacks openid: the issuer would not say who signs in")
	}
	return nil
}
