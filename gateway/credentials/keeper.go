package credentials

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// nameForm is the form of the names of secrets, which is that of references to them in packets, such as vault:kv/ci#token.
var nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_./:@#+-]{1,250}$`) })

// reference is the place of a secret in a value: ${vault:NAME}.
var reference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{vault:([^}]*)\}`) })

// Keeper hands out what is in a Wallet. Its fields are set once, before use.
type Keeper struct {
	Wallet Wallet
	Client *http.Client // asks authorization servers; nil: one that follows no redirect
	Now    func() time.Time
	Hide   func(values ...string) // is told of each value before it is handed out, so that it is hidden wherever it comes back; may be nil
}

// Fill returns a value with the secrets that it names in the place of ${vault:NAME}. It returns CodeUnavailable for a secret that there is not.
func (k *Keeper) Fill(value string) (string, error) {
	var failed error
	filled := reference().ReplaceAllStringFunc(value, func(ref string) string {
		name := reference().FindStringSubmatch(ref)[1]
		secret, held, err := k.Wallet.get(secretAt(name))
		if err == nil && !held {
			err = ctxmcp.Errorf(ctxmcp.CodeUnavailable, "there is no secret %q", ctxmcp.Clip(name, 100)).WithHint("store it with: ctx-mcp gateway secret %s", ctxmcp.Clip(name, 100))
		}
		failed = errors.Join(failed, err)
		k.hide(string(secret))
		return string(secret)
	})
	if failed != nil {
		return "", failed
	}
	if filled != value {
		k.hide(filled)
	}
	return filled, nil
}

func (k *Keeper) hide(values ...string) {
	if k.Hide != nil {
		k.Hide(values...)
	}
}

// early is how long before its end a token is renewed.
const early = 30 * time.Second

// ErrOver says that a user has to sign in again.
var ErrOver = errors.New("the sign-in has run out")

// Token returns the access token of a holder for a server, renewed if it is about to end or if it is the one that the server refused; "" where nobody
// has signed in. It returns ErrOver where it cannot be renewed any more.
func (k *Keeper) Token(ctx context.Context, h Holder, server, refused string) (string, error) {
	at := grantAt(h, server)
	g, err := k.grant(at)
	if err != nil || k.good(g, refused) || g.Access == "" && !g.Over {
		return g.Access, err
	}
	err = k.Wallet.alone(ctx, func() error {
		if g, err = k.grant(at); err != nil || k.good(g, refused) { // another process was faster
			return err
		}
		g, err = k.renewed(ctx, at, g)
		return err
	})
	return g.Access, err
}

func (k *Keeper) good(g Grant, refused string) bool {
	return g.Access != "" && !g.Over && g.Access != refused && (g.Expires.IsZero() || k.Now().Add(early).Before(g.Expires))
}

func (k *Keeper) grant(at place) (g Grant, err error) {
	text, held, err := k.Wallet.get(at)
	if err != nil || !held {
		return g, err
	}
	err = json.Unmarshal(text, &g)
	k.hide(g.Access, g.Refresh, g.ClientSecret)
	return g, err
}

// renewed asks for a new token, and keeps what it got before anybody uses it: a refresh token may be good for one use. Where the authorization
// server refuses, that is kept too, so that it is not asked again.
func (k *Keeper) renewed(ctx context.Context, at place, g Grant) (Grant, error) {
	if g.Over || g.Refresh == "" {
		return Grant{}, ErrOver
	}
	next, err := g.renew(context.WithoutCancel(ctx), k.client(g), k.Now())
	switch {
	case errors.Is(err, ErrOver):
		next = Grant{Server: g.Server, Over: true, Scopes: g.Scopes, Wanted: g.Wanted}
	case err != nil:
		return Grant{}, err
	}
	k.hide(next.Access, next.Refresh)
	if kept := k.keep(at, next); kept != nil {
		return Grant{}, kept
	}
	return next, err
}

// client returns the one that asks the authorization server of a grant.
func (k *Keeper) client(g Grant) *http.Client {
	if k.Client != nil {
		return k.Client
	}
	return fenced(g.Server)
}

func (k *Keeper) keep(at place, g Grant) error {
	text, err := json.Marshal(g)
	if err != nil {
		return err
	}
	return k.Wallet.set(at, text)
}

// SignedIn keeps the grant of a sign-in.
func (k *Keeper) SignedIn(ctx context.Context, h Holder, server string, g Grant) error {
	return k.Wallet.alone(ctx, func() error { return k.keep(grantAt(h, server), g) })
}

// Stamp changes when a credential does.
func (k *Keeper) Stamp() string { return k.Wallet.Stamp() }
