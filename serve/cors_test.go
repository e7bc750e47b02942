package serve

import (
	"strings"
	"testing"
)

// TestCORS: a page of an origin that is named may call and read, a browser asks first, and nobody else is told anything.
func TestCORS(t *testing.T) {
	const page = "https://app.example"
	url := newFixture(t).serveHandler(t, HTTPOptions{
		CORSOrigins: []string{page}, AllowedOrigins: []string{"https://quiet.example"}, Authenticate: authenticate,
	})
	preflight := []string{"Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization,content-type,mcp-method"}
	for _, tt := range []struct {
		method, origin string
		headers        []string
		status         int
		allowed        string
	}{
		{"OPTIONS", page, preflight, 204, page},
		{"OPTIONS", "https://evil.example", preflight, 403, ""},
		{"OPTIONS", "https://quiet.example", preflight, 204, ""},
		{"OPTIONS", "http://localhost:3000", preflight, 204, ""},
		{"OPTIONS", page, append(preflight, "Host: evil.example"), 403, ""},
		{"POST", page, nil, 401, page},
		{"POST", "https://quiet.example", nil, 401, ""},
		{"POST", "https://evil.example", nil, 403, ""},
	} {
		got := send(t, tt.method, url, initialize, append([]string{"Origin: " + tt.origin}, tt.headers...)...)
		if allowed := got.header.Get("Access-Control-Allow-Origin"); got.status != tt.status || allowed != tt.allowed {
			t.Errorf("%s from %s with %q = %d, allowed %q, want %d, %q", tt.method, tt.origin, tt.headers, got.status, allowed, tt.status, tt.allowed)
		}
		if got.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s from %s: cookies are asked for", tt.method, tt.origin)
		}
	}
	asked := send(t, "OPTIONS", url, "", append([]string{"Origin: " + page}, preflight...)...)
	if got := asked.header.Get("Access-Control-Allow-Headers"); got != "authorization,content-type,mcp-method" {
		t.Errorf("the headers allowed are %q", got)
	}
	answered := send(t, "POST", url, initialize, "Origin: "+page)
	if got := answered.header.Get("Access-Control-Expose-Headers"); !strings.Contains(got, "Mcp-Session-Id") {
		t.Errorf("the headers that a page may read are %q", got)
	}
	beside := strings.Replace(url, "/mcp", "/readyz", 1)
	if got := send(t, "GET", beside, "", "Origin: "+page); got.status != 200 || got.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("beside the endpoint = %d, allowed %q", got.status, got.header.Get("Access-Control-Allow-Origin"))
	}
}

// TestNoCORSUnlessNamed: without the option a browser is told nothing, and its question is no message.
func TestNoCORSUnlessNamed(t *testing.T) {
	url := newFixture(t).serveHandler(t, HTTPOptions{AllowedOrigins: []string{"https://app.example"}})
	got := send(t, "OPTIONS", url, "", "Origin: https://app.example", "Access-Control-Request-Method: POST")
	if got.status != 405 || got.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("OPTIONS = %d, allowed %q, want 405 and nothing", got.status, got.header.Get("Access-Control-Allow-Origin"))
	}
}
