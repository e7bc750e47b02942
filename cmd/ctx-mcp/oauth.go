package main

import (
	"context"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/console"
	"github.com/ctx-mcp/ctx-mcp/console/visits"
	"github.com/ctx-mcp/ctx-mcp/serve"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
	"github.com/ctx-mcp/ctx-mcp/serve/oauth"
	"github.com/ctx-mcp/ctx-mcp/tools"
)

// endpoint is the path of the MCP endpoint.
const endpoint = "/mcp"

// resource returns the server as a protected resource, nil if no authorization server is configured.
func (a *app) resource(behind bool) *serve.OAuth {
	v := verifier(a.config, a.sys)
	if v == nil {
		return nil
	}
	reading, writing := tools.Scopes(tools.Select(a.toolOptions()), behind)
	ask := reading
	if named := strings.Fields(a.config.OAuth.Scope); len(named) > 0 {
		ask = named
	}
	return &serve.OAuth{
		Issuer: a.config.OAuth.Issuer, Own: access.Is, Authenticate: v.Authenticate, Misfits: oauth.Misfits, Needs: tools.ScopesOf,
		Scopes: slices.Concat(reading, writing), Ask: ask,
	}
}

// verifier returns the verifier of access tokens, nil if no authorization server is configured.
func verifier(c *config.Config, sys *system) *oauth.Verifier {
	o, ok := c.OAuthOptions(endpoint)
	if !ok {
		return nil
	}
	o.Now = sys.now
	return oauth.New(o)
}

// signIn returns the way in of people whom the authorization server knows, nil if none is configured.
func (a *app) signIn() *console.SignIn {
	o, ok := a.config.SignInOptions(console.Base + console.SignInReturn)
	v := verifier(a.config, a.sys)
	if !ok || v == nil {
		return nil
	}
	return &console.SignIn{At: a.config.OAuth.Issuer, Flow: oauth.NewSignIn(v, o), Lasts: a.config.OAuth.SignIn.Lasts}
}

// visits returns the browsers that the servers of one database know together, nil where a server knows its own.
func (a *app) visits() (visits.Book, error) {
	store := a.store.Visits()
	if store == nil {
		return nil, nil
	}
	key, err := a.derive(keyOfVisits)
	return visits.Shared{Store: store, Key: key}, err
}

func checkIssuer(ctx context.Context, p *patient) (string, error) {
	v := verifier(p.config, p.sys)
	if v == nil {
		return "none configured: the tokens of ctx-mcp token count alone", nil
	}
	if err := v.Reach(ctx); err != nil {
		return "", ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s cannot be asked about tokens: nobody who holds one gets in", p.config.OAuth.Issuer).
			WithCause(err).WithHint("look at auth.oauth.issuer, auth.oauth.jwks_url or auth.oauth.introspection_url")
	}
	return p.config.OAuth.Issuer + " can be asked about tokens", nil
}
