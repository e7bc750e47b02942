package oauth_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/oauth"
)

// welcomer is an issuer that signs people in, and gives whatever identity it is told to.
type welcomer struct {
	*issuer
	identity string // ID token
	userinfo string // "": there is none
	status   int    // of the token endpoint
	post     bool   // the secret is taken in the form alone
	taken    []url.Values
}

func newWelcomer(t *testing.T, keys ...any) *welcomer {
	w := &welcomer{issuer: &issuer{keys: keys}, status: http.StatusOK}
	w.Server = httptest.NewUnstartedServer(w)
	w.Start() // once it is told of itself
	t.Cleanup(w.Close)
	return w
}

func (w *welcomer) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	if w.down.Load() {
		http.Error(to, "down", http.StatusBadGateway)
		return
	}
	switch r.URL.Path {
	case "/.well-known/oauth-authorization-server":
		methods, userinfo := []string{"client_secret_basic"}, ""
		if w.post {
			methods = []string{"client_secret_post"}
		}
		if w.userinfo != "" {
			userinfo = w.URL + "/userinfo"
		}
		_ = json.NewEncoder(to).Encode(set{"issuer": w.URL, "jwks_uri": w.URL + "/keys", "authorization_endpoint": w.URL + "/auth?realm=a", "token_endpoint": w.URL + "/token",
			"userinfo_endpoint": userinfo, "token_endpoint_auth_methods_supported": methods})
	case "/token":
		_ = r.ParseForm()
		if id, secret, ok := r.BasicAuth(); ok {
			r.Form["basic"] = []string{id, secret}
		}
		w.taken = append(w.taken, r.Form)
		to.WriteHeader(w.status)
		_ = json.NewEncoder(to).Encode(set{"id_token": w.identity, "access_token": "a"})
	case "/userinfo":
		_, _ = to.Write([]byte(w.userinfo))
	default:
		w.issuer.ServeHTTP(to, r)
	}
}

// signIn returns a sign-in at the issuer, with changes to its options.
func (w *welcomer) signIn(edit ...func(*oauth.SignInOptions)) *oauth.SignIn {
	o := oauth.SignInOptions{ClientID: "pages", ClientSecret: "a secret: %", Scopes: "openid", Return: "https://ctx.example.org/ui/signin/back"}
	for _, e := range edit {
		e(&o)
	}
	return oauth.NewSignIn(newDesk(w.issuer).Verifier, o)
}

const browserSecret = "of the browser"

// begun returns the parameters with which a sign-in begins.
func begun(t *testing.T, s *oauth.SignIn) url.Values {
	t.Helper()
	address, err := s.Begin(t.Context(), browserSecret, false)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query()
}

func TestSignInBegins(t *testing.T) {
	w := newWelcomer(t)
	s := w.signIn()
	q := begun(t, s)
	for name, want := range map[string]string{"realm": "a", "response_type": "code", "client_id": "pages", "scope": "openid", "code_challenge_method": "S256",
		"redirect_uri": "https://ctx.example.org/ui/signin/back", "prompt": ""} {
		if got := q.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	seen := map[string]bool{browserSecret: true, "": true}
	for _, name := range []string{"state", "nonce", "code_challenge"} {
		if seen[q.Get(name)] {
			t.Errorf("%s is no word of its own", name)
		}
		seen[q.Get(name)] = true
	}
	w.down.Store(true)
	if _, err := w.signIn().Begin(t.Context(), browserSecret, false); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("an issuer that is down: %v", err)
	}
}

