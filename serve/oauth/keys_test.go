package oauth_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/oauth"
)

// TestRotatedKeys: a new key counts as soon as a token names it, and one that was withdrawn ends.
func TestRotatedKeys(t *testing.T) {
	before, after := ecKey(t), ecKey(t)
	i := newIssuer(t, jwk("1", before.Public()))
	d := newDesk(i)
	old, young := sign(t, jose.ES256, before, i.claims(nil), "kid", "1"), sign(t, jose.ES256, after, i.claims(nil), "kid", "2")
	if code := d.code(t, old); code != "" {
		t.Fatalf("the first key: %s", code)
	}
	i.offer(jwk("2", after.Public()))
	d.pass(10 * time.Second)
	if code := d.code(t, young); code != "" {
		t.Errorf("the new key: %s", code)
	}
	if code := d.code(t, old); code != ctxmcp.CodeDenied {
		t.Errorf("the withdrawn key: %q, want %s", code, ctxmcp.CodeDenied)
	}
}

// TestUnknownKeysAreNoFlood: tokens that name unknown keys make the server ask the issuer once in a while, not each.
func TestUnknownKeysAreNoFlood(t *testing.T) {
	known, unknown := ecKey(t), ecKey(t)
	i := newIssuer(t, jwk("1", known.Public()))
	d := newDesk(i)
	for n := range 50 {
		if code := d.code(t, sign(t, jose.ES256, unknown, i.claims(nil), "kid", fmt.Sprint("x", n))); code != ctxmcp.CodeDenied {
			t.Fatalf("an unknown key: %q", code)
		}
		d.pass(time.Second)
	}
	if n := i.fetched.Load(); n != 5 {
		t.Errorf("the keys were fetched %d times in 50 seconds, want 5", n)
	}
}

// TestKeysUnreachable: without the issuer no token counts that is not known to be right, and the answer says that it could not be checked.
func TestKeysUnreachable(t *testing.T) {
	key, next := ecKey(t), ecKey(t)
	i := newIssuer(t, jwk("1", key.Public()))
	d := newDesk(i)
	token := sign(t, jose.ES256, key, i.claims(set{"exp": epoch.Add(24 * time.Hour).Unix()}), "kid", "1")
	i.down.Store(true)
	for range 2 {
		if code := d.code(t, token); code != ctxmcp.CodeUnavailable {
			t.Errorf("before the first keys: %q, want %s", code, ctxmcp.CodeUnavailable)
		}
	}
	if err := d.Reach(t.Context()); err == nil {
		t.Error("Reach finds no fault in an issuer that is down")
	}
	i.down.Store(false)
	d.pass(10 * time.Second)
	if code := d.code(t, token); code != "" {
		t.Errorf("after the fault: %s", code)
	}
	if err := d.Reach(t.Context()); err != nil {
		t.Errorf("Reach: %v", err)
	}
	i.down.Store(true)
	d.pass(59 * time.Minute)
	if code := d.code(t, token); code != "" {
		t.Errorf("with keys of an hour ago: %s", code)
	}
	if code := d.code(t, sign(t, jose.ES256, next, i.claims(set{"exp": epoch.Add(24 * time.Hour).Unix()}), "kid", "2")); code != ctxmcp.CodeUnavailable {
		t.Errorf("an unknown key during a fault: %q, want %s", code, ctxmcp.CodeUnavailable)
	}
	d.pass(2 * time.Minute)
	if code := d.code(t, token); code != ctxmcp.CodeUnavailable {
		t.Errorf("with keys that are too old: %q, want %s", code, ctxmcp.CodeUnavailable)
	}
}

