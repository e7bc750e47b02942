package serve

import (
	"context"
	"fmt"
	"net/http"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"time"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
)

// profilesPath is where a running server tells where it spends time and memory, in the form of go tool pprof.
const profilesPath = "/debug/pprof/"

// profiled are the profiles besides that of the processors. The command line, which may name secrets, is none of them.
var profiled = []string{"allocs", "block", "goroutine", "heap", "mutex"}

const (
	profileScope   = "admin:read"     // that an access token of an authorization server needs
	defaultProfile = 30 * time.Second // of a profile of the processors
	longestProfile = 2 * time.Minute
)

// serveProfiles answers those who hold a token of an operator, and nobody else: also where no token is needed for calls.
func (h *Handler) serveProfiles(x *exchange, r *http.Request) {
	if !h.admitsOperator(x, r) {
		return
	}
	switch name := strings.TrimPrefix(r.URL.Path, profilesPath); {
	case r.Method != http.MethodGet:
		x.Header().Set("Allow", "GET")
		refuse(x, http.StatusMethodNotAllowed, serverError, "read profiles with GET")
	case name == "profile":
		h.profileProcessors(x, r)
	case slices.Contains(profiled, name):
		x.Header().Set("Content-Type", "application/octet-stream")
		if err := pprof.Lookup(name).WriteTo(x, 0); err != nil {
			h.o.Logger.DebugContext(r.Context(), "write a profile", "error", err)
		}
	default:
		refuse(x, http.StatusNotFound, serverError, "the profiles are: profile, "+strings.Join(profiled, ", "))
	}
}

// admitsOperator reports whether the request comes with a token of an operator, or answers it with 401 or 403.
func (h *Handler) admitsOperator(x *exchange, r *http.Request) bool {
	if !h.tokensCount(r.Context()) {
		refuse(x, http.StatusForbidden, serverError, "profiles need the token of an operator: ctx-mcp token create --roles operator")
		return false
	}
	by, ok := h.authenticate(x, r)
	if !ok {
		return false
	}
	x.user = by.caller.User
	if !slices.Contains(by.caller.Roles, ctxmcp.Operator) || by.limited && !slices.Contains(by.scopes, profileScope) {
		refuse(x, http.StatusForbidden, serverError, "profiles need the token of an operator")
		return false
	}
	return h.admitsRate(r.Context(), x, by.caller)
}

// profileProcessors records for the seconds that the request names. It ends with the request, and with the server.
func (h *Handler) profileProcessors(x *exchange, r *http.Request) {
	took := defaultProfile
	if text := r.URL.Query().Get("seconds"); text != "" {
		seconds, err := strconv.Atoi(text)
		if took = time.Duration(seconds) * time.Second; err != nil || seconds < 1 || took > longestProfile {
			refuse(x, http.StatusBadRequest, serverError, fmt.Sprintf("seconds is not a number from 1 to %d", int(longestProfile.Seconds())))
			return
		}
	}
	x.Header().Set("Content-Type", "application/octet-stream")
	if err := pprof.StartCPUProfile(x); err != nil {
		refuse(x, http.StatusConflict, serverError, "a profile is being recorded already")
		return
	}
	defer pprof.StopCPUProfile()
	ctx, cancel := context.WithTimeout(r.Context(), took)
	defer cancel()
	select {
	case <-ctx.Done():
	case <-h.draining.Done():
	}
}
