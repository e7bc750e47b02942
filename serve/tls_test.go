package serve

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestHTTPS: the server shows the certificate that it is given, names https in its metadata, and speaks HTTP/1.1.
func TestHTTPS(t *testing.T) {
	lender := httptest.NewTLSServer(nil) // has a certificate, and a client that trusts it
	defer lender.Close()
	s := serveHTTP(t, newFixture(t), HTTPOptions{Authenticate: authenticate, TLS: &tls.Config{Certificates: lender.TLS.Certificates}})
	address := strings.Replace(s.url, "http://", "https://", 1)
	response, err := lender.Client().Get(strings.Replace(address, "/mcp", "/.well-known/oauth-protected-resource/mcp", 1))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.ProtoMajor != 1 || !strings.Contains(string(text), `"`+address+`"`) {
		t.Errorf("HTTP/%d, %s, %v, want the resource %s", response.ProtoMajor, text, err, address)
	}
	plain, err := http.Get(s.url)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Body.Close()
	if plain.StatusCode != http.StatusBadRequest {
		t.Errorf("plain HTTP on the same port: %s, want 400", plain.Status)
	}
}

func TestInTheClear(t *testing.T) {
	for _, tt := range []struct {
		addr, public string
		want         bool
	}{
		{"127.0.0.1:80", "", false}, {"[::1]:80", "", false}, {"0.0.0.0:80", "", true}, {"[::]:80", "", true},
		{"192.0.2.1:80", "http://ctx.example.org", true}, {"192.0.2.1:80", "https://ctx.example.org", false},
	} {
		addr, err := net.ResolveTCPAddr("tcp", tt.addr)
		if err != nil {
			t.Fatal(err)
		}
		if got := (HTTPOptions{PublicURL: tt.public}).inTheClear(addr); got != tt.want {
			t.Errorf("inTheClear(%s) with public URL %q = %t, want %t", tt.addr, tt.public, got, tt.want)
		}
	}
}