func TestDiscovery(t *testing.T) {
	key := ecKey(t)
	for _, tt := range []struct {
		name, metadata, named string
		options               func(*issuer, *oauth.Options)
		want                  ctxmcp.Code
	}{
		{"RFC 8414", "/.well-known/oauth-authorization-server", "", nil, ""},
		{"OpenID Connect", "/.well-known/openid-configuration", "", nil, ""},
		{"no metadata", "/elsewhere", "", nil, ctxmcp.CodeUnavailable},
		{"metadata of another issuer", "/.well-known/openid-configuration", "https://evil.example", nil, ctxmcp.CodeUnavailable},
		{"no metadata, and keys by configuration", "/elsewhere", "", func(i *issuer, o *oauth.Options) { o.KeysURL = i.URL + "/keys" }, ""},
		{"keys by plain http elsewhere", "/elsewhere", "", func(_ *issuer, o *oauth.Options) { o.KeysURL = "http://192.0.2.1/keys" }, ctxmcp.CodeUnavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			i := newIssuer(t, jwk("1", key.Public()))
			i.metadata, i.named = tt.metadata, tt.named
			d := newDesk(i, func(o *oauth.Options) {
				if tt.options != nil {
					tt.options(i, o)
				}
			})
			if code := d.code(t, sign(t, jose.ES256, key, i.claims(nil), "kid", "1")); code != tt.want {
				t.Errorf("code %q, want %q", code, tt.want)
			}
			if err := d.Reach(t.Context()); tt.named != "" && !strings.Contains(fmt.Sprint(err), tt.named) {
				t.Errorf("Reach: %v, want the issuer that the metadata names", err)
			}
		})
	}
}

// TestIssuerInAPath: the metadata of an issuer with a path is where OpenID Connect puts it, too.
func TestIssuerInAPath(t *testing.T) {
	key := ecKey(t)
	i := newIssuer(t, jwk("1", key.Public()))
	for _, place := range []string{
		"/.well-known/oauth-authorization-server/realms/a", "/.well-known/openid-configuration/realms/a", "/realms/a/.well-known/openid-configuration",
	} {
		i.metadata, i.named = place, i.URL+"/realms/a"
		d := newDesk(i, func(o *oauth.Options) { o.Issuer = i.URL + "/realms/a" })
		if code := d.code(t, sign(t, jose.ES256, key, i.claims(set{"iss": i.URL + "/realms/a"}), "kid", "1")); code != "" {
			t.Errorf("metadata at %s: %s", place, code)
		}
	}
}

// TestIssuerWithAPageForEveryPath: the metadata is found behind places at which the issuer answers with a page, or refuses.
func TestIssuerWithAPageForEveryPath(t *testing.T) {
	key := ecKey(t)
	for _, status := range []int{http.StatusOK, http.StatusUnauthorized, http.StatusForbidden, http.StatusMethodNotAllowed} {
		i := newIssuer(t, jwk("1", key.Public()))
		i.metadata, i.missing = "/.well-known/openid-configuration", status
		if code := newDesk(i).code(t, sign(t, jose.ES256, key, i.claims(nil), "kid", "1")); code != "" {
			t.Errorf("with status %d elsewhere: %s", status, code)
		}
	}
}

func introspected(i *issuer) *desk {
	return newDesk(i, func(o *oauth.Options) {
		o.Introspection, o.ClientID, o.ClientSecret = i.URL+"/introspect", "ctx", "s3cret"
	})
}

func TestIntrospection(t *testing.T) {
	i := newIssuer(t)
	for _, tt := range []struct {
		name, said string
		want       ctxmcp.Code
	}{
		{"active", `{"active":true,"aud":"` + resource + `","sub":"ann","tenant":"acme","scope":"memory:read","exp":1767274200}`, ""},
		{"with its issuer", `{"active":true,"iss":"` + i.URL + `","aud":["` + resource + `"],"sub":"ann","tenant":"acme"}`, ""},
		{"not active", `{"active":false}`, ctxmcp.CodeDenied},
		{"other audience", `{"active":true,"aud":"x","sub":"ann","tenant":"acme"}`, ctxmcp.CodeDenied},
		{"no audience", `{"active":true,"sub":"ann","tenant":"acme"}`, ctxmcp.CodeDenied},
		{"other issuer", `{"active":true,"iss":"https://evil.example","aud":"` + resource + `","sub":"ann","tenant":"acme"}`, ctxmcp.CodeDenied},
		{"expired", `{"active":true,"aud":"` + resource + `","sub":"ann","tenant":"acme","exp":1767268700}`, ctxmcp.CodeDenied},
		{"no tenant", `{"active":true,"aud":"` + resource + `","sub":"ann"}`, ctxmcp.CodeDenied},
		{"no word on it", `{}`, ctxmcp.CodeUnavailable},
		{"no JSON", `yes`, ctxmcp.CodeUnavailable},
		{"too much", `{"active":true,"x":"` + strings.Repeat("x", 1<<20) + `"}`, ctxmcp.CodeUnavailable},
	} {
		i.said.Store(&tt.said)
		if code := introspected(i).code(t, "opaque"); code != tt.want {
			t.Errorf("%s: code %q, want %q", tt.name, code, tt.want)
		}
	}
	d := introspected(i)
	if err := d.Reach(t.Context()); err != nil {
		t.Errorf("Reach: %v", err)
	}
	stranger := newDesk(i, func(o *oauth.Options) {
		o.Introspection, o.ClientID, o.ClientSecret = i.URL+"/introspect", "ctx", "wrong"
	})
	if err := stranger.Reach(t.Context()); err == nil {
		t.Error("Reach finds no fault in a wrong client secret")
	}
}

