package credentials

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/gateway/credentials/issuertest"
	"github.com/ctx-mcp/ctx-mcp/vault"
)

var (
	ann  = Holder{"t", "ann"}
	ben  = Holder{"t", "ben"}
	noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
)

func at(when time.Time) func() time.Time { return func() time.Time { return when } }

func newKeeper(t *testing.T) *Keeper {
	t.Helper()
	v, err := vault.New()
	if err != nil {
		t.Fatal(err)
	}
	return &Keeper{Wallet: Wallet{Dir: t.TempDir(), Sealer: v}, Now: at(noon)}
}

// signedIn signs in at the issuer.
func signedIn(t *testing.T, i *issuertest.Issuer) Grant {
	t.Helper()
	s, err := Begin(t.Context(), Target{URL: i.MCP.URL + "/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	went := make(chan int, 1)
	go func() { went <- issuertest.Browse(t, s.Address) }()
	g, err := s.Wait(t.Context(), at(noon))
	if err != nil {
		t.Fatal(err)
	}
	if code := <-went; code != http.StatusOK {
		t.Errorf("the browser ended at a page with %d", code)
	}
	return g
}

// TestSignIn: a user signs in, the token is renewed before it ends, each refresh token is used once though many ask, and nothing rests in the clear.
func TestSignIn(t *testing.T) {
	i, k := issuertest.New(t), newKeeper(t)
	var hidden sync.Map
	k.Hide = func(values ...string) {
		for _, v := range values {
			hidden.Store(v, true)
		}
	}
	g := signedIn(t, i)
	if err := k.SignedIn(t.Context(), ann, "notes", g); err != nil {
		t.Fatal(err)
	}
	token := func(h Holder, server, refused string) string {
		t.Helper()
		got, err := k.Token(t.Context(), h, server, refused)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := token(ann, "notes", ""); got != "access-token-1" {
		t.Errorf("the token is %q", got)
	}
	if a, b, c := token(ben, "notes", ""), token(ann, "other", ""), token(Holder{}, "notes", ""); a+b+c != "" {
		t.Errorf("somebody else got %q, %q, %q", a, b, c)
	}
	k.Now = at(noon.Add(time.Hour - 10*time.Second))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got, err := k.Token(context.Background(), ann, "notes", ""); err != nil || got != "access-token-2" {
				t.Errorf("renewed: %q, %v", got, err)
			}
		})
	}
	all.Wait()
	if got := token(ann, "notes", "access-token-2"); got != "access-token-3" || i.Renewals() != 3 {
		t.Errorf("after a refusal the token is %q, of %d", got, i.Renewals())
	}
	text, err := os.ReadFile(filepath.Join(k.Wallet.Dir, "credentials.json"))
	if err != nil || strings.Contains(string(text), "-token-") || strings.Contains(string(text), base64.StdEncoding.EncodeToString([]byte("access"))[:6]) {
		t.Errorf("the file holds a token, or is none: %v", err)
	}
	if info, err := os.Stat(filepath.Join(k.Wallet.Dir, "credentials.json")); err == nil && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read it: %v", info.Mode())
	}
	for _, v := range []string{"access-token-1", "refresh-token-1", "access-token-3", "refresh-token-3"} {
		if _, ok := hidden.Load(v); !ok {
			t.Errorf("%s is not hidden", v)
		}
	}
	if got, err := k.SignOut(t.Context(), ann, "notes"); !got.Was || err != nil || token(ann, "notes", "") != "" {
		t.Errorf("after the sign-out: %v, %v", got, err)
	}
}

