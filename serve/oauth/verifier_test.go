package oauth_test

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/oauth"
)

func TestRightToken(t *testing.T) {
	ec := ecKey(t)
	i := newIssuer(t, jwk("r", rsaKey().Public()), jwk("e", ec.Public()))
	d := newDesk(i)
	want := ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Restricted, Authority: ctxmcp.AuthorityUser}
	for name, token := range map[string]string{
		"RS256":            sign(t, jose.RS256, rsaKey(), i.claims(nil), "kid", "r"),
		"PS256":            sign(t, jose.PS256, rsaKey(), i.claims(nil), "kid", "r"),
		"ES256":            sign(t, jose.ES256, ec, i.claims(nil), "kid", "e"),
		"no key named":     sign(t, jose.ES256, ec, i.claims(nil)),
		"several audience": sign(t, jose.ES256, ec, i.claims(set{"aud": []string{"other", resource}}), "kid", "e"),
		"type JWT":         sign(t, jose.ES256, ec, i.claims(nil), "kid", "e", "typ", "JWT"),
		"within leeway":    sign(t, jose.ES256, ec, i.claims(set{"exp": epoch.Add(50 * time.Second).Unix()}), "kid", "e"),
	} {
		caller, scopes, err := d.Authenticate(t.Context(), token)
		if diff := cmp.Diff(want, caller); err != nil || diff != "" {
			t.Errorf("%s: %v, caller differs (-want +got):\n%s", name, err, diff)
		}
		if diff := cmp.Diff([]string{"memory:read", "memory:write"}, scopes); diff != "" {
			t.Errorf("%s: scopes differ (-want +got):\n%s", name, diff)
		}
	}
	if n := i.fetched.Load(); n != 1 {
		t.Errorf("the keys were fetched %d times for seven tokens, want once", n)
	}
}

