package main

import (
	"bufio"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const (
	protected = "https://ctx.example.org/mcp" // the resource that tokens are for
	reads     = "memory:read"
	writes    = "memory:read memory:write"
)

// provider is oidc-provider, a real authorization server, in a process of its own.
type provider struct {
	*testing.T
	url string
}

// openProvider starts the authorization server that make oauth installs. Elsewhere the test is skipped.
func openProvider(t *testing.T, env ...string) *provider {
	t.Helper()
	modules := os.Getenv("OAUTH_MODULES")
	if modules == "" {
		t.Skip("SKIPPED: no authorization server is installed; make oauth installs it and runs this test")
	}
	cmd := exec.Command(os.Getenv("OAUTH_NODE"), "../../testdata/oauth/issuer.mjs")
	cmd.Env = append(os.Environ(), "SCOPES="+writes)
	cmd.Env = append(cmd.Env, env...)
	cmd.Stderr = io.Discard // it warns of what is right for tests alone
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "http://") {
			go func() { _, _ = io.Copy(io.Discard, out) }() // ends with the process
			return &provider{t, lines.Text()}
		}
	}
	t.Fatal("the authorization server did not start")
	return nil
}

// grant asks for a token in the name of a client.
func (p *provider) grant(client, resource, scope string) string {
	p.Helper()
	var got struct {
		Token string `json:"access_token"`
	}
	p.post("/token", client, url.Values{"grant_type": {"client_credentials"}, "resource": {resource}, "scope": {scope}}, &got)
	if got.Token == "" {
		p.Fatalf("no token for %s", client)
	}
	return got.Token
}

func (p *provider) post(path, client string, form url.Values, into any) {
	p.Helper()
	request, err := http.NewRequest(http.MethodPost, p.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		p.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth(client, url.QueryEscape(client+" secret"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		p.Fatalf("%s: %s %s", path, response.Status, text)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			p.Fatalf("%s: %s", path, text)
		}
	}
}

// test does one of the things to the provider that only a test may: rotate, down, up.
func (p *provider) test(what string) {
	p.Helper()
	response, err := http.Get(p.url + "/test/" + what)
	if err != nil {
		p.Fatal(err)
	}
	_ = response.Body.Close()
}

// guarded is a server whose callers sign in at a provider, with a clock of its own.
type guarded struct {
	*testing.T
	url   string
	clock string
	now   time.Time
}

// openGuarded starts the binary with settings by their variables, beside those of the issuer.
func (p *provider) openGuarded(settings ...string) *guarded {
	p.Helper()
	g := &guarded{T: p.T, clock: filepath.Join(p.TempDir(), "clock")}
	g.at(time.Now())
	cmd := binary(p.T, p.TempDir(), "http", "--addr", "127.0.0.1:0")
	cmd.Env = append(cmd.Env, "CLOCK_FILE="+g.clock, "CTX_MCP_HTTP_PUBLIC_URL=https://ctx.example.org", "CTX_MCP_AUTH_OAUTH_ISSUER="+p.url)
	cmd.Env = append(cmd.Env, settings...)
	logs, err := cmd.StderrPipe()
	if err != nil {
		p.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			p.Errorf("the server ended with %v", err)
		}
	})
	lines := bufio.NewScanner(logs)
	for lines.Scan() {
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			go func() { _, _ = io.Copy(io.Discard, logs) }() // ends with the process
			g.url = m[1]
			return g
		}
	}
	p.Fatal("the server did not start")
	return nil
}

// at sets the clock of the server.
func (g *guarded) at(t time.Time) {
	g.Helper()
	g.now = t.UTC().Truncate(time.Second)
	if err := os.WriteFile(g.clock+".new", []byte(g.now.Format(time.RFC3339)), 0o600); err != nil {
		g.Fatal(err)
	}
	if err := os.Rename(g.clock+".new", g.clock); err != nil {
		g.Fatal(err)
	}
}

func (g *guarded) pass(span time.Duration) { g.Helper(); g.at(g.now.Add(span)) }

// want has a token recall, and compares the status of the answer.
func (g *guarded) want(what, token string, status int) {
	g.Helper()
	if got, challenge := g.call(token, "recall", `{"query": "x"}`); got != status {
		g.Errorf("%s: status %d, %s; want %d", what, got, challenge, status)
	}
}

