package certificate_test

import (
	"crypto/tls"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/serve/certificate"
	"github.com/ctx-mcp/ctx-mcp/vault"
)

// TestAuthorityIsAskedForConfiguredNamesAlone: a name that a stranger puts into a handshake costs no question. How certificates are issued is tested
// against a real authority in deploy/check.
func TestAuthorityIsAskedForConfiguredNamesAlone(t *testing.T) {
	var asked atomic.Int32
	authority := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		http.Error(w, "down", http.StatusServiceUnavailable)
	}))
	defer authority.Close()
	dir := filepath.Join(t.TempDir(), "acme")
	a, err := certificate.NewACME(certificate.ACMEOptions{Hosts: []string{"ctx.example.org"}, Directory: authority.URL, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v, want mode 0700", info, err)
	}
	for _, name := range []string{"", "evil.example", "sub.ctx.example.org", "127.0.0.1", "../../etc/passwd.org"} {
		if _, err := a.Get(hello(name)); err == nil {
			t.Errorf("a certificate for %q", name)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the authority was asked %d times for names that are not ours", n)
	}
	if !a.Expires().IsZero() {
		t.Errorf("Expires() = %s before there is one", a.Expires())
	}
}

func hello(name string) *tls.ClientHelloInfo {
	return &tls.ClientHelloInfo{ServerName: name, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}}
}

// TestKeptCertificatesAreSealed: with a vault, no file holds a key in the clear, and one that was kept before there was a vault still counts.
func TestKeptCertificatesAreSealed(t *testing.T) {
	v, err := vault.New()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	clear, sealed := certificate.Kept(dir, nil), certificate.Kept(dir, v)
	const text = "-----BEGIN EC PRIVATE KEY-----\n…"
	if err := clear.Put(t.Context(), "a.example", []byte(text)); err != nil {
		t.Fatal(err)
	}
	if got, err := sealed.Get(t.Context(), "a.example"); err != nil || string(got) != text {
		t.Errorf("kept in the clear before: %q, %v", got, err)
	}
	if err := sealed.Put(t.Context(), "a.example", []byte(text)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a.example")
	raw, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(raw), "BEGIN") {
		t.Errorf("at rest: %q, %v", raw, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode of the file: %v, %v, want 0600", info, err)
	}
	if got, err := sealed.Get(t.Context(), "a.example"); err != nil || string(got) != text {
		t.Errorf("sealed and opened: %q, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b.example"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sealed.Get(t.Context(), "b.example"); !errors.Is(err, certificate.ErrMissing) {
		t.Errorf("the file of another name: %v, want that there is none", err)
	}
	if err := sealed.Put(t.Context(), "../out", []byte(text)); err == nil {
		t.Error("a name that leads out of the folder was kept")
	}
}
