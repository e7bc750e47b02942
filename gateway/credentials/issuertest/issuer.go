// Package issuertest is an authorization server and the MCP server that it signs users in to, on loopback, for tests, with faults on request.
package issuertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"
)

// Issuer is an authorization server, and the server that it signs users in to. Codes and refresh tokens are good for one use. The fields are set
// while nobody asks.
type Issuer struct {
	*httptest.Server
	MCP *httptest.Server

	Inner      http.Handler              // answers at /mcp who has a token that is good; nil: with an empty answer
	Change     func(meta map[string]any) // of the metadata
	Iss        string                    // in the answer to the browser
	Resource   string                    // that the server's metadata names; empty: its own address
	Seconds    int                       // that a token lasts
	Down       bool                      // the token endpoint fails
	Over       bool                      // refresh tokens are refused
	Redirected string                    // where the token endpoint sends those who ask
	Needs      string                    // a scope without which the server refuses requests that hold its name, and says so
	Strict     bool                      // it registers nobody who names scopes
	Greets     bool                      // the server answers initialize to everybody
	AtRoot     bool                      // the server's metadata is at the root of its host alone
	Offers     []string                  // scopes in the server's metadata; its refusals name none then
	Keeps      string                    // the kind of token that cannot be revoked: access_token, refresh_token, both

	mu       sync.Mutex
	codes    map[string]url.Values // by code: what the browser brought
	refresh  string                // the one that is good
	scope    string                // of the sign-in that it belongs to
	good     map[string]string     // access tokens, with their scopes
	renewals int
}

