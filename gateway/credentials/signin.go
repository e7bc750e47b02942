package credentials

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/ctx-mcp/ctx-mcp"
)

// Target is a server to sign in to.
type Target struct {
	URL          string
	ClientID     string // as the operator has registered it; empty: the sign-in registers itself
	ClientSecret string
	Scopes       []string // empty: those that the server asks for
	More         []string // scopes to ask for beside these
	Port         int      // of the address that the browser comes back to; 0: any that is free
}

// SignIn is a sign-in under way.
type SignIn struct {
	Address string // for the user's browser

	target   Target
	handler  *transport.OAuthHandler
	store    *transport.MemoryTokenStore
	meta     *transport.AuthServerMetadata
	listener net.Listener
	state    string
	verifier string
	resource string
	found    *discovery
}

// Begin asks a server who signs its users in, and returns the address at which a user does. It returns CodeDenied where the answers could lead a
// code or a token astray.
func Begin(ctx context.Context, t Target) (*SignIn, error) {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", t.Port))
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the browser cannot come back to port %d of this machine", t.Port).WithCause(err)
	}
	s := &SignIn{target: t, listener: listener, store: transport.NewMemoryTokenStore()}
	if err := s.begin(ctx); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return s, nil
}

func (s *SignIn) begin(ctx context.Context) error {
	client := fenced(s.target.URL)
	challenge, err := challenged(ctx, client, s.target.URL)
	if err != nil {
		return err
	}
	scopes := s.target.Scopes
	if len(scopes) == 0 {
		scopes = ReadChallenge(challenge).Scopes
	}
	s.target.Scopes = union(scopes, s.target.More)
	if err := s.prepare(ctx, client, challenge, s.target.Scopes); err != nil {
		return err
	}
	if len(scopes) == 0 && len(s.found.scopes) > 0 { // the refusal names none: all that the server's description names
		s.target.Scopes = union(union(nil, s.found.scopes), s.target.More)
		if err := s.prepare(ctx, client, challenge, s.target.Scopes); err != nil {
			return err
		}
	}
	if s.target.ClientID == "" {
		if err := s.register(ctx, client, challenge); err != nil {
			return err
		}
	}
	return s.address(ctx)
}

// prepare makes the client of the authorization server, with the scopes that a registration names.
func (s *SignIn) prepare(ctx context.Context, client *http.Client, challenge, scopes []string) (err error) {
	s.found = &discovery{RoundTripper: client.Transport}
	asks := *client
	asks.Transport = s.found
	s.handler = transport.NewOAuthHandler(transport.OAuthConfig{
		ClientID: s.target.ClientID, ClientSecret: s.target.ClientSecret, Scopes: scopes, RedirectURI: s.redirect(),
		PKCEEnabled: true, TokenStore: s.store, HTTPClient: &asks,
	})
	s.handler.SetBaseURL(s.target.URL)
	s.handler.HandleUnauthorizedResponse(&http.Response{Header: http.Header{"Www-Authenticate": challenge}})
	if s.meta, err = s.handler.GetServerMetadata(ctx); err != nil {
		return refused("the server does not say who signs its users in: %s", ctxmcp.Clip(err.Error(), 300))
	}
	return s.check(ctx, client)
}

// register has the authorization server register the program: with the scopes that it will ask for, and where that is refused without them. Some refuse scopes there that
// are of a server and not their own.
func (s *SignIn) register(ctx context.Context, client *http.Client, challenge []string) error {
	err := s.handler.RegisterClient(ctx, "ctx-mcp")
	if err != nil && len(s.target.Scopes) > 0 {
		if again := s.prepare(ctx, client, challenge, nil); again != nil {
			return again
		}
		err = s.handler.RegisterClient(ctx, "ctx-mcp")
	}
	if err != nil {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s does not register this program: %s", s.meta.Issuer, ctxmcp.Clip(err.Error(), 300)).
			WithHint(`register it there with the address %s/callback, and name it in the file of the servers: "oauth": {"client_id": "…", "port": PORT}`, "http://127.0.0.1:PORT")
	}
	return nil
}

func (s *SignIn) redirect() string { return "http://" + s.listener.Addr().String() + "/callback" }

