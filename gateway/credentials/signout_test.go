package credentials

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/gateway/credentials/issuertest"
)

// TestSignOut revokes the tokens that the authorization server revokes, names the others, and forgets all of them.
func TestSignOut(t *testing.T) {
	for _, c := range []struct {
		name            string
		change          func(i *issuertest.Issuer, k *Keeper)
		want            Revoked
		refresh, access bool // that still count
	}{
		{"all", nil, RevokedAll, false, false},
		{"access tokens end by themselves", func(i *issuertest.Issuer, _ *Keeper) { i.Keeps = "access_token" }, RevokedRefresh, false, true},
		{"refused", func(i *issuertest.Issuer, _ *Keeper) { i.Keeps = "both" }, RevokedNone, true, true},
		{"down", func(i *issuertest.Issuer, _ *Keeper) { i.Down = true }, RevokedNone, true, true},
		{"another key", func(_ *issuertest.Issuer, k *Keeper) { k.Wallet.Sealer = newKeeper(t).Wallet.Sealer }, RevokedSealed, true, true},
		{"no key", func(_ *issuertest.Issuer, k *Keeper) { k.Wallet.Sealer = nil }, RevokedSealed, true, true},
	} {
		i, k := issuertest.New(t), newKeeper(t)
		if err := k.SignedIn(t.Context(), ann, "notes", signedIn(t, i)); err != nil {
			t.Fatal(err)
		}
		if c.change != nil {
			c.change(i, k)
		}
		got, err := k.SignOut(t.Context(), ann, "notes")
		if err != nil || !got.Was || got.There != c.want || i.Good("refresh-token-1") != c.refresh || i.Good("access-token-1") != c.access {
			t.Errorf("%s: %+v, %v; the tokens count: %v, %v", c.name, got, err, i.Good("refresh-token-1"), i.Good("access-token-1"))
		}
		if got, err := k.SignOut(t.Context(), ann, "notes"); err != nil || got.Was {
			t.Errorf("%s: the sign-in is there still: %+v, %v", c.name, got, err)
		}
	}
}

// TestRevokedWhereTheIssuerSays tells no token to an address that the issuer itself does not confirm.
func TestRevokedWhereTheIssuerSays(t *testing.T) {
	thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the thief was asked") }))
	t.Cleanup(thief.Close)
	i, k := issuertest.New(t), newKeeper(t)
	asked := 0
	i.Change = func(meta map[string]any) {
		if asked++; asked == 1 { // the first statement differs from the confirmed one
			meta["revocation_endpoint"] = thief.URL + "/revoke"
		}
	}
	if err := k.SignedIn(t.Context(), ann, "notes", signedIn(t, i)); err != nil {
		t.Fatal(err)
	}
	if got, err := k.SignOut(t.Context(), ann, "notes"); err != nil || got.There != RevokedNowhere {
		t.Errorf("signed out: %+v, %v", got, err)
	}
}

// TestChallenge reads the scopes of a refusal, and leaves out words that cannot be one.
func TestChallenge(t *testing.T) {
	for _, c := range []struct {
		line string
		want Challenge
	}{
		{`Bearer error="insufficient_scope", scope="notes:write notes:read"`, Challenge{"insufficient_scope", []string{"notes:write", "notes:read"}}},
		{`Bearer scope=notes:write,error=insufficient_scope`, Challenge{"insufficient_scope", []string{"notes:write"}}},
		{`Bearer error_description="use scope=\"all\", error=\"none\"", error="insufficient_scope", scope="a a b"`, Challenge{"insufficient_scope", []string{"a", "b"}}},
		{"Bearer scope=\"ok <b>no</b> \u202eno\"", Challenge{"", []string{"ok"}}},
		{`Basic realm="x"`, Challenge{}},
	} {
		if got := ReadChallenge([]string{c.line}); got.Error != c.want.Error || !slices.Equal(got.Scopes, c.want.Scopes) {
			t.Errorf("%s is %+v, want %+v", c.line, got, c.want)
		}
	}
}

// TestWants: scopes for which the server has refused a request are asked for at the next sign-in, with those that were granted; the sign-in after it asks for no more.
func TestWants(t *testing.T) {
	i, k := issuertest.New(t), newKeeper(t)
	if err := k.SignedIn(t.Context(), ann, "notes", signedIn(t, i)); err != nil {
		t.Fatal(err)
	}
	wants := func(want ...string) {
		t.Helper()
		if got, err := k.Wants(ann, "notes"); err != nil || !slices.Equal(got, want) {
			t.Errorf("wanted: %v, %v, want %v", got, err, want)
		}
	}
	wants()
	for range 2 {
		if err := k.Want(t.Context(), ann, "notes", []string{"notes:write", "no\nno"}); err != nil {
			t.Fatal(err)
		}
	}
	wants("notes:read", "notes:write")
	if got, err := k.Wants(ben, "notes"); err != nil || got != nil {
		t.Errorf("of another user: %v, %v", got, err)
	}
	s, err := Begin(t.Context(), Target{URL: i.MCP.URL + "/mcp", More: []string{"notes:read", "notes:write"}})
	if err != nil {
		t.Fatal(err)
	}
	went := make(chan int, 1)
	go func() { went <- issuertest.Browse(t, s.Address) }()
	g, err := s.Wait(t.Context(), at(noon))
	<-went
	if err != nil || !slices.Equal(g.Scopes, []string{"notes:read", "notes:write"}) {
		t.Fatalf("the sign-in has %v, %v", g.Scopes, err)
	}
	if err := k.SignedIn(t.Context(), ann, "notes", g); err != nil {
		t.Fatal(err)
	}
	wants()
}

// TestScopesUnknownAtRegistration: an authorization server that refuses the server's scopes at the registration is asked without them, and for them at the sign-in.
func TestScopesUnknownAtRegistration(t *testing.T) {
	i := issuertest.New(t)
	i.Strict = true
	if g := signedIn(t, i); !slices.Equal(g.Scopes, []string{"notes:read"}) {
		t.Errorf("the sign-in has %v", g.Scopes)
	}
}

// TestPasted takes the address at which a browser elsewhere ended, and no other.
func TestPasted(t *testing.T) {
	i := issuertest.New(t)
	s, err := Begin(t.Context(), Target{URL: i.MCP.URL + "/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ended := ""
	client := http.Client{CheckRedirect: func(r *http.Request, _ []*http.Request) error { ended = r.URL.String(); return http.ErrUseLastResponse }}
	response, err := client.Get(s.Address)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	for _, wrong := range []string{"", "hello", s.Address, "http://127.0.0.1:1/callback?code=code-1&state=another", "http://127.0.0.1:1/callback"} {
		if _, err := s.Pasted(t.Context(), wrong, at(noon)); err == nil || i.Renewals() != 0 {
			t.Errorf("%q was taken: %v", wrong, err)
		}
	}
	g, err := s.Pasted(t.Context(), " "+ended+"\n", at(noon))
	if err != nil || g.Access != "access-token-1" {
		t.Errorf("the address gave %v, %v", g, err)
	}
}
