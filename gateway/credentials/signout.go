package credentials

import (
	"context"
	"io"
	"net/http"
	"net/url"
)

// Ended says how a sign-in ended. The tokens are forgotten here in each case.
type Ended struct {
	Was    bool   // there was a sign-in
	Issuer string // the authorization server; "" where it is not known
	There  Revoked
}

// Revoked says which tokens count no more at the authorization server.
type Revoked string

// The outcomes of a revocation.
const (
	RevokedAll     Revoked = "all"
	RevokedRefresh Revoked = "refresh" // the access token counts until it ends
	RevokedNone    Revoked = "none"    // the authorization server refused, or could not be reached
	RevokedNowhere Revoked = "nowhere" // it names no place to revoke at
	RevokedSealed  Revoked = "sealed"  // no key opens the tokens here
)

// SignOut revokes the tokens of a sign-in where the authorization server takes that (RFC 7009), and forgets them whether or not it does.
func (k *Keeper) SignOut(ctx context.Context, h Holder, server string) (e Ended, err error) {
	at := grantAt(h, server)
	err = k.Wallet.alone(ctx, func() error { // nobody renews it meanwhile
		all, err := k.Wallet.read()
		if _, e.Was = all[at]; err != nil || !e.Was {
			return err
		}
		e.There = RevokedSealed
		if g, err := k.grant(at); err == nil {
			e.Issuer, e.There = g.Issuer, k.revoke(ctx, g)
		}
		return k.Wallet.set(at, nil)
	})
	return e, err
}

func (k *Keeper) revoke(ctx context.Context, g Grant) Revoked {
	if g.Revocation == "" {
		return RevokedNowhere
	}
	refresh := g.Refresh != "" && g.revoked(ctx, k.client(g), g.Refresh, "refresh_token")
	access := g.Access == "" || g.revoked(ctx, k.client(g), g.Access, "access_token")
	switch {
	case access && (refresh || g.Refresh == ""):
		return RevokedAll
	case refresh:
		return RevokedRefresh
	}
	return RevokedNone
}

// revoked reports whether the authorization server has revoked a token.
func (g Grant) revoked(ctx context.Context, client *http.Client, token, kind string) bool {
	response, err := g.post(ctx, client, g.Revocation, url.Values{"token": {token}, "token_type_hint": {kind}})
	if err != nil {
		return false
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err == nil && response.StatusCode == http.StatusOK
}