// TestWrongTokens: each is the right token but for one thing.
func TestWrongTokens(t *testing.T) {
	i := newIssuer(t, jwk("r", rsaKey().Public()), jose.JSONWebKey{Key: []byte("a secret that is listed by mistake"), KeyID: "oct"})
	d := newDesk(i)
	good := sign(t, jose.RS256, rsaKey(), i.claims(nil), "kid", "r")
	if code := d.code(t, good); code != "" {
		t.Fatalf("the right token: %s", code)
	}
	pkix, err := x509.MarshalPKIXPublicKey(rsaKey().Public())
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: pkix})
	parts := strings.Split(good, ".")
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"at+jwt"}`)) + "." + parts[1] + "."
	other := ecKey(t)
	changed := func(changes set) string { return sign(t, jose.RS256, rsaKey(), i.claims(changes), "kid", "r") }
	for name, token := range map[string]string{
		"nothing":                       "",
		"no JWT":                        "opaque",
		"other audience":                changed(set{"aud": "https://other.example/mcp"}),
		"audience with a slash":         changed(set{"aud": resource + "/"}),
		"no audience":                   changed(set{"aud": nil}),
		"other issuer":                  changed(set{"iss": "https://evil.example"}),
		"no issuer":                     changed(set{"iss": nil}),
		"expired":                       changed(set{"exp": epoch.Add(29 * time.Second).Unix()}),
		"no end":                        changed(set{"exp": nil}),
		"not yet valid":                 changed(set{"nbf": epoch.Add(2 * time.Minute).Unix()}),
		"none":                          none,
		"signature cut off":             parts[0] + "." + parts[1] + ".",
		"HS256 with the public key":     sign(t, jose.HS256, public, i.claims(nil), "kid", "r"),
		"HS256 with a listed secret":    sign(t, jose.HS256, []byte("a secret that is listed by mistake"), i.claims(nil), "kid", "oct"),
		"another key under the name":    sign(t, jose.ES256, other, i.claims(nil), "kid", "r"),
		"a key that it brings along":    sign(t, jose.ES256, other, i.claims(nil), "jwk", jwk("x", other.Public())),
		"an address of keys along":      sign(t, jose.ES256, other, i.claims(nil), "jku", "https://evil.example/keys", "kid", "r"),
		"an unknown extension":          sign(t, jose.RS256, rsaKey(), i.claims(nil), "kid", "r", "crit", []string{"exp"}),
		"type of an identity assertion": sign(t, jose.RS256, rsaKey(), i.claims(nil), "kid", "r", "typ", "secevent+jwt"),
		"another's claims":              parts[0] + "." + strings.Split(changed(set{"sub": "bob"}), ".")[1] + "." + parts[2],
		"no tenant":                     changed(set{"tenant": nil}),
		"a tenant that is no id":        changed(set{"tenant": "a/b"}),
		"no user":                       changed(set{"sub": nil}),
		"unknown clearance":             changed(set{"clearance": "cosmic"}),
		"no project":                    changed(set{"projects": []string{}}),
		"a project that is no id":       changed(set{"projects": []string{"web", "a b"}}),
		"too long":                      changed(set{"x": strings.Repeat("x", 20_000)}),
	} {
		if code := d.code(t, token); code != ctxmcp.CodeDenied {
			t.Errorf("%s: code %q, want %s", name, code, ctxmcp.CodeDenied)
		}
		if _, _, err := d.Authenticate(t.Context(), token); len(token) > 10 && strings.Contains(err.Error(), token) {
			t.Errorf("%s: the error quotes the token", name)
		}
	}
}

// TestMisfits: a token that the issuer has signed for something else is told from one that is made up, or too old, in words without the token.
func TestMisfits(t *testing.T) {
	i := newIssuer(t, jwk("r", rsaKey().Public()))
	d := newDesk(i)
	for _, tt := range []struct {
		name  string
		token string
		says  string // "": it is no misfit
	}{
		{"other audience", sign(t, jose.RS256, rsaKey(), i.claims(set{"aud": "https://other.example/mcp"}), "kid", "r"), "none of its audiences is " + resource},
		{"other issuer", sign(t, jose.RS256, rsaKey(), i.claims(set{"iss": "https://evil.example"}), "kid", "r"), "its issuer is not " + i.URL},
		{"no tenant", sign(t, jose.RS256, rsaKey(), i.claims(set{"tenant": nil}), "kid", "r"), "claim tenant names no tenant"},
		{"expired", sign(t, jose.RS256, rsaKey(), i.claims(set{"exp": epoch.Add(-time.Hour).Unix()}), "kid", "r"), ""},
		{"made up", sign(t, jose.ES256, ecKey(t), i.claims(set{"aud": "x"}), "kid", "r"), ""},
	} {
		_, _, err := d.Authenticate(t.Context(), tt.token)
		if oauth.Misfits(err) != (tt.says != "") || !strings.Contains(fmt.Sprint(err), tt.says) {
			t.Errorf("%s: %v, want a misfit that says %q", tt.name, err, tt.says)
		}
	}
}

func TestClaims(t *testing.T) {
	i := newIssuer(t, jwk("r", rsaKey().Public()))
	d := newDesk(i, func(o *oauth.Options) {
		o.Claims.Roles, o.Claims.HarnessRole = "realm_access.roles", "ctx harnesses"
	})
	for _, tt := range []struct {
		name   string
		claims set
		edit   func(*ctxmcp.Caller)
	}{
		{"roles", set{"realm_access": set{"roles": []string{"dev", "Domain Users", "dev"}}}, func(c *ctxmcp.Caller) { c.Roles = []string{"dev"} }},
		{"harness by its name at the issuer", set{"realm_access": set{"roles": []string{"ctx harnesses"}}}, func(c *ctxmcp.Caller) { c.Roles = []string{"harness"} }},
		{"words of ours count for nothing", set{"realm_access": set{"roles": []string{"harness", "operator"}}}, func(*ctxmcp.Caller) {}},
		{"clearance", set{"clearance": "public"}, func(c *ctxmcp.Caller) { c.Clearance = ctxmcp.Public }},
		{"projects", set{"projects": []string{"web", "app"}}, func(c *ctxmcp.Caller) { c.Projects = []string{"app", "web"} }},
		{"projects in one text", set{"projects": "web app"}, func(c *ctxmcp.Caller) { c.Projects = []string{"app", "web"} }},
		{"a user that is no id", set{"sub": "auth0|7"}, func(c *ctxmcp.Caller) { c.User = "oauth-" + ctxmcp.Digest("auth0|7")[:40] }},
		{"a user that takes another's place", set{"sub": "oauth-" + ctxmcp.Digest("auth0|7")[:40]}, func(c *ctxmcp.Caller) {
			c.User = "oauth-" + ctxmcp.Digest("oauth-" + ctxmcp.Digest("auth0|7")[:40])[:40]
		}},
	} {
		want := ctxmcp.Caller{Tenant: "acme", User: "ann", Clearance: ctxmcp.Restricted, Authority: ctxmcp.AuthorityUser}
		tt.edit(&want)
		got, _, err := d.Authenticate(t.Context(), sign(t, jose.RS256, rsaKey(), i.claims(tt.claims), "kid", "r"))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v, caller differs (-want +got):\n%s", tt.name, err, diff)
		}
	}
	fixed := newDesk(i, func(o *oauth.Options) { o.Claims.FixedTenant = "corp" })
	got, scopes, err := fixed.Authenticate(t.Context(), sign(t, jose.RS256, rsaKey(), i.claims(set{"scope": nil, "scp": []string{"a", "b"}}), "kid", "r"))
	if err != nil || got.Tenant != "corp" || !cmp.Equal(scopes, []string{"a", "b"}) {
		t.Errorf("a fixed tenant, and scp: %+v, %v, %v", got, scopes, err)
	}
}