// TestIntrospectionIsKept: an answer counts for a minute, and no longer.
func TestIntrospectionIsKept(t *testing.T) {
	i := newIssuer(t)
	active, ended := `{"active":true,"aud":"`+resource+`","sub":"ann","tenant":"acme"}`, `{"active":false}`
	i.said.Store(&active)
	d := introspected(i)
	for range 3 {
		if code := d.code(t, "opaque"); code != "" {
			t.Fatalf("an active token: %s", code)
		}
		d.pass(19 * time.Second)
	}
	if n := i.asked.Load(); n != 1 {
		t.Errorf("the endpoint was asked %d times, want once", n)
	}
	i.said.Store(&ended)
	d.pass(3 * time.Second)
	if code := d.code(t, "opaque"); code != ctxmcp.CodeDenied {
		t.Errorf("a minute after it was withdrawn: %q, want %s", code, ctxmcp.CodeDenied)
	}
	i.down.Store(true)
	d.pass(time.Minute)
	if code := d.code(t, "opaque"); code != ctxmcp.CodeUnavailable {
		t.Errorf("with the endpoint down: %q, want %s", code, ctxmcp.CodeUnavailable)
	}
}

// TestNoRedirect: a token is sent to the endpoint of the configuration, and nowhere that it points to.
// TestMadeUpTokensCostLittle: a flood of them neither reaches the endpoint whole nor keeps a known token out.
func TestMadeUpTokensCostLittle(t *testing.T) {
	i := newIssuer(t)
	active := `{"active":true,"aud":"` + resource + `","sub":"ann","tenant":"acme"}`
	i.said.Store(&active)
	d := introspected(i)
	if code := d.code(t, "opaque"); code != "" {
		t.Fatalf("an active token: %s", code)
	}
	refused := 0
	for n := range 300 {
		if d.code(t, fmt.Sprint("made-up-", n)) == ctxmcp.CodeUnavailable {
			refused++
		}
	}
	if n := i.asked.Load(); n != 100 || refused != 201 {
		t.Errorf("the endpoint was asked %d times, and %d tokens were not looked at; want 100 and 201", n, refused)
	}
	d.pass(time.Minute) // the answer about the known token is too old: it is asked about again
	for n := range 200 {
		_ = d.code(t, fmt.Sprint("more-", n))
	}
	if code := d.code(t, "opaque"); code != "" {
		t.Errorf("a known token in a flood: %s", code)
	}
}

func TestNoRedirect(t *testing.T) {
	away := newIssuer(t)
	active := `{"active":true,"aud":"` + resource + `","sub":"ann","tenant":"acme"}`
	away.said.Store(&active)
	i := newIssuer(t)
	i.Config.Handler = http.RedirectHandler(away.URL+"/introspect", http.StatusTemporaryRedirect)
	if code := introspected(i).code(t, "opaque"); code != ctxmcp.CodeUnavailable || away.asked.Load() != 0 {
		t.Errorf("code %q, and the other host was asked %d times", code, away.asked.Load())
	}
}
