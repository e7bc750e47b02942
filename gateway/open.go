package gateway

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/gateway/credentials"
)

// Credentials are the secrets and the sign-ins that are kept sealed, as credentials.Keeper has them.
type Credentials interface {
	Fill(value string) (string, error)
	Token(ctx context.Context, h credentials.Holder, server, refused string) (string, error)
	Want(ctx context.Context, h credentials.Holder, server string, scopes []string) error
	Stamp() string
}

// filled returns a server with the secrets that its values name. A server whose secret is missing is not started; the others are.
func (p *pool) filled(s Server) (Server, error) {
	if p.opens == nil {
		return s, nil
	}
	var err error
	if s.Env, err = p.filledIn(s.Env); err == nil {
		s.Headers, err = p.filledIn(s.Headers)
	}
	s.Args = slices.Clone(s.Args)
	for i := range s.Args {
		if err == nil {
			s.Args[i], err = p.fill(fmt.Sprintf("argument %d", i+1), s.Args[i])
		}
	}
	if err == nil {
		s.URL, err = p.fill("url", s.URL)
	}
	return s, err
}

func (p *pool) fill(name, value string) (string, error) {
	filled, err := p.opens.Fill(value)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, hinted(err))
	}
	return filled, nil
}

func (p *pool) filledIn(values map[string]string) (map[string]string, error) {
	out := maps.Clone(values)
	for name, v := range values {
		filled, err := p.fill(name, v)
		if err != nil {
			return nil, err
		}
		out[name] = filled
	}
	return out, nil
}

// hinted is an error with its remedy in its text.
func hinted(err error) error {
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok {
		return errors.New(words(e))
	}
	return err
}

// wantsSignIn is the error of a server that lets nobody in without a sign-in, or with one that allows less than the request needs.
type wantsSignIn struct {
	server string
	holder credentials.Holder
	over   bool     // there was one
	less   bool     // there is one, which does not allow the request
	scopes []string // that the server says it needs
}

// Error implements error.
func (w wantsSignIn) Error() string {
	why := "it wants a sign-in"
	switch {
	case w.less && len(w.scopes) == 0:
		why = "it wants a sign-in that allows more, and does not say which scopes"
	case w.less:
		why = "it wants a sign-in that allows " + strings.Join(w.scopes, " ")
	case w.over:
		why = "the sign-in to it has run out"
	}
	command := w.holder.SignIn(w.server)
	if w.less && len(w.scopes) > 0 {
		return why + ": run " + command + ", which asks for that"
	}
	return why + ": run " + command
}

// opener returns the sender of the requests of a connection to the server of the id: with the token of its user, unless the file of the servers has an Authorization.
func (p *pool) opener(k key, id string, s Server) http.RoundTripper {
	u, err := url.Parse(s.URL)
	if err != nil || p.opens == nil {
		return http.DefaultTransport
	}
	for name := range s.Headers {
		if strings.EqualFold(name, "Authorization") {
			return http.DefaultTransport
		}
	}
	return bearer{http.DefaultTransport, p.opens, u, id, wantsSignIn{server: k.server, holder: credentials.Holder{Tenant: k.tenant, User: k.user}}}
}

// bearer sends requests to one server with the token of its user.
type bearer struct {
	http.RoundTripper
	opens  Credentials
	server *url.URL
	id     string
	wants  wantsSignIn
}

// RoundTrip implements http.RoundTripper. A token that the server refuses is renewed once.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != b.server.Scheme || r.URL.Host != b.server.Host {
		return b.RoundTripper.RoundTrip(r)
	}
	if r.Body != nil {
		defer r.Body.Close() // whether it is sent or not
	}
	token := ""
	for {
		next, err := b.opens.Token(r.Context(), b.wants.holder, b.id, token)
		switch {
		case errors.Is(err, credentials.ErrOver):
			b.wants.over = true
			return nil, b.wants
		case err != nil:
			return nil, hinted(err)
		}
		again := token != ""
		token = next
		response, err := b.send(r, token, again)
		if err == nil && response.StatusCode == http.StatusForbidden {
			return b.allowsLess(r.Context(), response)
		}
		if err != nil || response.StatusCode != http.StatusUnauthorized {
			return response, err
		}
		_ = response.Body.Close()
		if again || token == "" || r.Body != nil && r.GetBody == nil {
			b.wants.over = token != ""
			return nil, b.wants
		}
	}
}

// allowsLess turns the refusal of a token with too few scopes into an error that names the scopes, and keeps these for the next sign-in. Other refusals
// stay as they are.
func (b bearer) allowsLess(ctx context.Context, response *http.Response) (*http.Response, error) {
	asked := credentials.ReadChallenge(response.Header.Values("WWW-Authenticate"))
	if asked.Error != "insufficient_scope" {
		return response, nil
	}
	_ = response.Body.Close()
	b.wants.less, b.wants.scopes = true, asked.Scopes
	if len(asked.Scopes) == 0 {
		return nil, b.wants
	}
	if err := b.opens.Want(ctx, b.wants.holder, b.id, asked.Scopes); err != nil {
		return nil, hinted(err)
	}
	return nil, b.wants
}

func (b bearer) send(r *http.Request, token string, again bool) (*http.Response, error) {
	out := r.Clone(r.Context())
	if again && r.GetBody != nil {
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		out.Body = body
	}
	if token != "" {
		out.Header.Set("Authorization", "Bearer "+token)
	}
	return b.RoundTripper.RoundTrip(out)
}

// openAgain has servers tried again at once that wanted a credential: one has been added.
func (g *Gateway) openAgain() {
	g.pool.mu.Lock()
	clear(g.pool.failed)
	g.pool.mu.Unlock()
	for name := range g.keepers {
		g.listChanged(name, "")
	}
}
