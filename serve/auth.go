package serve

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/mark3labs/mcp-go/server"
)

type callerKey struct{}

func withCaller(ctx context.Context, caller ctxmcp.Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// CallerFrom returns the caller of the request that a handler's context belongs to. ok is false for a context that did
// not come from this package.
func CallerFrom(ctx context.Context) (caller ctxmcp.Caller, ok bool) {
	caller, ok = ctx.Value(callerKey{}).(ctxmcp.Caller)
	return caller, ok
}

// authenticate returns who sent the request, or answers it with 401 and ok false. A token counts only in the
// Authorization header (RFC 6750, section 2.1).
func (h *Handler) authenticate(w http.ResponseWriter, r *http.Request) (by grant, ok bool) {
	if !h.tokensCount(r.Context()) {
		return grant{caller: h.o.Anonymous}, true
	}
	token := bearer(r.Header)
	if token == "" {
		h.challenge(w, r, "", "a bearer token is required in the Authorization header")
		return by, false
	}
	by, err := h.holder(r.Context(), token)
	switch {
	case err == nil:
		return by, true
	case ctxmcp.CodeOf(err) == ctxmcp.CodeUnavailable:
		h.o.Logger.ErrorContext(r.Context(), "authenticate", "error", err)
		refuse(w, http.StatusServiceUnavailable, serverError, "tokens cannot be checked at the moment; try again")
	default:
		h.tellMisfit(r.Context(), err)
		h.challenge(w, r, `, error="invalid_token"`, "the bearer token is not valid")
	}
	return grant{}, false
}

// tellMisfit logs why a token was refused: where an operator has to mend something as a warning, once in a while.
func (h *Handler) tellMisfit(ctx context.Context, err error) {
	h.o.Logger.DebugContext(ctx, "authenticate", "error", err)
	if h.o.OAuth != nil && h.o.OAuth.Misfits != nil && h.o.OAuth.Misfits(err) {
		h.misfits.Do(func() {
			h.o.Logger.WarnContext(ctx, "an access token of the issuer does not fit auth.oauth; more of these are not told for a while", "error", err)
		})
	}
}

// tokensCount reports whether a request needs a token: from the first on, or since the first token exists. If that cannot be
// found out, it does.
func (h *Handler) tokensCount(ctx context.Context) bool {
	if h.o.Authenticate == nil || h.o.Open == nil || h.closed.Load() {
		return h.o.Authenticate != nil
	}
	open, err := h.o.Open(ctx)
	if err != nil {
		h.o.Logger.ErrorContext(ctx, "look for tokens", "error", err)
		return true
	}
	if !open && h.closed.CompareAndSwap(false, true) {
		h.o.Logger.Info("a token exists: every call needs one from now on")
	}
	return !open
}

// tokensEvery is how often a stream that was opened without a token looks whether one is needed by now.
const tokensEvery = time.Second

// endOnceTokensCount ends a stream of a caller without a token soon after tokens are needed.
func (h *Handler) endOnceTokensCount(ctx context.Context, end func()) {
	tick := time.NewTicker(tokensEvery)
	defer tick.Stop()
	for !h.tokensCount(ctx) {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
	end()
}

// The limits of a stream that was opened with a token.
const (
	tokenEvery  = 10 * time.Second // between two looks at the token
	tokenMisses = 6                // looks in a row that could not be made: the stream ends with the last
)

// endWithToken ends a stream soon after its token has ended, was withdrawn, or stands for another caller.
func (h *Handler) endWithToken(ctx context.Context, token string, by ctxmcp.Caller, end func()) {
	defer end()
	tick := time.NewTicker(tokenEvery)
	defer tick.Stop()
	for missed := 0; missed < tokenMisses; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now, err := h.holder(ctx, token)
		switch {
		case err != nil && ctxmcp.CodeOf(err) == ctxmcp.CodeUnavailable:
			missed++
		case err != nil || !reflect.DeepEqual(now.caller, by):
			h.o.Logger.InfoContext(ctx, "a stream ends: its token counts no longer", "user", by.User)
			return
		default:
			missed = 0
		}
	}
	h.o.Logger.WarnContext(ctx, "a stream ends: its token cannot be checked", "user", by.User)
}

// bearer returns the token of the one Authorization header, or nothing.
func bearer(header http.Header) string {
	values := header.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// challenge answers 401 and says where the metadata is (RFC 9728, section 5.1), and which scopes to begin with.
func (h *Handler) challenge(w http.ResponseWriter, r *http.Request, reason, text string) {
	if h.o.OAuth != nil && len(h.o.OAuth.Ask) > 0 {
		reason += fmt.Sprintf(`, scope="%s"`, strings.Join(h.o.OAuth.Ask, " "))
	}
	w.Header().Set("WWW-Authenticate",
		fmt.Sprintf(`Bearer resource_metadata="%s%s"%s`, h.origin(r), h.metadataPath(), reason))
	refuse(w, http.StatusUnauthorized, serverError, text)
}

// metadataPath returns the path at which RFC 9728, section 3.1, puts the metadata of the endpoint.
func (h *Handler) metadataPath() string { return server.WellKnownProtectedResourcePath + h.o.Path }

// serveMetadata answers with the protected resource metadata (RFC 9728, section 2).
func (h *Handler) serveMetadata(w http.ResponseWriter, r *http.Request) {
	servers, scopes := h.o.AuthorizationServers, []string(nil)
	if h.o.OAuth != nil {
		servers, scopes = append(slices.Clip(servers), h.o.OAuth.Issuer), h.o.OAuth.Scopes
	}
	server.NewProtectedResourceMetadataHandler(server.ProtectedResourceMetadataConfig{
		Resource:               h.origin(r) + h.o.Path,
		AuthorizationServers:   servers,
		ScopesSupported:        scopes,
		BearerMethodsSupported: []string{"header"},
		ResourceName:           h.o.ResourceName,
	}).ServeHTTP(w, r)
}

// origin returns the scheme and host under which clients reach the server. The request's Host has passed the guard.
func (h *Handler) origin(r *http.Request) string {
	switch {
	case h.o.PublicURL != "":
		return strings.TrimSuffix(h.o.PublicURL, "/")
	case r.TLS != nil:
		return "https://" + r.Host
	default:
		return "http://" + r.Host
	}
}
