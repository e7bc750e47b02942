package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"
	"golang.org/x/time/rate"
)

const (
	knownFor = time.Minute // an answer counts: so long can a token count that was withdrawn
	maxKnown = 4096        // answers that are kept

	// Questions about tokens that no answer has called active before, a second and at once. Whoever sends made-up tokens costs the endpoint no more,
	// and keeps nobody out whose token is known.
	askRate, askBurst = 20, 100
)

// answers remembers what the introspection endpoint said, by digests of tokens.
type answers struct {
	mu    sync.Mutex
	all   map[[sha256.Size]byte]answer
	fresh *rate.Limiter // of questions about tokens that are not known
}

type answer struct {
	text   json.RawMessage
	until  time.Time
	active bool
}

func newAnswers() *answers {
	return &answers{all: map[[sha256.Size]byte]answer{}, fresh: rate.NewLimiter(askRate, askBurst)}
}

func (a *answers) find(token string, now time.Time) json.RawMessage {
	a.mu.Lock()
	defer a.mu.Unlock()
	known, ok := a.all[sha256.Sum256([]byte(token))]
	if !ok || !now.Before(known.until) {
		return nil
	}
	return known.text
}

// mayAsk reports whether the endpoint may be asked about a token now.
func (a *answers) mayAsk(token string, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.all[sha256.Sum256([]byte(token))].active || a.fresh.AllowN(now, 1)
}

func (a *answers) keep(token string, text json.RawMessage, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, goes := range []func(answer) bool{
		func(known answer) bool { return !known.active },
		func(known answer) bool { return !now.Before(known.until) },
		func(answer) bool { return true }, // all of them count: a token more costs a question more
	} {
		if len(a.all) < maxKnown {
			break
		}
		maps.DeleteFunc(a.all, func(_ [sha256.Size]byte, known answer) bool { return goes(known) })
	}
	a.all[sha256.Sum256([]byte(token))] = answer{text, now.Add(knownFor), isActive(text)}
}

// introspect returns the claims of a token as the introspection endpoint tells them. The audience is checked as that of a JWT is.
func (v *Verifier) introspect(ctx context.Context, bearer string) (claimSet, error) {
	text := v.known.find(bearer, v.o.Now())
	if text == nil {
		asked := v.o.Now()
		if !v.known.mayAsk(bearer, asked) {
			return nil, unavailable(errors.New("too many unknown tokens at the moment"))
		}
		var err error
		if text, err = v.ask(ctx, bearer); err != nil {
			return nil, unavailable(err)
		}
		v.known.keep(bearer, text, asked)
	}
	var is struct {
		Active bool `json:"active"`
		jwt.Claims
	}
	if err := json.Unmarshal(text, &is); err != nil || !is.Active {
		return nil, denied(errors.New("the authorization server says that it is not active"))
	}
	return v.admit(is.Claims, text, false)
}

// ask puts the question about a token (RFC 7662, section 2.1).
func (v *Verifier) ask(ctx context.Context, bearer string) (text json.RawMessage, err error) {
	form := url.Values{"token": {bearer}, "token_type_hint": {"access_token"}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, v.o.Introspection, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth(url.QueryEscape(v.o.ClientID), url.QueryEscape(v.o.ClientSecret)) // RFC 6749, section 2.3.1
	var is struct {
		Active *bool `json:"active"`
	}
	if err := v.http.do(request, &text); err != nil {
		return nil, err
	}
	if json.Unmarshal(text, &is) != nil || is.Active == nil {
		return nil, errors.New("the introspection endpoint does not say whether the token is active")
	}
	return text, nil
}

func isActive(text json.RawMessage) bool {
	var is struct {
		Active bool `json:"active"`
	}
	return json.Unmarshal(text, &is) == nil && is.Active
}
