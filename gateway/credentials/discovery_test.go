package credentials

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/gateway/credentials/issuertest"
)

// TestSignInFinds: a sign-in finds the authorization server and the scopes wherever the specification lets a server say them.
func TestSignInFinds(t *testing.T) {
	for _, tt := range []struct {
		name   string
		set    func(i *issuertest.Issuer)
		scopes []string
	}{
		{"in the refusal", func(*issuertest.Issuer) {}, []string{"notes:read"}},
		{"a server that greets everybody", func(i *issuertest.Issuer) { i.Greets = true }, []string{"notes:read"}},
		{"at the root of the host", func(i *issuertest.Issuer) { i.AtRoot = true }, nil},
		{"scopes in the server's metadata alone", func(i *issuertest.Issuer) { i.Offers = []string{"notes:read", "notes:list"} }, []string{"notes:list", "notes:read"}},
		{"scopes at the root", func(i *issuertest.Issuer) { i.AtRoot, i.Offers = true, []string{"notes:list"} }, []string{"notes:list"}},
		{"no scopes anywhere", func(i *issuertest.Issuer) { i.Offers = []string{} }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			i := issuertest.New(t)
			tt.set(i)
			s, err := Begin(t.Context(), Target{URL: i.MCP.URL + "/mcp"})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			u, err := url.Parse(s.Address)
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Sorted(slices.Values(strings.Fields(u.Query().Get("scope")))); !slices.Equal(got, tt.scopes) {
				t.Errorf("the sign-in asks for %q, want %q", got, tt.scopes)
			}
			if got := u.Query().Get("resource"); got != i.MCP.URL+"/mcp" {
				t.Errorf("the sign-in is for %q", got)
			}
		})
	}
}

// TestSignInNamesItsIssuer: where the authorization server says that its answers name it, one that does not is refused, and one that names it nearly.
func TestSignInNamesItsIssuer(t *testing.T) {
	for _, tt := range []struct {
		iss   func(i *issuertest.Issuer) string
		names bool
		fails string
	}{
		{func(i *issuertest.Issuer) string { return i.URL }, true, ""},
		{func(i *issuertest.Issuer) string { return i.URL }, false, ""},
		{func(*issuertest.Issuer) string { return "" }, false, ""},
		{func(*issuertest.Issuer) string { return "" }, true, "does not name its authorization server"},
		{func(i *issuertest.Issuer) string { return i.URL + "/" }, true, "of another authorization server"},
		{func(i *issuertest.Issuer) string { return strings.ToUpper(i.URL) }, false, "of another authorization server"},
	} {
		i := issuertest.New(t)
		i.Iss = tt.iss(i)
		i.Change = func(meta map[string]any) { meta["authorization_response_iss_parameter_supported"] = tt.names }
		s, err := Begin(t.Context(), Target{URL: i.MCP.URL + "/mcp"})
		if err != nil {
			t.Fatal(err)
		}
		went := make(chan int, 1)
		go func() { went <- issuertest.Browse(t, s.Address) }()
		_, err = s.Wait(t.Context(), at(noon))
		if (err == nil) != (tt.fails == "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("an answer with iss %q, promised %v: %v, want %q", i.Iss, tt.names, err, tt.fails)
		}
		if code := <-went; code != http.StatusOK {
			t.Errorf("the browser ended with %d", code)
		}
	}
}
