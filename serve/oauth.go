package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
)

// OAuth makes the MCP endpoint a protected resource of an authorization server, as the MCP specification has it. All fields but Misfits are required.
type OAuth struct {
	Issuer string // of the authorization server, which the metadata names

	// Own reports whether a token has the form of the server's own, which HTTPOptions.Authenticate checks and no scope limits.
	Own func(bearer string) bool
	// Authenticate returns who holds an access token, and its scopes. Its errors are those of HTTPOptions.Authenticate.
	Authenticate func(ctx context.Context, bearer string) (ctxmcp.Caller, []string, error)
	// Misfits reports whether a token was refused though the issuer vouches for it.
	Misfits func(error) bool
	// Needs returns all scopes that a request needs: name is the tool or prompt, uri the resource.
	Needs func(method, name, uri string) []string

	Scopes []string // that there are
	Ask    []string // of those, the ones that a client without a token is told to ask for
}

// grant says who sent a request, and which scopes its token has.
type grant struct {
	caller  ctxmcp.Caller
	limited bool // nothing is allowed that needs another scope
	scopes  []string
}

// holder returns the grant of a token. The server's own tokens never leave the machine, access tokens are never looked for among them.
func (h *Handler) holder(ctx context.Context, token string) (g grant, err error) {
	if h.o.OAuth == nil || h.o.OAuth.Own(token) {
		g.caller, err = h.o.Authenticate(ctx, token)
		return g, err
	}
	g.limited = true
	g.caller, g.scopes, err = h.o.OAuth.Authenticate(ctx, token)
	return g, err
}

type grantKey struct{}

// allows reports whether the scopes of the caller's token suffice for a message, and answers 403 if not (RFC 6750, section 3.1). The answer
// names all scopes that the message needs, and those that the token has, so that a client which asks for them loses none.
func (h *Handler) allows(w http.ResponseWriter, r *http.Request, m message) bool {
	g, _ := r.Context().Value(grantKey{}).(grant)
	if !g.limited {
		return true
	}
	if !exact(m.rest) {
		refuseWith(w, http.StatusBadRequest, *m.refusal(-32600, "method, name and uri are written in lower case, and once"))
		return false
	}
	needs := h.o.OAuth.Needs(string(m.Method), m.Params.Name, m.Params.URI)
	if !slices.ContainsFunc(needs, func(scope string) bool { return !slices.Contains(g.scopes, scope) }) {
		return true
	}
	all := slices.Clone(needs)
	for _, scope := range h.o.OAuth.Scopes {
		if slices.Contains(g.scopes, scope) && !slices.Contains(all, scope) {
			all = append(all, scope)
		}
	}
	w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer error="insufficient_scope", scope="%s", resource_metadata="%s%s"`,
		strings.Join(all, " "), h.origin(r), h.metadataPath()))
	refuseWith(w, http.StatusForbidden, *m.refusal(serverError, "the token lacks a scope: this needs "+strings.Join(needs, " ")))
	return false
}

// exact reports whether no other spelling of a field stands beside the one that scopes are looked up by: encoding/json takes
// "Name" for name, and readers could come to different ends.
func exact(text []byte) bool {
	var whole, params map[string]json.RawMessage
	if json.Unmarshal(text, &whole) != nil {
		return false
	}
	_ = json.Unmarshal(whole["params"], &params) // a response has none
	return spelled(whole, "method", "params") && spelled(params, "name", "uri")
}

func spelled(fields map[string]json.RawMessage, names ...string) bool {
	for field := range fields {
		for _, name := range names {
			if field != name && strings.EqualFold(field, name) {
				return false
			}
		}
	}
	return true
}
