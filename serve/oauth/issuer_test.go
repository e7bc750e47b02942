package oauth_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/oauth"
)

const resource = "https://ctx.example.org/mcp"

var epoch = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// rsaKey is made once: it takes long.
var rsaKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func ecKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// issuer is an authorization server: metadata, keys and introspection.
type issuer struct {
	*httptest.Server
	metadata string // path of the metadata
	named    string // issuer in it; "": the right one
	missing  int    // status with a page for every path that there is not; 0: 404
	down     atomic.Bool
	fetched  atomic.Int32 // times that the keys were asked for
	asked    atomic.Int32 // times that a token was asked about
	said     atomic.Pointer[string]

	mu   sync.Mutex
	keys []any
}

// newIssuer returns a server that offers keys.
func newIssuer(t *testing.T, keys ...any) *issuer {
	i := &issuer{metadata: "/.well-known/oauth-authorization-server", keys: keys}
	i.Server = httptest.NewUnstartedServer(i)
	i.Start() // once it is told of itself
	t.Cleanup(i.Close)
	return i
}

// offer puts keys in the place of those that there are.
func (i *issuer) offer(keys ...any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = keys
}

func (i *issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case i.down.Load():
		http.Error(w, "down", http.StatusBadGateway)
	case r.URL.Path == i.metadata:
		named := i.named
		if named == "" {
			named = i.URL
		}
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": named, "jwks_uri": i.URL + "/keys"})
	case r.URL.Path == "/keys":
		i.fetched.Add(1)
		i.mu.Lock()
		defer i.mu.Unlock()
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": i.keys})
	case r.URL.Path == "/introspect":
		i.introspect(w, r)
	case i.missing > 0:
		w.WriteHeader(i.missing)
		_, _ = w.Write([]byte("<!doctype html><title>Sign in</title>"))
	default:
		http.NotFound(w, r)
	}
}

// introspect answers for clients who are who they say.
func (i *issuer) introspect(w http.ResponseWriter, r *http.Request) {
	i.asked.Add(1)
	if id, secret, _ := r.BasicAuth(); id != "ctx" || secret != "s3cret" {
		http.Error(w, "who are you", http.StatusUnauthorized)
		return
	}
	said := `{"active":false}`
	if r.PostFormValue("token") == "opaque" {
		said = *i.said.Load()
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(said))
}

func jwk(id string, key crypto.PublicKey) jose.JSONWebKey {
	return jose.JSONWebKey{Key: key, KeyID: id, Use: "sig"}
}

// sign returns a token of type at+jwt.
func sign(t *testing.T, algorithm jose.SignatureAlgorithm, key any, claims any, header ...any) string {
	t.Helper()
	o := (&jose.SignerOptions{}).WithType("at+jwt")
	for i := 0; i+1 < len(header); i += 2 {
		o = o.WithHeader(jose.HeaderKey(header[i].(string)), header[i+1])
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, o)
	if err != nil {
		t.Fatal(err)
	}
	text, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

type set = map[string]any

// claims returns those of Ann's token, with changes; nil takes a claim away.
func (i *issuer) claims(changes set) set {
	all := set{
		"iss": i.URL, "aud": resource, "sub": "ann", "exp": epoch.Add(time.Hour).Unix(), "nbf": epoch.Unix(),
		"tenant": "acme", "scope": "memory:read memory:write",
	}
	for name, value := range changes {
		all[name] = value
		if value == nil {
			delete(all, name)
		}
	}
	return all
}

// desk is a verifier whose clock stands still until it is set.
type desk struct {
	*oauth.Verifier
	mu  sync.Mutex
	now time.Time
}

func (d *desk) clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

func (d *desk) pass(span time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(span)
}

func newDesk(i *issuer, edit ...func(*oauth.Options)) *desk {
	d := &desk{now: epoch.Add(time.Minute)}
	o := oauth.Options{Issuer: i.URL, Audience: resource, Now: d.clock, Claims: oauth.Claims{
		Tenant: "tenant", User: "sub", Roles: "roles", Clearance: "clearance", Projects: "projects", MostSensitive: ctxmcp.Restricted,
	}}
	for _, e := range edit {
		e(&o)
	}
	d.Verifier = oauth.New(o)
	return d
}

// code returns the code with which a token is refused, "" if it counts.
func (d *desk) code(t *testing.T, token string) ctxmcp.Code {
	t.Helper()
	caller, _, err := d.Authenticate(t.Context(), token)
	if err == nil && caller.User == "" {
		t.Error("a token counts, and nobody holds it")
	}
	if err == nil {
		return ""
	}
	return ctxmcp.CodeOf(err)
}
