package oauth

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/ctx-mcp/ctx-mcp"
)

// SignInOptions names this server as a client of the issuer. ClientID, Scopes and Return are required.
type SignInOptions struct {
	ClientID     string
	ClientSecret string // "": a public client
	Scopes       string // that are asked for, with spaces; openid among them
	Return       string // URL that a browser comes back to, as it is registered at the issuer
}

// SignIn signs people in at the issuer: the authorization code flow of OpenID Connect Core, section 3.1, with PKCE (RFC 7636). It keeps nothing of a
// flow: all that must match is derived from a secret that the browser alone keeps meanwhile. It is safe for concurrent use.
type SignIn struct {
	v     *Verifier
	o     SignInOptions
	codes *rate.Limiter // codes that are taken to the issuer

	mu     sync.Mutex
	said   metadata
	loaded time.Time // when said was
}

// NewSignIn returns a SignIn whose claims make the same callers as those of access tokens that v checks.
func NewSignIn(v *Verifier, o SignInOptions) *SignIn {
	return &SignIn{v: v, o: o, codes: rate.NewLimiter(askRate, askBurst)}
}

// The words that are derived from the secret of a flow.
const (
	stateWord    = "state"
	nonceWord    = "nonce"
	verifierWord = "code_verifier"
)

// derived returns one of the words of a flow. Nobody who knows one of them knows another.
func derived(secret, word string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(word))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Begin returns the address at the issuer where a browser goes to sign in. anew has the issuer ask for a password even if it knows the browser. It
// returns CodeUnavailable if the issuer cannot be asked for its addresses.
func (s *SignIn) Begin(ctx context.Context, secret string, anew bool) (string, error) {
	m, err := s.metadata(ctx)
	if err != nil {
		return "", err
	}
	to, err := url.Parse(m.Authorization)
	if err != nil {
		return "", s.unreachable(err)
	}
	challenge := sha256.Sum256([]byte(derived(secret, verifierWord)))
	q := to.Query()
	for name, value := range map[string]string{
		"response_type": "code", "client_id": s.o.ClientID, "redirect_uri": s.o.Return, "scope": s.o.Scopes,
		"state": derived(secret, stateWord), "nonce": derived(secret, nonceWord),
		"code_challenge": base64.RawURLEncoding.EncodeToString(challenge[:]), "code_challenge_method": "S256",
	} {
		q.Set(name, value)
	}
	if anew {
		q.Set("prompt", "login")
	}
	to.RawQuery = q.Encode()
	return to.String(), nil
}

// Finish returns who has signed in, by the answer that the issuer sent with the browser. It returns CodeDenied for an answer to another flow or of
// another issuer, for a sign-in that was refused, and for somebody without a tenant or a user here; CodeUnavailable if the issuer cannot be asked.
func (s *SignIn) Finish(ctx context.Context, secret string, answer url.Values) (by ctxmcp.Caller, err error) {
	if !s.mine(secret, answer) {
		return by, refused("this is not the answer to the sign-in that this browser began last").WithHint("sign in once more")
	}
	m, err := s.metadata(ctx)
	if err != nil {
		return by, err
	}
	if iss := answer.Get("iss"); iss != s.v.o.Issuer && (iss != "" || m.NamesIssuer) { // RFC 9207, section 2.4
		return by, refused("the answer is of another authorization server than %s", s.v.o.Issuer).
			WithHint("its code was sent to nobody; sign in once more, and if this comes again, tell whoever runs this server")
	}
	if answer.Has("error") {
		return by, s.turnedAway(answer.Get("error"))
	}
	if !s.codes.AllowN(s.v.o.Now(), 1) {
		return by, s.unreachable(errors.New("too many codes at the moment"))
	}
	tokens, err := s.redeem(ctx, m, answer.Get("code"), derived(secret, verifierWord))
	if err != nil {
		return by, err
	}
	claims, err := s.identity(ctx, tokens.ID, derived(secret, nonceWord))
	if err == nil {
		err = s.complete(ctx, m, tokens.Access, claims)
	}
	if err != nil {
		return by, err
	}
	if by, err = s.v.o.Claims.caller(claims); err != nil {
		return ctxmcp.Caller{}, refused("your account at %s opens nothing here: %v", s.v.o.Issuer, err).
			WithHint("ask whoever runs this server to let you in there")
	}
	return by, nil
}

// mine reports whether an answer is to the flow of a secret. A parameter that comes twice could be read in two ways (RFC 6749, section 3.1).
func (s *SignIn) mine(secret string, answer url.Values) bool {
	for _, name := range []string{"state", "code", "iss", "error"} {
		if len(answer[name]) > 1 {
			return false
		}
	}
	return subtle.ConstantTimeCompare([]byte(answer.Get("state")), []byte(derived(secret, stateWord))) == 1
}

