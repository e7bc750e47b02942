package oauth

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/ctx-mcp/ctx-mcp"
)

// Options configures a Verifier. Issuer, Audience and Now are required.
type Options struct {
	Issuer   string // identifier of the authorization server, as its tokens and its metadata have it
	Audience string // identifier of this resource, which aud must hold (RFC 8707)
	KeysURL  string // of the key set; default: as the metadata of the issuer names it
	Claims   Claims

	// Introspection is the URL of the introspection endpoint (RFC 7662). With it each token is asked for there, and none is read here.
	Introspection          string
	ClientID, ClientSecret string // of this resource, at that endpoint

	Client *http.Client // default: one with a time limit, which follows no redirect
	Now    func() time.Time
}

// Verifier checks access tokens. It is safe for concurrent use.
type Verifier struct {
	o     Options
	http  fetcher
	keys  *keySet
	known *answers
}

// New returns a Verifier. It asks the issuer for nothing until a token needs it.
func New(o Options) *Verifier {
	v := &Verifier{o: o, http: fetcher{cmp.Or(o.Client, defaultClient())}, known: newAnswers()}
	v.keys = &keySet{load: v.loadKeys, now: o.Now}
	return v
}

// leeway is how far the clock of the issuer may be from ours.
const leeway = 30 * time.Second

// maxToken bounds a token that is read, in bytes.
const maxToken = 16 << 10

// algorithms are those that a token may be signed with: all of them have a public key.
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

// types are the values of typ of an access token, in lower case (RFC 9068, section 4; JWT for servers that came before it).
var types = []string{"at+jwt", "application/at+jwt", "jwt"}

// Authenticate returns the caller that the bearer of an access token acts as, and the scopes of the token. It returns a
// CodeDenied Error for a token that does not count here, and CodeUnavailable if the issuer cannot be asked.
func (v *Verifier) Authenticate(ctx context.Context, bearer string) (ctxmcp.Caller, []string, error) {
	if len(bearer) > maxToken {
		return ctxmcp.Caller{}, nil, denied(errors.New("it is too long"))
	}
	read := v.verify
	if v.o.Introspection != "" {
		read = v.introspect
	}
	claims, err := read(ctx, bearer)
	if err != nil {
		return ctxmcp.Caller{}, nil, err
	}
	caller, err := v.o.Claims.caller(claims)
	if err != nil {
		return ctxmcp.Caller{}, nil, denied(misfit{err})
	}
	return caller, scopes(claims), nil
}

// verify returns the claims of a token in JWT form (RFC 9068, section 4).
func (v *Verifier) verify(ctx context.Context, bearer string) (claimSet, error) {
	standard, raw, err := v.signed(ctx, bearer, func(typ string) bool { return slices.Contains(types, typ) })
	if err != nil {
		return nil, err
	}
	return v.admit(standard, raw, true)
}

// signed returns the claims of a JWT that a key of the issuer has signed, whatever they say. is tells whether its type, in lower case and "" for
// none, is the right one.
func (v *Verifier) signed(ctx context.Context, text string, is func(typ string) bool) (standard jwt.Claims, raw json.RawMessage, err error) {
	token, err := jwt.ParseSigned(text, algorithms)
	if err != nil || len(token.Headers) != 1 {
		return standard, nil, denied(errors.New("it is no JWT that is signed with a public key"))
	}
	header := token.Headers[0]
	if typ, _ := header.ExtraHeaders[jose.HeaderType].(string); !is(strings.ToLower(typ)) {
		return standard, nil, denied(errors.New("its type is another one"))
	}
	keys, err := v.keys.find(ctx, header.KeyID, header.Algorithm)
	if err != nil {
		return standard, nil, err
	}
	for _, key := range keys {
		if token.Claims(key, &standard, &raw) == nil {
			return standard, raw, nil
		}
	}
	return standard, nil, denied(errors.New("no key of the issuer has signed it"))
}

// admit returns the claims in raw, unless they are of another issuer, for another audience, or of another time.
// strict refuses claims without issuer or end, which an introspection endpoint may leave out.
func (v *Verifier) admit(standard jwt.Claims, raw []byte, strict bool) (claimSet, error) {
	return v.admitFor(v.o.Audience, standard, raw, strict)
}

// admitFor is admit for another audience.
func (v *Verifier) admitFor(audience string, standard jwt.Claims, raw []byte, strict bool) (claimSet, error) {
	expected := jwt.Expected{AnyAudience: jwt.Audience{audience}, Time: v.o.Now()}
	if strict || standard.Issuer != "" {
		expected.Issuer = v.o.Issuer
	}
	if strict && standard.Expiry == nil {
		return nil, denied(errors.New("it has no end"))
	}
	if err := standard.ValidateWithLeeway(expected, leeway); err != nil {
		return nil, denied(fault(err, audience, v.o.Issuer))
	}
	var claims claimSet
	if err := json.Unmarshal(raw, &claims); err != nil {
		return nil, denied(errors.New("its claims are no object"))
	}
	return claims, nil
}

// fault words why the claims of a token do not count here.
func fault(err error, audience, issuer string) error {
	switch {
	case errors.Is(err, jwt.ErrInvalidAudience):
		return misfit{fmt.Errorf("none of its audiences is %s", audience)}
	case errors.Is(err, jwt.ErrInvalidIssuer):
		return misfit{fmt.Errorf("its issuer is not %s", issuer)}
	}
	return err
}

// misfit is the fault of a token that the issuer has made, and that was not made for this configuration.
type misfit struct{ error }

// Misfits reports whether a token was refused for its audience, its issuer or its claims, although the issuer vouches for it: it was asked for wrongly, or
// auth.oauth is not what the issuer does.
func Misfits(err error) bool {
	_, is := errors.AsType[misfit](err)
	return is
}

// Reach asks the issuer for its keys, or the introspection endpoint about no token, and returns why it cannot.
func (v *Verifier) Reach(ctx context.Context) error {
	if v.o.Introspection != "" {
		_, err := v.ask(ctx, "none")
		return err
	}
	set, err := v.loadKeys(ctx)
	if err == nil && len(set) == 0 {
		return errors.New("the issuer has no public key for signatures")
	}
	return err
}

// denied returns the one answer to any token that does not count. why is for the log.
func denied(why error) error {
	return ctxmcp.Errorf(ctxmcp.CodeDenied, "the bearer token is not valid").
		WithHint("ask the authorization server for a new one").WithCause(why)
}

func unavailable(why error) error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "tokens cannot be checked at the moment").WithHint("try again").
		WithCause(fmt.Errorf("ask the issuer: %w", why))
}
