package credentials

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The bounds of the scopes that a server may ask for.
const (
	maxScopes = 50
	maxScope  = 100 // bytes of one
)

// Challenge holds the demands of a refusal, in its header WWW-Authenticate (RFC 6750, section 3).
type Challenge struct {
	Error  string
	Scopes []string
}

// parameter is one of a challenge: name="value" or name=value.
var parameter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([A-Za-z_-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))`)
})

// scopeForm is the form of a scope, in the signs that those in use have; the standard allows more (RFC 6749, section 3.3).
var scopeForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9._:/*+@~?&=#%,-]+$`) })

// ReadChallenge reads the lines of a header WWW-Authenticate. Scopes that cannot be meant are left out.
func ReadChallenge(lines []string) (c Challenge) {
	for _, line := range lines {
		for _, m := range parameter().FindAllStringSubmatch(line, -1) {
			value := m[2] + m[3]
			switch {
			case strings.EqualFold(m[1], "error") && c.Error == "":
				c.Error = value
			case strings.EqualFold(m[1], "scope") && c.Scopes == nil:
				c.Scopes = union(nil, strings.Fields(value))
			}
		}
	}
	return c
}

// union returns scopes with others behind them, each once, as many as there may be.
func union(scopes, others []string) []string {
	all := slices.Clone(scopes)
	for _, s := range others {
		if len(s) <= maxScope && scopeForm().MatchString(s) && !slices.Contains(all, s) && len(all) < maxScopes {
			all = append(all, s)
		}
	}
	return all
}

// Want notes scopes for which a server has refused a request of a holder: the next sign-in asks for them.
func (k *Keeper) Want(ctx context.Context, h Holder, server string, scopes []string) error {
	at := grantAt(h, server)
	return k.Wallet.alone(ctx, func() error {
		g, err := k.grant(at)
		if err != nil {
			return err
		}
		wanted := union(g.Wanted, scopes)
		if slices.Equal(wanted, g.Wanted) {
			return nil
		}
		g.Wanted = wanted
		return k.keep(at, g)
	})
}

// Wants returns the scopes that the next sign-in has to ask for beside those of the server's own refusal, sorted: those for which a request was refused, and those
// that were granted before, which a new sign-in would lose. There are none where no request was refused.
func (k *Keeper) Wants(h Holder, server string) ([]string, error) {
	g, err := k.grant(grantAt(h, server))
	if err != nil || len(g.Wanted) == 0 {
		return nil, err
	}
	all := union(g.Wanted, g.Scopes)
	slices.Sort(all)
	return all, nil
}

// Due is a sign-in with which its holder has something to do: it has run out, or allows less than the server has asked for.
type Due struct {
	Holder Holder
	Over   bool
	Wanted []string // scopes for which a request was refused, in the order in which they were
}

// Dues returns the sign-ins to a server that are due, by user. It returns CodeUnavailable where there are sign-ins and no key opens them.
func (k *Keeper) Dues(server string) (all []Due, err error) {
	holders, err := k.Wallet.holders(server)
	if err != nil {
		return nil, err
	}
	for _, h := range holders {
		g, err := k.grant(grantAt(h, server))
		if err != nil {
			return nil, err
		}
		if g.Over || len(g.Wanted) > 0 {
			all = append(all, Due{h, g.Over, g.Wanted})
		}
	}
	return all, nil
}