// TestSignInRunsOut: a server that cannot be reached may be asked again; one that refuses is not, and the user has to sign in.
func TestSignInRunsOut(t *testing.T) {
	i, k := issuertest.New(t), newKeeper(t)
	if err := k.SignedIn(t.Context(), ann, "notes", signedIn(t, i)); err != nil {
		t.Fatal(err)
	}
	k.Now = at(noon.Add(2 * time.Hour))
	i.Down = true
	if _, err := k.Token(t.Context(), ann, "notes", ""); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable || errors.Is(err, ErrOver) {
		t.Errorf("while the issuer is down: %v", err)
	}
	i.Down = false
	if got, err := k.Token(t.Context(), ann, "notes", ""); err != nil || got != "access-token-2" {
		t.Errorf("afterwards: %q, %v", got, err)
	}
	k.Now, i.Over = at(noon.Add(9*time.Hour)), true
	for range 2 {
		if got, err := k.Token(t.Context(), ann, "notes", ""); !errors.Is(err, ErrOver) || got != "" {
			t.Errorf("after a refusal: %q, %v", got, err)
		}
		i.Over = false // it is not asked again
	}
	if err := k.SignedIn(t.Context(), ann, "notes", signedIn(t, i)); err != nil {
		t.Fatal(err)
	}
	k.Now = at(noon)
	if got, err := k.Token(t.Context(), ann, "notes", ""); err != nil || got == "" {
		t.Errorf("after another sign-in: %q, %v", got, err)
	}
}

// TestRefreshTokenStays: a refresh token goes to nobody but the authorization server that gave it, though that redirects, and though the server has
// another one by now.
func TestRefreshTokenStays(t *testing.T) {
	thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the thief was asked") }))
	t.Cleanup(thief.Close)
	i, k := issuertest.New(t), newKeeper(t)
	if err := k.SignedIn(t.Context(), ann, "notes", signedIn(t, i)); err != nil {
		t.Fatal(err)
	}
	k.Now = at(noon.Add(2 * time.Hour))
	i.Change = func(meta map[string]any) { meta["token_endpoint"] = thief.URL + "/token" }
	if got, err := k.Token(t.Context(), ann, "notes", ""); err != nil || got != "access-token-2" {
		t.Errorf("renewed: %q, %v", got, err)
	}
	i.Redirected = thief.URL + "/token"
	k.Now = at(noon.Add(9 * time.Hour))
	if got, err := k.Token(t.Context(), ann, "notes", ""); err == nil {
		t.Errorf("a redirect gave %q", got)
	}
}

// TestMixUps: a sign-in whose answers could lead a code or a token to somebody else is refused before the user is sent anywhere.
func TestMixUps(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*issuertest.Issuer)
		want   string
	}{
		{"metadata of another issuer", func(i *issuertest.Issuer) {
			i.Change = func(m map[string]any) { m["issuer"] = "https://accounts.example" }
		}, "declares issuer"},
		{"codes go to another host, and the issuer is honest about itself", func(i *issuertest.Issuer) {
			asked := 0
			i.Change = func(m map[string]any) {
				if asked++; asked == 1 {
					m["token_endpoint"] = strings.Replace(i.URL, "127.0.0.1", "localhost", 1) + "/token"
				}
			}
		}, "does not confirm"},
		{"no PKCE", func(i *issuertest.Issuer) {
			i.Change = func(m map[string]any) { delete(m, "code_challenge_methods_supported") }
		}, "PKCE"},
		{"PKCE in the clear alone", func(i *issuertest.Issuer) {
			i.Change = func(m map[string]any) { m["code_challenge_methods_supported"] = []string{"plain"} }
		}, "PKCE"},
		{"tokens in the clear", func(i *issuertest.Issuer) {
			i.Change = func(m map[string]any) { m["token_endpoint"] = "http://tokens.example/token" }
		}, "https"},
		{"another server's resource", func(i *issuertest.Issuer) { i.Resource = "https://bank.example/mcp" }, "does not match"},
	} {
		i := issuertest.New(t)
		tc.change(i)
		s, err := Begin(t.Context(), Target{URL: i.MCP.URL + "/mcp"})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want an error with %q", tc.name, err, tc.want)
		}
		if s != nil {
			s.Close()
		}
	}
}