func (g *guarded) call(token, tool, arguments string) (status int, challenge string) {
	g.Helper()
	response, err := rawCall(g.url, token, tool, arguments)
	if err != nil {
		g.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || strings.Contains(string(text), `"isError":true`) {
		g.Errorf("%s: %s, %v", tool, text, err)
	}
	return response.StatusCode, response.Header.Get("WWW-Authenticate")
}

func TestOAuthTokens(t *testing.T) {
	p, other := openProvider(t), openProvider(t)
	g := p.openGuarded()
	right := p.grant("robot", protected, writes)
	g.want("the right token", right, 200)
	for name, token := range map[string]string{
		"nothing":                   "",
		"other audience":            p.grant("robot", "https://other.example.org/mcp", writes),
		"audience with a slash":     p.grant("robot", protected+"/", writes),
		"other issuer":              other.grant("robot", protected, writes),
		"opaque, which no key read": p.grant("robot", "opaque:"+protected, writes),
		"algorithm none":            without(right),
		"HS256 with the public key": p.forged(right),
	} {
		g.want(name, token, 401)
	}
	begun := g.now
	g.at(begun.Add(-time.Minute))
	g.want("not yet valid", right, 401)
	g.at(time.Now().Add(time.Hour + 31*time.Second))
	g.want("expired", right, 401)
}

// without returns the claims of a token with algorithm none.
func without(token string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"at+jwt"}`)) + "." + strings.Split(token, ".")[1] + "."
}

// forged returns the claims of a token, signed by HMAC with the public key as the secret.
func (p *provider) forged(token string) string {
	p.Helper()
	response, err := http.Get(p.url + "/jwks")
	if err != nil {
		p.Fatal(err)
	}
	defer response.Body.Close()
	var set jose.JSONWebKeySet
	if err := json.NewDecoder(response.Body).Decode(&set); err != nil || len(set.Keys) != 1 {
		p.Fatalf("keys: %v, %v", set, err)
	}
	raw, err := x509.MarshalPKIXPublicKey(set.Keys[0].Key)
	if err != nil {
		p.Fatal(err)
	}
	secret := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: raw})
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: secret},
		(&jose.SignerOptions{}).WithType("at+jwt").WithHeader("kid", set.Keys[0].KeyID))
	if err != nil {
		p.Fatal(err)
	}
	var claims map[string]any
	raw, err = base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
	if err != nil || json.Unmarshal(raw, &claims) != nil {
		p.Fatalf("claims: %s, %v", raw, err)
	}
	text, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		p.Fatal(err)
	}
	return text
}

// TestOAuthStepUp: a client that reads is told all that writing needs, gets it, and writes.
func TestOAuthStepUp(t *testing.T) {
	p := openProvider(t)
	g := p.openGuarded()
	const text = `{"content": "The robot waters the ferns in the hall on Sundays.", "source": {"kind": "web"}}`
	status, challenge := g.call(p.grant("robot", protected, reads), "remember", text)
	if status != 403 || !strings.Contains(challenge, `error="insufficient_scope", scope="memory:read memory:write"`) {
		t.Fatalf("remember with %s: %d %s", reads, status, challenge)
	}
	_, named, _ := strings.Cut(challenge, `scope="`)
	named, _, _ = strings.Cut(named, `"`)
	if status, challenge := g.call(p.grant("robot", protected, named), "remember", text); status != 200 {
		t.Errorf("remember with what it was told to ask for, %s: %d %s", named, status, challenge)
	}
}

func TestOAuthKeys(t *testing.T) {
	p := openProvider(t)
	g := p.openGuarded()
	old := p.grant("robot", protected, reads)
	g.want("the first key", old, 200)
	p.test("rotate")
	renewed := p.grant("robot", protected, reads)
	g.pass(11 * time.Second) // after a pause, an unknown key has the set loaded again
	g.want("the key after rotation", renewed, 200)
	g.want("the key before it, once the set was loaded again", old, 401)
	p.test("down")
	g.pass(20 * time.Minute)
	g.want("keys unreachable, this one known", renewed, 200)
	g.pass(41 * time.Minute)
	g.want("keys unreachable, and known too long", renewed, 503)

	fresh := p.openGuarded()
	fresh.want("keys unreachable, none known", renewed, 503)
	p.test("up")
	fresh.pass(11 * time.Second)
	fresh.want("keys reachable again", p.grant("robot", protected, reads), 200)
}

func TestOAuthIntrospection(t *testing.T) {
	p := openProvider(t)
	g := p.openGuarded("CTX_MCP_AUTH_OAUTH_INTROSPECTION_URL="+p.url+"/token/introspection", "CTX_MCP_AUTH_OAUTH_CLIENT_ID=ctx",
		"CTX_MCP_AUTH_OAUTH_CLIENT_SECRET=ctx secret: %&+", "CTX_MCP_AUTH_OAUTH_USER_CLAIM=client_id")
	right := p.grant("robot", "opaque:"+protected, reads)
	g.want("an opaque token", right, 200)
	g.want("other audience", p.grant("robot", "opaque:https://other.example.org/mcp", reads), 401)
	g.want("unknown", "opaque", 401)
	if status, challenge := g.call(right, "remember", `{"content": "x"}`); status != 403 || !strings.Contains(challenge, writes) {
		t.Errorf("remember with %s: %d %s", reads, status, challenge)
	}
	p.post("/token/revocation", "robot", url.Values{"token": {right}}, nil)
	g.pass(61 * time.Second)
	g.want("a minute after it was withdrawn", right, 401)
	p.test("down")
	g.pass(61 * time.Second)
	g.want("endpoint unreachable", right, 503)
}