// TestIdentities: an ID token counts only for this client and this sign-in.
func TestIdentities(t *testing.T) {
	key, stranger := ecKey(t), ecKey(t)
	for _, tt := range []struct {
		name     string
		changes  set
		sign     func(claims set) string // nil: as it should be
		userinfo string
		want     ctxmcp.Code
	}{
		{"right", nil, nil, "", ""},
		{"several audiences, and ours is meant", set{"aud": []string{"x", "pages"}, "azp": "pages"}, nil, "", ""},
		{"several audiences", set{"aud": []string{"x", "pages"}}, nil, "", ctxmcp.CodeDenied},
		{"for another client", set{"azp": "x"}, nil, "", ctxmcp.CodeDenied},
		{"another audience", set{"aud": "x"}, nil, "", ctxmcp.CodeDenied},
		{"the audience of access tokens", set{"aud": resource}, nil, "", ctxmcp.CodeDenied},
		{"another issuer", set{"iss": "https://evil.example"}, nil, "", ctxmcp.CodeDenied},
		{"another nonce", set{"nonce": "x"}, nil, "", ctxmcp.CodeDenied},
		{"no nonce", set{"nonce": nil}, nil, "", ctxmcp.CodeDenied},
		{"expired", set{"exp": epoch.Unix()}, nil, "", ctxmcp.CodeDenied},
		{"without end", set{"exp": nil}, nil, "", ctxmcp.CodeDenied},
		{"nobody", set{"sub": nil}, nil, "", ctxmcp.CodeDenied},
		{"no tenant", set{"tenant": nil}, nil, "", ctxmcp.CodeDenied},
		{"another key", nil, func(c set) string { return sign(t, jose.ES256, stranger, c, "kid", "1", "typ", "JWT") }, "", ctxmcp.CodeDenied},
		{"an access token", nil, func(c set) string { return sign(t, jose.ES256, key, c, "kid", "1") }, "", ctxmcp.CodeDenied},
		{"algorithm none", nil, func(c set) string {
			return "eyJhbGciOiJub25lIn0." + strings.Split(sign(t, jose.ES256, key, c), ".")[1] + "."
		}, "", ctxmcp.CodeDenied},
		{"no token", nil, func(set) string { return "" }, "", ctxmcp.CodeUnavailable},
		{"too long", set{"x": strings.Repeat("x", 20<<10)}, nil, "", ctxmcp.CodeDenied},
		{"a tenant in userinfo", set{"tenant": nil}, nil, `{"sub":"ann","tenant":"acme"}`, ""},
		{"userinfo of somebody else", set{"tenant": nil}, nil, `{"sub":"bob","tenant":"acme"}`, ctxmcp.CodeDenied},
		{"userinfo of nobody", set{"tenant": nil}, nil, `{"tenant":"acme"}`, ctxmcp.CodeDenied},
		{"userinfo does not change what is signed", nil, nil, `{"sub":"ann","tenant":"other","nonce":"x"}`, ""},
		{"userinfo that is no JSON", set{"tenant": nil}, nil, `x`, ctxmcp.CodeUnavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWelcomer(t, jwk("1", key.Public()))
			w.userinfo = tt.userinfo
			s := w.signIn()
			q := begun(t, s)
			claims := w.claims(set{"aud": "pages", "nonce": q.Get("nonce")})
			for name, value := range tt.changes {
				if claims[name] = value; value == nil {
					delete(claims, name)
				}
			}
			w.identity = sign(t, jose.ES256, key, claims, "kid", "1", "typ", "JWT")
			if tt.sign != nil {
				w.identity = tt.sign(claims)
			}
			by, err := s.Finish(t.Context(), browserSecret, url.Values{"state": {q.Get("state")}, "code": {"c"}})
			if err != nil && (by.Tenant != "" || tt.want == "") || err == nil && (by.Tenant != "acme" || by.User != "ann") || err != nil && ctxmcp.CodeOf(err) != tt.want || err == nil && tt.want != "" {
				t.Errorf("%+v, %v; want code %q", by, err, tt.want)
			}
		})
	}
}

// TestCodeIsTakenWithItsProof: the token endpoint gets the verifier, and the secret in the way that it takes.
func TestCodeIsTakenWithItsProof(t *testing.T) {
	for _, tt := range []struct {
		name         string
		post, public bool
		basic, form  bool // where the secret is
	}{{"basic", false, false, true, false}, {"in the form", true, false, false, true}, {"a public client", false, true, false, false}} {
		w := newWelcomer(t)
		w.post, w.status = tt.post, http.StatusBadRequest
		s := w.signIn(func(o *oauth.SignInOptions) {
			if tt.public {
				o.ClientSecret = ""
			}
		})
		q := begun(t, s)
		_, err := s.Finish(t.Context(), browserSecret, url.Values{"state": {q.Get("state")}, "code": {"c"}})
		if err == nil || len(w.taken) != 1 {
			t.Fatalf("%s: %v, taken %d times", tt.name, err, len(w.taken))
		}
		got := w.taken[0]
		if v := got.Get("code_verifier"); len(v) < 43 || got.Get("code") != "c" || got.Get("redirect_uri") != "https://ctx.example.org/ui/signin/back" {
			t.Errorf("%s: the form is %v", tt.name, got)
		}
		if (len(got["basic"]) == 2) != tt.basic || (got.Get("client_secret") != "") != tt.form || (got.Get("client_id") == "pages") == tt.basic {
			t.Errorf("%s: the form is %v", tt.name, got)
		}
	}
}

// TestMadeUpCodesAreNoFlood: whoever answers sign-ins of their own without end costs the issuer little.
func TestMadeUpCodesAreNoFlood(t *testing.T) {
	w := newWelcomer(t)
	w.status = http.StatusBadRequest
	d := newDesk(w.issuer)
	s := oauth.NewSignIn(d.Verifier, oauth.SignInOptions{ClientID: "pages", Scopes: "openid"})
	q := begun(t, s)
	for range 500 {
		_, _ = s.Finish(t.Context(), browserSecret, url.Values{"state": {q.Get("state")}, "code": {"c"}})
	}
	if n := len(w.taken); n > 100 {
		t.Errorf("500 codes were taken to the issuer %d times", n)
	}
	d.pass(time.Second)
	if _, err := s.Finish(t.Context(), browserSecret, url.Values{"state": {q.Get("state")}, "code": {"c"}}); len(w.taken) != 101 {
		t.Errorf("a second later: %v, %d", err, len(w.taken))
	}
}
