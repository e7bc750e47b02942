package check

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/letsencrypt/pebble/v2/ca"
	"github.com/letsencrypt/pebble/v2/db"
	"github.com/letsencrypt/pebble/v2/va"
	"github.com/letsencrypt/pebble/v2/wfe"
	"github.com/miekg/dns"
)

const certified = "ctx.example.org"

// authority is Pebble, Let's Encrypt's ACME server for tests, with a name server for which every name is this machine.
type authority struct {
	*testing.T
	web     *httptest.Server
	handler atomic.Pointer[http.Handler]
	orders  atomic.Int32 // for certificates
	roots   *x509.CertPool
	file    string // of the certificate that the authority itself shows
}

func newAuthority(t *testing.T) *authority {
	t.Setenv("PEBBLE_VA_NOSLEEP", "1")
	t.Setenv("PEBBLE_WFE_NONCEREJECT", "0")
	a := &authority{T: t, roots: x509.NewCertPool(), file: filepath.Join(t.TempDir(), "authority.pem")}
	a.web = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/order-plz" {
			a.orders.Add(1)
		}
		(*a.handler.Load()).ServeHTTP(w, r)
	}))
	t.Cleanup(a.web.Close)
	if err := os.WriteFile(a.file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.web.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return a
}

// certifies has the authority prove names by connections to the port.
func (a *authority) certifies(port int) {
	quiet, store := log.New(io.Discard, "", 0), db.NewMemoryStore()
	issuer := ca.New(quiet, store, "", "ecdsa", 0, 1, map[string]ca.Profile{"default": {ValidityPeriod: 90 * 24 * 3600}})
	front := wfe.New(quiet, store, va.New(quiet, 1, port, true, a.names(), store), issuer, []string{"pebble.letsencrypt.org"}, true, false, 1, 1)
	handler := front.Handler()
	a.handler.Store(&handler)
	a.roots.AppendCertsFromPEM(issuer.GetRootCert(0).PEM())
}

// names starts a name server and returns its address.
func (a *authority) names() string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		a.Fatal(err)
	}
	server := &dns.Server{Listener: listener, Handler: dns.HandlerFunc(func(w dns.ResponseWriter, asked *dns.Msg) {
		reply := new(dns.Msg).SetReply(asked)
		if q := asked.Question[0]; q.Qtype == dns.TypeA {
			reply.Answer = append(reply.Answer, &dns.A{Hdr: dns.RR_Header{Name: q.Name, Rrtype: dns.TypeA, Class: dns.ClassINET}, A: net.IPv4(127, 0, 0, 1)})
		}
		_ = w.WriteMsg(reply)
	})}
	go func() { _ = server.ActivateAndServe() }()
	a.Cleanup(func() { _ = server.Shutdown() })
	return listener.Addr().String()
}

// shown connects to a server under a name, and returns the certificate that it shows if the authority has issued it.
func (a *authority) shown(origin, name string) (*x509.Certificate, error) {
	u, err := url.Parse(origin)
	if err != nil {
		a.Fatal(err)
	}
	dialer := &net.Dialer{Timeout: time.Minute}
	conn, err := tls.DialWithDialer(dialer, "tcp", u.Host, &tls.Config{ServerName: name, RootCAs: a.roots})
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0], nil
}

// TestCertificateOfAnAuthority: a server gets its certificate at the first connection, by a proof over TLS, keeps it sealed, and shows it after a
// restart without asking again.
func TestCertificateOfAnAuthority(t *testing.T) {
	a := newAuthority(t)
	data := filepath.Join(t.TempDir(), "data")
	settings := []string{
		"SSL_CERT_FILE=" + a.file, "CTX_MCP_DATA_DIR=" + data, "CTX_MCP_HTTP_ACME_HOSTS=" + certified, "CTX_MCP_HTTP_ACME_ACCEPT_TERMS=true",
		"CTX_MCP_HTTP_ACME_DIRECTORY=" + a.web.URL + wfe.DirectoryPath, "CTX_MCP_ENCRYPTION_KEY=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
	}
	origin, stop := serve(t, settings...)
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "https" {
		t.Fatalf("origin %s, %v, want https", origin, err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	a.certifies(port)
	if _, err := a.shown(origin, "evil.example.org"); err == nil || a.orders.Load() != 0 {
		t.Errorf("a stranger's name: %v, and %d orders", err, a.orders.Load())
	}
	first, err := a.shown(origin, certified)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(filepath.Join(data, "acme", "*"))
	if err != nil || len(kept) < 2 {
		t.Errorf("kept: %v, %v, want the account and the certificate", kept, err)
	}
	for _, path := range kept {
		info, err := os.Stat(path)
		text, _ := os.ReadFile(path)
		if err != nil || info.Mode().Perm() != 0o600 || strings.Contains(string(text), "PRIVATE KEY") {
			t.Errorf("%s: mode %v, %v, or it holds a key in the clear", path, info.Mode(), err)
		}
	}
	stop()
	again, _ := serve(t, settings...)
	second, err := a.shown(again, certified)
	if err != nil || !second.Equal(first) || a.orders.Load() != 1 {
		t.Errorf("after a restart: another certificate, %v, %d orders", err, a.orders.Load())
	}
}