// New starts an issuer for a test.
func New(t *testing.T) *Issuer {
	t.Helper()
	i := &Issuer{codes: map[string]url.Values{}, good: map[string]string{}, Seconds: 3600}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/oauth-authorization-server", i.metadata)
	mux.HandleFunc("/register", func(w http.ResponseWriter, r *http.Request) {
		var asked map[string]any
		if json.NewDecoder(r.Body).Decode(&asked) != nil {
			http.Error(w, "no JSON", http.StatusBadRequest)
			return
		}
		if i.Strict && asked["scope"] != nil {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":"invalid_client_metadata"}`)
			return
		}
		if asked["token_endpoint_auth_method"] != "none" || asked["application_type"] != "native" {
			http.Error(w, "no public client on a user's machine", http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"client_id":"registered-1"}`)
	})
	mux.HandleFunc("/authorize", i.authorize)
	mux.HandleFunc("/token", i.token)
	mux.HandleFunc("/revoke", i.revoke)
	i.Server = httptest.NewUnstartedServer(mux)
	i.Start() // once it is told of itself
	t.Cleanup(i.Close)
	i.MCP = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, resourcePath) {
			i.describe(w, r)
			return
		}
		if !i.lets(r.Header.Get("Authorization")) && !i.greets(r) {
			challenge := fmt.Sprintf(`Bearer resource_metadata="%s/.well-known/oauth-protected-resource/mcp", scope="notes:read"`, i.MCP.URL)
			if i.AtRoot || i.Offers != nil {
				challenge = "Bearer"
			}
			w.Header().Set("WWW-Authenticate", challenge)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if i.needsMore(r) {
			w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer error="insufficient_scope", error_description="you want scope=\"all\"", scope="%s"`, i.Needs))
			w.WriteHeader(http.StatusForbidden)
			return
		}
		if i.Inner != nil {
			i.Inner.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(i.MCP.Close)
	return i
}

const resourcePath = "/.well-known/oauth-protected-resource"

// describe answers with the metadata of the server.
func (i *Issuer) describe(w http.ResponseWriter, r *http.Request) {
	meta := map[string]any{"resource": i.MCP.URL + "/mcp", "authorization_servers": []string{i.URL}}
	if i.Resource != "" {
		meta["resource"] = i.Resource
	}
	if i.Offers != nil {
		meta["scopes_supported"] = i.Offers
	}
	if i.AtRoot != (r.URL.Path == resourcePath) {
		http.NotFound(w, r)
		return
	}
	_ = json.NewEncoder(w).Encode(meta)
}

// greets reports whether a request is one that everybody gets an answer to.
func (i *Issuer) greets(r *http.Request) bool {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return err == nil && i.Greets && bytes.Contains(body, []byte(`"initialize"`))
}

func (i *Issuer) metadata(w http.ResponseWriter, _ *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	meta := map[string]any{
		"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "registration_endpoint": i.URL + "/register", "revocation_endpoint": i.URL + "/revoke",
		"code_challenge_methods_supported": []string{"S256"}, "response_types_supported": []string{"code"},
	}
	if i.Change != nil {
		i.Change(meta)
	}
	_ = json.NewEncoder(w).Encode(meta)
}

// authorize lets everybody in, and sends the browser back.
func (i *Issuer) authorize(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	q := r.URL.Query()
	code := fmt.Sprintf("code-%d", len(i.codes)+1)
	i.codes[code] = q
	back := url.Values{"code": {code}, "state": {q.Get("state")}}
	if i.Iss != "" {
		back.Set("iss", i.Iss)
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	refuse := func(why string) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"error":%q}`, why)
	}
	if i.Redirected != "" {
		http.Redirect(w, r, i.Redirected, http.StatusTemporaryRedirect)
		return
	}
	if err := r.ParseForm(); err != nil || i.Down {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	switch asked := i.codes[r.Form.Get("code")]; {
	case r.Form.Get("resource") != i.MCP.URL+"/mcp" || r.Form.Get("client_id") != "registered-1":
		refuse("invalid_target")
		return
	case r.Form.Get("grant_type") == "authorization_code":
		if asked == nil || asked.Get("code_challenge") != transport.GenerateCodeChallenge(r.Form.Get("code_verifier")) ||
			asked.Get("code_challenge_method") != "S256" || asked.Get("redirect_uri") != r.Form.Get("redirect_uri") {
			refuse("invalid_grant")
			return
		}
	case i.Over || r.Form.Get("refresh_token") != i.refresh || i.refresh == "":
		refuse("invalid_grant")
		return
	}
	i.renewals++
	access := fmt.Sprintf("access-token-%d", i.renewals)
	if asked := i.codes[r.Form.Get("code")]; asked != nil {
		i.scope = asked.Get("scope")
		delete(i.codes, r.Form.Get("code"))
	}
	i.good[access], i.refresh = i.scope, fmt.Sprintf("refresh-token-%d", i.renewals)
	fmt.Fprintf(w, `{"access_token":%q,"refresh_token":%q,"token_type":"Bearer","expires_in":%d}`, access, i.refresh, i.Seconds)
}

func (i *Issuer) lets(authorization string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	_, good := i.good[strings.TrimPrefix(authorization, "Bearer ")]
	return good
}

// needsMore reports whether a request holds the name of the scope that its token has not.
func (i *Issuer) needsMore(r *http.Request) bool {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	i.mu.Lock()
	defer i.mu.Unlock()
	has := strings.Fields(i.good[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")])
	return err == nil && i.Needs != "" && bytes.Contains(body, []byte(i.Needs)) && !slices.Contains(has, i.Needs)
}

// revoke makes a token worthless, of a kind that it revokes.
func (i *Issuer) revoke(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if err := r.ParseForm(); err != nil || i.Down || r.Form.Get("client_id") != "registered-1" {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	token, kind := r.Form.Get("token"), r.Form.Get("token_type_hint")
	if i.Keeps == kind || i.Keeps == "both" {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":"unsupported_token_type"}`)
		return
	}
	delete(i.good, token)
	if token == i.refresh {
		i.refresh = ""
	}
}

// Good reports whether a token still counts.
func (i *Issuer) Good(token string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	_, access := i.good[token]
	return access || token != "" && token == i.refresh
}

// Revoke makes an access token worthless.
func (i *Issuer) Revoke(token string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.good, token)
}

// Renewals returns how many tokens were given.
func (i *Issuer) Renewals() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.renewals
}

// Scopes returns the scopes that browsers brought whose codes were not used.
func (i *Issuer) Scopes() (all []string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, q := range i.codes {
		all = append(all, strings.Fields(q.Get("scope"))...)
	}
	slices.Sort(all)
	return all
}

// Browse follows an address as a browser does, and returns the status of the last page.
func Browse(t *testing.T, address string) int {
	t.Helper()
	got, err := http.Get(address)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer got.Body.Close()
	return got.StatusCode
}
