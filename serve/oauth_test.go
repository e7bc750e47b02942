package serve

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/google/go-cmp/cmp"
)

// resource returns options of a protected resource. Access tokens are user:scopes; the server's own begin with alice.
func resource() HTTPOptions {
	return HTTPOptions{Authenticate: authenticate, PublicURL: "https://ctx.example", OAuth: &OAuth{
		Issuer: "https://login.example", Own: func(token string) bool { return strings.HasPrefix(token, "alice") },
		Authenticate: func(_ context.Context, token string) (ctxmcp.Caller, []string, error) {
			user, scopes, ok := strings.Cut(token, ":")
			if user == "outage" {
				return ctxmcp.Caller{}, nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "no keys")
			}
			if !ok {
				return ctxmcp.Caller{}, nil, ctxmcp.Errorf(ctxmcp.CodeDenied, "no token")
			}
			return ctxmcp.Caller{Tenant: "t", User: user}, strings.Split(scopes, ","), nil
		},
		Needs: func(method, name, uri string) []string {
			if method == "tools/call" && name == "whoami" || uri == "secret" {
				return []string{"x:read", "x:write"}
			}
			return nil
		},
		Scopes: []string{"x:read", "y:read", "x:write"}, Ask: []string{"x:read", "y:read"},
	}}
}

// TestMisfitsAreTold: a token that its issuer vouches for and that is refused is a warning to the operator, once in a while; one that is made up is none.
func TestMisfitsAreTold(t *testing.T) {
	f := newFixture(t)
	o := resource()
	o.OAuth.Misfits = func(err error) bool { return strings.Contains(err.Error(), "no token") }
	url := f.serveHandler(t, o)
	for range 3 {
		for _, token := range []string{"wrong", "alice-unknown"} {
			if got := send(t, "POST", url, initialize, "Authorization: Bearer "+token); got.status != 401 {
				t.Fatalf("%s: status %d, want 401", token, got.status)
			}
		}
	}
	if n := strings.Count(f.log.String(), "does not fit auth.oauth"); n != 1 {
		t.Errorf("the log tells of %d tokens that do not fit, want 1:\n%s", n, f.log.String())
	}
}

func TestAccessTokens(t *testing.T) {
	url := newFixture(t).serveHandler(t, resource())
	const at = `resource_metadata="https://ctx.example/.well-known/oauth-protected-resource/mcp"`
	const ask = `, scope="x:read y:read"`
	call, headers := modernRPC(1, "tools/call", callParams("whoami"))
	for _, tt := range []struct {
		token, body string
		status      int
		challenge   string
	}{
		{"", call, 401, "Bearer " + at + ask},
		{"wrong", call, 401, "Bearer " + at + `, error="invalid_token"` + ask},
		{"outage:x", call, 503, ""},
		{"bob:x:read,x:write", call, 200, ""},
		{"alice", call, 200, ""}, // a token of the server's own has no scopes
		{"alice-unknown", call, 401, "Bearer " + at + `, error="invalid_token"` + ask},
		{"bob:", call, 403, `Bearer error="insufficient_scope", scope="x:read x:write", ` + at},
		{"bob:x:read", call, 403, `Bearer error="insufficient_scope", scope="x:read x:write", ` + at},
		{"bob:y:read,profile", call, 403, `Bearer error="insufficient_scope", scope="x:read x:write y:read", ` + at},
		{"bob:", strings.Replace(call, `"name":"whoami"`, `"name":"count","Name":"whoami"`, 1), 400, ""},
		{"bob:", strings.Replace(call, `"params"`, `"PARAMS":{"name":"count"},"params"`, 1), 400, ""},
	} {
		with := headers
		if tt.token != "" {
			with = append(headers[:len(headers):len(headers)], "Authorization: Bearer "+tt.token)
		}
		got := send(t, "POST", url, tt.body, with...)
		if got.status != tt.status || got.header.Get("Www-Authenticate") != tt.challenge {
			t.Errorf("with %q: %d, challenge %q, want %d, %q; %s", tt.token, got.status, got.header.Get("Www-Authenticate"), tt.status, tt.challenge, got.body)
		}
	}
}

// TestStepUpKeepsTheSession: a token of the same user with more scopes goes on in the session that the first one began.
func TestStepUpKeepsTheSession(t *testing.T) {
	url := newFixture(t).serveHandler(t, resource())
	id := begin(t, url, "Authorization: Bearer bob:x:read")
	for token, status := range map[string]int{"bob:x:read": 403, "bob:x:read,x:write": 200, "eve:x:read,x:write": 404} {
		got := send(t, "POST", url, toolCall(2, "whoami"), id, "Authorization: Bearer "+token)
		if got.status != status {
			t.Errorf("with %s: %d %s, want %d", token, got.status, got.body, status)
		}
	}
}

// TestResourceMetadata: the metadata stands at both places, and says nothing that a request's Host could change.
func TestResourceMetadata(t *testing.T) {
	url := strings.TrimSuffix(newFixture(t).serveHandler(t, resource()), "/mcp")
	want := map[string]any{
		"resource": "https://ctx.example/mcp", "authorization_servers": []any{"https://login.example"},
		"scopes_supported": []any{"x:read", "y:read", "x:write"}, "bearer_methods_supported": []any{"header"}, "resource_name": "ctx-mcp",
	}
	for _, path := range []string{"/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"} {
		got := send(t, "GET", url+path, "")
		var metadata map[string]any
		if err := json.Unmarshal([]byte(got.body), &metadata); err != nil {
			t.Fatalf("%s: %v: %s", path, err, got.body)
		}
		if diff := cmp.Diff(want, metadata); diff != "" {
			t.Errorf("%s differs (-want +got):\n%s", path, diff)
		}
	}
}

func TestResourceNeedsItsURL(t *testing.T) {
	for name, edit := range map[string]func(*HTTPOptions){
		"no public URL": func(o *HTTPOptions) { o.PublicURL = "" },
		"open for now":  func(o *HTTPOptions) { o.Open = func(context.Context) (bool, error) { return true, nil } },
		"no own tokens": func(o *HTTPOptions) { o.Authenticate = nil },
	} {
		o := resource()
		o.Addr = "127.0.0.1:0"
		edit(&o)
		if l, err := listen(o); err == nil {
			_ = l.Close()
			t.Errorf("%s: it listens", name)
		}
	}
}