// TestCallback: only the answer to this very sign-in counts, and one in the name of another issuer sends no code anywhere.
func TestCallback(t *testing.T) {
	i := issuertest.New(t)
	s, err := Begin(t.Context(), Target{URL: i.MCP.URL + "/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	type outcome struct {
		g   Grant
		err error
	}
	done := make(chan outcome, 1)
	go func() { g, err := s.Wait(t.Context(), at(noon)); done <- outcome{g, err} }()
	back := s.redirect()
	for _, address := range []string{
		back + "?code=stolen&state=" + strings.Repeat("x", len(s.state)), back + "?code=stolen", strings.Replace(back, "/callback", "/", 1) + "?code=x&state=" + s.state,
		strings.Replace(back, "127.0.0.1", "localhost", 1) + "?code=x&state=" + s.state,
	} {
		if code := issuertest.Browse(t, address); code == http.StatusOK {
			t.Errorf("%s was taken", address)
		}
	}
	if issuertest.Browse(t, s.Address) != http.StatusOK {
		t.Error("the right answer was refused")
	}
	if out := <-done; out.err != nil || out.g.Access != "access-token-1" || out.g.Issuer != i.URL {
		t.Errorf("signed in: %v, %v", out.g, out.err)
	}

	i = issuertest.New(t)
	i.Iss = "https://another.example"
	if s, err = Begin(t.Context(), Target{URL: i.MCP.URL + "/mcp"}); err != nil {
		t.Fatal(err)
	}
	go func() { g, err := s.Wait(t.Context(), at(noon)); done <- outcome{g, err} }()
	issuertest.Browse(t, s.Address)
	if out := <-done; ctxmcp.CodeOf(out.err) != ctxmcp.CodeDenied || i.Renewals() != 0 {
		t.Errorf("in the name of another issuer: %v, %d codes were sent", out.err, i.Renewals())
	}
	u, err := url.Parse(s.Address)
	if err != nil || strings.Join(i.Scopes(), " ") != "notes:read" || u.Query().Get("resource") != i.MCP.URL+"/mcp" {
		t.Errorf("the user was asked for %q in %s", i.Scopes(), s.Address)
	}
}

// TestSecrets: a value names secrets; one that there is not, or that cannot be opened, is an error that quotes nothing.
func TestSecrets(t *testing.T) {
	k := newKeeper(t)
	if err := k.Wallet.SetSecret(t.Context(), "kv/search#token", "s3cret-value-of-search"); err != nil {
		t.Fatal(err)
	}
	if got, err := k.Fill("Bearer ${vault:kv/search#token}"); err != nil || got != "Bearer s3cret-value-of-search" {
		t.Errorf("Fill = %q, %v", got, err)
	}
	if got, err := k.Fill("${vault:missing}"); got != "" || ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable || !strings.Contains(err.Error(), `"missing"`) {
		t.Errorf("a secret that there is not: %q, %v", got, err)
	}
	if err := k.Wallet.SetSecret(t.Context(), "no name", "x"); ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid {
		t.Errorf("a name that is none: %v", err)
	}
	other := newKeeper(t)
	other.Wallet.Dir = k.Wallet.Dir
	if _, err := other.Fill("${vault:kv/search#token}"); ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable {
		t.Errorf("under another key: %v", err)
	}
	other.Wallet.Sealer = nil
	for _, err := range []error{other.Wallet.SetSecret(t.Context(), "a", "b"), func() error { _, err := other.Fill("${vault:kv/search#token}"); return err }()} {
		if ctxmcp.CodeOf(err) != ctxmcp.CodeUnavailable || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("without a key: %v", err)
		}
	}
	if names, err := k.Wallet.Names(); err != nil || strings.Join(names, " ") != "kv/search#token" {
		t.Errorf("Names = %q, %v", names, err)
	}
	if err := k.Wallet.SetSecret(t.Context(), "kv/search#token", ""); err != nil {
		t.Fatal(err)
	}
	if names, _ := k.Wallet.Names(); len(names) != 0 {
		t.Errorf("after its removal: %q", names)
	}
}
