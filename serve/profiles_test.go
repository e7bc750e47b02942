package serve

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"runtime/pprof"
	"strings"
	"testing"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
)

// holders knows a user and an operator.
func holders(_ context.Context, token string) (ctxmcp.Caller, error) {
	switch token {
	case "ann":
		return ctxmcp.Caller{Tenant: "acme", User: "ann", Roles: []string{"harness"}}, nil
	case "olga":
		return ctxmcp.Caller{Tenant: "acme", User: "olga", Roles: []string{"harness", ctxmcp.Operator}}, nil
	}
	return ctxmcp.Caller{}, errors.New("nobody")
}

func profile(h *Handler, method, path, token string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost/debug/pprof/"+path, nil)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestProfilesAreForOperators: nobody else gets one, not even where calls need no token and their caller is an operator.
func TestProfilesAreForOperators(t *testing.T) {
	operator := ctxmcp.Caller{Tenant: "acme", User: "olga", Roles: []string{ctxmcp.Operator}}
	open := func(context.Context) (bool, error) { return true, nil }
	oauth := &OAuth{
		Own: func(string) bool { return false },
		Authenticate: func(_ context.Context, token string) (ctxmcp.Caller, []string, error) {
			return operator, strings.Split(token, ","), nil
		},
	}
	tests := []struct {
		name  string
		o     HTTPOptions
		token string
		want  int
	}{
		{"no token", HTTPOptions{Authenticate: holders}, "", 401},
		{"a wrong token", HTTPOptions{Authenticate: holders}, "mallory", 401},
		{"a user's token", HTTPOptions{Authenticate: holders}, "ann", 403},
		{"an operator's token", HTTPOptions{Authenticate: holders}, "olga", 200},
		{"a server without tokens", HTTPOptions{Anonymous: operator}, "", 403},
		{"a server without tokens, and one sent", HTTPOptions{Anonymous: operator}, "olga", 403},
		{"a server that is open until a token exists", HTTPOptions{Authenticate: holders, Open: open, Anonymous: operator}, "", 403},
		{"an operator's access token without the scope", HTTPOptions{Authenticate: holders, OAuth: oauth}, "memory:read", 403},
		{"an operator's access token with it", HTTPOptions{Authenticate: holders, OAuth: oauth}, "memory:read,admin:read", 200},
	}
	for _, tt := range tests {
		h := NewHandler(newFixture(t).MCPServer, tt.o)
		defer h.Close()
		for _, path := range append([]string{"", "cmdline", "symbol", "trace", "profile?seconds=0"}, profiled...) {
			want := tt.want
			switch {
			case want != 200:
			case path == "profile?seconds=0":
				want = 400
			case path == "" || path == "cmdline" || path == "symbol" || path == "trace":
				want = 404
			}
			if got := profile(h, "GET", path, tt.token); got.Code != want || (got.Code == 200) != strings.HasPrefix(got.Body.String(), "\x1f\x8b") {
				t.Errorf("%s, %q = %d, %d bytes, want %d", tt.name, path, got.Code, got.Body.Len(), want)
			}
		}
	}
}

// TestProfileOfProcessors: one is recorded at once, and it ends with its request and with the server.
func TestProfileOfProcessors(t *testing.T) {
	h := NewHandler(newFixture(t).MCPServer, HTTPOptions{Authenticate: holders})
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Skip("this run is profiled itself: ", err)
	}
	if got := profile(h, "GET", "profile?seconds=1", "olga"); got.Code != 409 {
		t.Errorf("a second profile = %d, want 409", got.Code)
	}
	pprof.StopCPUProfile()
	if got := profile(h, "POST", "heap", "olga"); got.Code != 405 {
		t.Errorf("POST = %d, want 405", got.Code)
	}
	h.Close()
	if got := profile(h, "GET", "profile?seconds=120", "olga"); got.Code != 200 || !strings.HasPrefix(got.Body.String(), "\x1f\x8b") {
		t.Errorf("the profile of a server that ends = %d, %d bytes", got.Code, got.Body.Len())
	}
}