// check returns an error for an authorization server that a code could go astray with: it does not check PKCE, or sends the browser to one place
// and takes the code at another, and the issuer does not confirm that.
func (s *SignIn) check(ctx context.Context, client *http.Client) error {
	if !slices.Contains(s.meta.CodeChallengeMethodsSupported, "S256") {
		return refused("%s does not say that it checks PKCE (S256), without which a code can be stolen", s.meta.Issuer)
	}
	f := fence{local: client.Transport.(fence).local}
	for _, address := range []string{s.meta.AuthorizationEndpoint, s.meta.TokenEndpoint, s.meta.RegistrationEndpoint, s.meta.RevocationEndpoint} {
		if u, err := url.Parse(address); address != "" && (err != nil || !f.lets(u)) {
			return refused("%s names an address that is not one of https", s.meta.Issuer)
		}
	}
	at := origin(s.meta.TokenEndpoint)
	alike := s.meta.RevocationEndpoint == "" || origin(s.meta.RevocationEndpoint) == at
	if origin(s.meta.AuthorizationEndpoint) == at && alike || s.confirmed(ctx, client) {
		return nil
	}
	if origin(s.meta.AuthorizationEndpoint) == at {
		s.meta.RevocationEndpoint = "" // tokens are not told where nobody confirms that they may be
		return nil
	}
	return refused("%s signs users in at %s and takes codes at %s, and does not confirm that itself", s.meta.Issuer, origin(s.meta.AuthorizationEndpoint), at)
}

// confirmed reports whether the issuer itself says what was said in its name (RFC 8414, section 3.3).
func (s *SignIn) confirmed(ctx context.Context, client *http.Client) bool {
	u, err := url.Parse(s.meta.Issuer)
	if err != nil {
		return false
	}
	path := strings.Trim(u.Path, "/")
	for _, known := range []string{"/.well-known/oauth-authorization-server/" + path, "/.well-known/openid-configuration/" + path, "/" + path + "/.well-known/openid-configuration"} {
		var m transport.AuthServerMetadata
		if fetch(ctx, client, origin(s.meta.Issuer)+"/"+strings.Trim(known, "/"), &m) == nil && m.Issuer == s.meta.Issuer {
			return m.AuthorizationEndpoint == s.meta.AuthorizationEndpoint && m.TokenEndpoint == s.meta.TokenEndpoint && m.RevocationEndpoint == s.meta.RevocationEndpoint
		}
	}
	return false
}

func fetch(ctx context.Context, client *http.Client, address string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	return json.NewDecoder(response.Body).Decode(into)
}

// address sets the address for the browser.
func (s *SignIn) address(ctx context.Context) (err error) {
	if s.state, err = transport.GenerateState(); err != nil {
		return err
	}
	if s.verifier, err = transport.GenerateCodeVerifier(); err != nil {
		return err
	}
	if s.Address, err = s.handler.GetAuthorizationURL(ctx, s.state, transport.GenerateCodeChallenge(s.verifier)); err != nil {
		return err
	}
	u, err := url.Parse(s.Address)
	if err != nil {
		return err
	}
	q := u.Query()
	if s.resource = q.Get("resource"); len(s.target.Scopes) > 0 {
		q.Set("scope", strings.Join(s.target.Scopes, " "))
		u.RawQuery = q.Encode()
		s.Address = u.String()
	}
	return nil
}

// Wait returns what the sign-in gives, once the browser has come back. Answers to anything else than this sign-in are refused, and it goes on waiting.
func (s *SignIn) Wait(ctx context.Context, now func() time.Time) (Grant, error) {
	came := make(chan url.Values, 1)
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: s.callback(came)}
	go func() { _ = server.Serve(s.listener) }() // it ends with the sign-in
	defer func() {
		rest, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastPage)
		defer cancel()
		_ = errors.Join(server.Shutdown(rest), server.Close()) // the browser gets its page first
	}()
	select {
	case q := <-came:
		return s.exchange(ctx, q, now)
	case <-ctx.Done():
		return Grant{}, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "nobody has signed in").WithHint("run the command again")
	}
}

