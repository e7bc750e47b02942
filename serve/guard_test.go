package serve

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func TestHostAndOriginAreChecked(t *testing.T) {
	f := newFixture(t)
	url := f.serveHandler(t, HTTPOptions{
		AllowedOrigins: []string{"https://app.example", "vscode-webview://x"},
		AllowedHosts:   []string{"ctx.example", "other.example:8443"},
		Metrics:        http.NotFoundHandler(),
	})
	port := url[strings.LastIndex(url, ":"):strings.LastIndex(url, "/")]
	tests := []struct {
		headers []string
		want    int
	}{
		{nil, 200},
		{[]string{"Host: localhost" + port}, 200},
		{[]string{"Host: LOCALHOST:1"}, 200},
		{[]string{"Host: [::1]" + port}, 200},
		{[]string{"Host: ctx.example"}, 200},
		{[]string{"Host: ctx.example:444"}, 200},
		{[]string{"Host: other.example:8443"}, 200},
		{[]string{"Host: other.example"}, 403},
		{[]string{"Host: evil.example"}, 403},
		{[]string{"Host: localhost.evil.example"}, 403},
		{[]string{"Host: 127.0.0.1.evil.example" + port}, 403},
		{[]string{"Host: 192.0.2.1"}, 403},
		{[]string{"Origin: http://localhost"}, 200},
		{[]string{"Origin: http://localhost:6274"}, 200},
		{[]string{"Origin: http://127.0.0.1:1"}, 200},
		{[]string{"Origin: http://[::1]:1"}, 200},
		{[]string{"Origin: https://app.example"}, 200},
		{[]string{"Origin: vscode-webview://x"}, 200},
		{[]string{"Host: ctx.example:444", "Origin: https://ctx.example:444"}, 200},
		{[]string{"Origin: https://evil.example"}, 403},
		{[]string{"Origin: null"}, 403},
		{[]string{"Origin: "}, 403},
		{[]string{"Origin: https://app.example:444"}, 403},
		{[]string{"Origin: http://localhost.evil.example"}, 403},
		{[]string{"Origin: http://localhost@evil.example"}, 403},
		{[]string{"Origin: http://evil.example/localhost"}, 403},
		{[]string{"Origin: file://localhost"}, 403},
		{[]string{"Origin: http://localhost", "Origin: https://evil.example"}, 403},
		{[]string{"Host: evil.example", "Origin: http://evil.example"}, 403},
	}
	for _, tt := range tests {
		if got := send(t, "POST", url, initialize, tt.headers...); got.status != tt.want {
			t.Errorf("POST /mcp with %q = %d, want %d", tt.headers, got.status, tt.want)
		}
		if tt.want == 403 {
			for _, path := range []string{"/readyz", "/metrics", "/nothing"} {
				beside := strings.TrimSuffix(url, "/mcp") + path
				if got := send(t, "GET", beside, "", tt.headers...); got.status != 403 {
					t.Errorf("GET %s with %q = %d, want 403", path, tt.headers, got.status)
				}
			}
		}
	}
}

func TestListeningAddressAndPublicURLAreHosts(t *testing.T) {
	h := NewHandler(newFixture(t).MCPServer, HTTPOptions{PublicURL: "https://ctx.example"})
	defer h.Close()
	tests := []struct {
		local, host string
		want        bool
	}{
		{"192.0.2.7:8080", "192.0.2.7:8080", true},
		{"[::ffff:192.0.2.7]:8080", "192.0.2.7:80", true},
		{"[2001:db8::7]:8080", "[2001:db8::7]:8080", true},
		{"192.0.2.7:8080", "192.0.2.8:8080", false},
		{"192.0.2.7:8080", "evil.example", false},
		{"192.0.2.7:8080", "ctx.example", true},
	}
	for _, tt := range tests {
		local := net.TCPAddrFromAddrPort(netip.MustParseAddrPort(tt.local))
		r := httptest.NewRequest("POST", "http://"+tt.host+"/mcp", nil)
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, local))
		if got := h.admitsHost(r); got != tt.want {
			t.Errorf("admitsHost(%s) on %s = %t, want %t", tt.host, tt.local, got, tt.want)
		}
	}
}

func TestRefusalIsJSONRPC(t *testing.T) {
	url := newFixture(t).serveHandler(t, HTTPOptions{})
	got := send(t, "POST", url, initialize, "Origin: https://evil.example")
	want := `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"requests from this Origin are refused; ` +
		`allow it in the configuration"}}` + "\n"
	if got.body != want {
		t.Errorf("body = %s, want %s", got.body, want)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
	} {
		if v := got.header.Get(name); v != want {
			t.Errorf("%s = %q, want %q", name, v, want)
		}
	}
}