// metadata returns what the issuer says of itself, as it said lately.
func (s *SignIn) metadata(ctx context.Context) (metadata, error) {
	s.mu.Lock()
	said, loaded := s.said, s.loaded
	s.mu.Unlock()
	if !loaded.IsZero() && s.v.o.Now().Sub(loaded) < refreshAfter {
		return said, nil
	}
	said, err := s.v.discover(ctx)
	for _, address := range []string{said.Authorization, said.Token} {
		if err == nil {
			err = CheckURL(address)
		}
	}
	if err != nil {
		return metadata{}, s.unreachable(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said, s.loaded = said, s.v.o.Now()
	return said, nil
}

// given are the tokens of a sign-in.
type given struct {
	ID     string `json:"id_token"`
	Access string `json:"access_token"`
}

// redeem takes a code to the token endpoint (RFC 6749, section 4.1.3).
func (s *SignIn) redeem(ctx context.Context, m metadata, code, verifier string) (tokens given, err error) {
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {s.o.Return}, "code_verifier": {verifier}}
	inForm := !slices.Contains(m.TokenAuth, "client_secret_basic") && slices.Contains(m.TokenAuth, "client_secret_post")
	if s.o.ClientSecret == "" || inForm {
		form.Set("client_id", s.o.ClientID)
	}
	if s.o.ClientSecret != "" && inForm {
		form.Set("client_secret", s.o.ClientSecret)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.Token, strings.NewReader(form.Encode()))
	if err != nil {
		return tokens, s.unreachable(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if s.o.ClientSecret != "" && !inForm {
		request.SetBasicAuth(url.QueryEscape(s.o.ClientID), url.QueryEscape(s.o.ClientSecret)) // RFC 6749, section 2.3.1
	}
	status, text, err := s.v.http.send(request)
	switch {
	case err != nil:
		return tokens, s.unreachable(err)
	case status == http.StatusBadRequest && errorOf(text) == "invalid_grant":
		return tokens, refused("%s does not take this code: it was used before, or is too old", s.v.o.Issuer).WithHint("sign in once more")
	case status != http.StatusOK:
		return tokens, s.unreachable(errors.New("the token endpoint answers " + http.StatusText(status) + " " + named(errorOf(text))))
	case json.Unmarshal(text, &tokens) != nil || tokens.ID == "":
		return tokens, s.unreachable(errors.New("the token endpoint gives no ID token"))
	}
	return tokens, nil
}

// identity returns the claims of an ID token (OpenID Connect Core, section 3.1.3.7).
func (s *SignIn) identity(ctx context.Context, text, nonce string) (claimSet, error) {
	if len(text) > maxToken {
		return nil, s.stranger(errors.New("it is too long"))
	}
	standard, raw, err := s.v.signed(ctx, text, func(typ string) bool { return typ == "" || typ == "jwt" })
	if ctxmcp.CodeOf(err) == ctxmcp.CodeUnavailable {
		return nil, err
	}
	var own struct {
		Nonce   string `json:"nonce"`
		Azp     string `json:"azp"`
		Subject string `json:"sub"`
	}
	var claims claimSet
	if err == nil {
		claims, err = s.v.admitFor(s.o.ClientID, standard, raw, true)
	}
	if err == nil {
		err = json.Unmarshal(raw, &own)
	}
	switch {
	case err != nil:
		return nil, s.stranger(err)
	case own.Azp != "" && own.Azp != s.o.ClientID, own.Azp == "" && len(standard.Audience) > 1:
		return nil, s.stranger(errors.New("it was made for another client"))
	case subtle.ConstantTimeCompare([]byte(own.Nonce), []byte(nonce)) != 1:
		return nil, s.stranger(errors.New("its nonce is of another sign-in"))
	case own.Subject == "":
		return nil, s.stranger(errors.New("it names nobody"))
	}
	return claims, nil
}

// complete adds claims that the ID token lacks, where the issuer tells them at its userinfo endpoint alone (OpenID Connect Core, section 5.3).
func (s *SignIn) complete(ctx context.Context, m metadata, access string, claims claimSet) error {
	c := s.v.o.Claims
	wanted := []string{c.User, c.Roles, c.Clearance, c.Projects}
	if c.FixedTenant == "" {
		wanted = append(wanted, c.Tenant)
	}
	if m.UserInfo == "" || access == "" || !slices.ContainsFunc(wanted, func(name string) bool { return name != "" && claims.find(name) == nil }) {
		return nil
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, m.UserInfo, nil)
	if err != nil {
		return s.unreachable(err)
	}
	request.Header.Set("Authorization", "Bearer "+access)
	var more claimSet
	if err := s.v.http.do(request, &more); err != nil {
		return s.unreachable(err)
	}
	if more.word("sub") != claims.word("sub") {
		return s.stranger(errors.New("userinfo is of somebody else"))
	}
	for name, value := range more {
		if _, there := claims[name]; !there {
			claims[name] = value
		}
	}
	return nil
}

// turnedAway says that the issuer did not sign somebody in.
func (s *SignIn) turnedAway(why string) error {
	if why == "temporarily_unavailable" || why == "server_error" {
		return s.unreachable(errors.New(why))
	}
	return refused("%s did not sign you in: %s", s.v.o.Issuer, named(why)).WithHint("sign in once more, or ask whoever runs that server")
}

// errorCodes are the errors of RFC 6749, sections 4.1.2.1 and 5.2, and of OpenID Connect Core, section 3.1.2.6, that are repeated to people.
var errorCodes = []string{
	"access_denied", "invalid_request", "unauthorized_client", "unsupported_response_type", "invalid_scope", "interaction_required", "login_required",
	"account_selection_required", "consent_required", "invalid_client", "invalid_grant", "unsupported_grant_type",
}

// named returns a code of an error, if it is one: an answer has no other words on a page or in the log.
func named(code string) string {
	if slices.Contains(errorCodes, code) {
		return code
	}
	return "an error without a known name"
}

func errorOf(text []byte) string {
	var is struct{ Error string }
	if json.Unmarshal(text, &is) != nil {
		return ""
	}
	return is.Error
}

func refused(format string, args ...any) *ctxmcp.Error {
	return ctxmcp.Errorf(ctxmcp.CodeDenied, format, args...)
}

// stranger says that an identity does not count. why is for the log.
func (s *SignIn) stranger(why error) error {
	return refused("the identity that %s gave does not count for this sign-in", s.v.o.Issuer).
		WithHint("sign in once more; the log of this server says why").WithCause(why)
}

func (s *SignIn) unreachable(why error) error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s cannot be asked who you are at the moment", s.v.o.Issuer).
		WithHint("try again; the log of this server says why").WithCause(why)
}