// Pasted returns the answer of the sign-in, once the user has brought the address at which the browser ended: on another machine than this, it shows an error
// there, and the address holds the answer all the same. It returns CodeInvalid for an address that is not the answer to this sign-in; the user can try again.
func (s *SignIn) Pasted(ctx context.Context, address string, now func() time.Time) (Grant, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || !u.Query().Has("code") && !u.Query().Has("error") {
		return Grant{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "this is not the whole address at which the browser ended: it begins with %s?", s.redirect())
	}
	if !s.isMine(u.Query()) {
		return Grant{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "this is not the answer to the sign-in that was begun here")
	}
	return s.exchange(ctx, u.Query(), now)
}

// isMine reports whether an answer is that to this sign-in.
func (s *SignIn) isMine(q url.Values) bool {
	return subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(s.state)) == 1
}

// Scopes returns the scopes that the sign-in asks for; none where it leaves them to the authorization server.
func (s *SignIn) Scopes() []string { return slices.Clone(s.target.Scopes) }

// lastPage is how long the browser's page may take.
const lastPage = 2 * time.Second

// callback takes the browser's return. The page that it shows holds nothing of what came.
func (s *SignIn) callback(came chan<- url.Values) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		w.Header().Set("Referrer-Policy", "no-referrer")
		q := r.URL.Query()
		switch {
		case r.Method != http.MethodGet || r.URL.Path != "/callback" || r.Host != s.listener.Addr().String():
			http.Error(w, "There is nothing here.", http.StatusNotFound)
		case !s.isMine(q):
			http.Error(w, "This is not the answer to the sign-in that ctx-mcp began. Sign in with the address that it printed.", http.StatusBadRequest)
		default:
			fmt.Fprintln(w, "ctx-mcp has the answer. You can close this page; the terminal says how it went on.")
			select {
			case came <- q:
			default: // it came before
			}
		}
	})
}

// exchange takes the code to the authorization server that gave it.
func (s *SignIn) exchange(ctx context.Context, q url.Values, now func() time.Time) (Grant, error) {
	iss := q.Get("iss")
	if iss == "" && s.found.names {
		return Grant{}, refused("the answer does not name its authorization server, and those of %s do; nothing was sent to it", s.meta.Issuer)
	}
	if iss != "" && iss != s.meta.Issuer { // character by character (RFC 9207, section 2.4)
		return Grant{}, refused("the answer is of another authorization server than %s; nothing was sent to it", s.meta.Issuer)
	}
	if why := q.Get("error"); why != "" {
		return Grant{}, refused("%s refused the sign-in: %s", s.meta.Issuer, ctxmcp.Clip(why, 100))
	}
	if err := s.handler.ProcessAuthorizationResponse(ctx, q.Get("code"), q.Get("state"), s.verifier); err != nil {
		return Grant{}, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s gave no token for the sign-in", s.meta.Issuer).WithCause(err)
	}
	token, err := s.store.GetToken(ctx)
	if err != nil {
		return Grant{}, err
	}
	if token.AccessToken == "" || token.TokenType != "" && !strings.EqualFold(token.TokenType, "bearer") {
		return Grant{}, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s gave no bearer token for the sign-in", s.meta.Issuer)
	}
	g := Grant{
		Server: s.target.URL, Issuer: s.meta.Issuer, TokenEndpoint: s.meta.TokenEndpoint, Revocation: s.meta.RevocationEndpoint, Resource: s.resource, Scopes: s.target.Scopes,
		ClientID: s.handler.GetClientID(), ClientSecret: s.handler.GetClientSecret(), Basic: s.basic(),
	}
	if granted := union(nil, strings.Fields(token.Scope)); len(granted) > 0 {
		g.Scopes = granted
	}
	return g.next(answer{Access: token.AccessToken, Refresh: token.RefreshToken, Seconds: token.ExpiresIn}, now()), nil
}

// basic reports whether the secret of the client goes in a header, as the library decides it.
func (s *SignIn) basic() bool {
	const basic, post = "client_secret_basic", "client_secret_post"
	if s.handler.GetClientSecret() == "" {
		return false
	}
	if method := s.handler.GetTokenEndpointAuthMethod(); method != "" {
		return method == basic
	}
	can := s.meta.TokenEndpointAuthMethodsSupported
	return slices.Contains(can, basic) && !slices.Contains(can, post)
}

// Close ends a sign-in that nobody waits for.
func (s *SignIn) Close() error { return s.listener.Close() }
