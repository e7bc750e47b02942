package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"
)

const (
	knownFor = time.Minute // an answer counts: so long can a token count that was withdrawn
	maxKnown = 4096        // answers that are kept
)

// answers remembers what the introspection endpoint said, by digests of tokens.
type answers struct {
	mu  sync.Mutex
	all map[[sha256.Size]byte]answer
}

type answer struct {
	text  json.RawMessage
	until time.Time
}

func newAnswers() *answers { return &answers{all: map[[sha256.Size]byte]answer{}} }

func (a *answers) find(token string, now time.Time) json.RawMessage {
	a.mu.Lock()
	defer a.mu.Unlock()
	known, ok := a.all[sha256.Sum256([]byte(token))]
	if !ok || !now.Before(known.until) {
		return nil
	}
	return known.text
}

func (a *answers) keep(token string, text json.RawMessage, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.all) >= maxKnown {
		for id, known := range a.all {
			if !now.Before(known.until) {
				delete(a.all, id)
			}
		}
	}
	if len(a.all) >= maxKnown { // all of them count: a token more costs a question more
		clear(a.all)
	}
	a.all[sha256.Sum256([]byte(token))] = answer{text, now.Add(knownFor)}
}

// introspect returns the claims of a token as the introspection endpoint tells them. The audience is checked as that of a JWT is.
func (v *Verifier) introspect(ctx context.Context, bearer string) (claimSet, error) {
	text := v.known.find(bearer, v.o.Now())
	if text == nil {
		asked := v.o.Now()
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
