package certificate_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/certificate"
)

var epoch = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// issue returns a certificate for a name that signs itself, and its key, both in PEM.
func issue(t *testing.T, name string) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	like := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: epoch.Add(-time.Hour), NotAfter: epoch.Add(30 * 24 * time.Hour),
	}
	raw, err := x509.CreateCertificate(rand.Reader, like, like, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs})
}

// desk is a pair of files with a clock and a log.
type desk struct {
	*testing.T
	cert, key string
	now       time.Time
	log       bytes.Buffer
}

func newDesk(t *testing.T) *desk {
	dir := t.TempDir()
	d := &desk{T: t, cert: filepath.Join(dir, "tls.crt"), key: filepath.Join(dir, "tls.key"), now: epoch}
	d.write(issue(t, "first.example"))
	return d
}

// write replaces both files, as a renewal does; nil leaves one alone.
func (d *desk) write(cert, key []byte) {
	d.Helper()
	for path, text := range map[string][]byte{d.cert: cert, d.key: key} {
		if text == nil {
			continue
		}
		if err := os.WriteFile(path+".new", text, 0o600); err != nil {
			d.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			d.Fatal(err)
		}
	}
}

func (d *desk) open() *certificate.Files {
	d.Helper()
	f, err := certificate.OpenFiles(d.cert, d.key, func() time.Time { return d.now }, slog.New(slog.NewTextHandler(&d.log, nil)))
	if err != nil {
		d.Fatal(err)
	}
	return f
}

// shown returns the name in the certificate that a client of a new connection sees.
func (d *desk) shown(f *certificate.Files) string {
	d.Helper()
	ours, theirs := net.Pipe()
	defer ours.Close()
	defer theirs.Close()
	go func() { _ = tls.Server(ours, certificate.Config(f)).Handshake() }() // ends with the pipe
	client := tls.Client(theirs, &tls.Config{InsecureSkipVerify: true})
	if err := client.Handshake(); err != nil {
		d.Fatal(err)
	}
	return client.ConnectionState().PeerCertificates[0].DNSNames[0]
}

func TestChangedFilesAreTakenUp(t *testing.T) {
	d := newDesk(t)
	f := d.open()
	if got := d.shown(f); got != "first.example" {
		t.Fatalf("at the start: %s", got)
	}
	d.write(issue(t, "second.example"))
	if got := d.shown(f); got != "first.example" {
		t.Errorf("within a second of the last look: %s, want no look", got)
	}
	d.now = d.now.Add(time.Second)
	if got := d.shown(f); got != "second.example" {
		t.Errorf("after a change: %s, want second.example", got)
	}
	if want := epoch.Add(30 * 24 * time.Hour); !f.Expires().Equal(want) {
		t.Errorf("Expires() = %s, want %s", f.Expires(), want)
	}
}

// TestBrokenFilesChangeNothing goes through the states that a renewal can leave behind: the certificate in force stays, and the log says why, once.
func TestBrokenFilesChangeNothing(t *testing.T) {
	d := newDesk(t)
	f := d.open()
	cert, key := issue(t, "second.example")
	for _, tt := range []struct {
		name  string
		spoil func()
	}{
		{"the certificate alone is new", func() { d.write(cert, nil) }},
		{"no PEM", func() { d.write([]byte("renewing…"), nil) }},
		{"nothing", func() { d.write([]byte{}, nil) }},
		{"everybody can read the key", func() {
			d.write(cert, key)
			if err := os.Chmod(d.key, 0o644); err != nil {
				t.Fatal(err)
			}
		}},
		{"the key is gone", func() {
			if err := os.Remove(d.key); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		d.log.Reset()
		tt.spoil()
		for range 3 {
			d.now = d.now.Add(time.Second)
			if got := d.shown(f); got != "first.example" {
				t.Errorf("%s: %s is shown, want the one before", tt.name, got)
			}
		}
		if n := strings.Count(d.log.String(), "is not taken up"); n != 1 {
			t.Errorf("%s: said %d times, want once:\n%s", tt.name, n, &d.log)
		}
		if strings.Contains(d.log.String(), "PRIVATE") {
			t.Errorf("%s: the log quotes the key", tt.name)
		}
	}
	d.write(cert, key)
	d.now = d.now.Add(time.Second)
	if got := d.shown(f); got != "second.example" {
		t.Errorf("once both are right: %s, want second.example", got)
	}
}

func TestUnusableFilesAreRefused(t *testing.T) {
	_, other := issue(t, "other.example")
	for _, tt := range []struct {
		name string
		edit func(*desk)
		want ctxmcp.Code
	}{
		{"another's key", func(d *desk) { d.write(nil, other) }, ctxmcp.CodeUnavailable},
		{"no file", func(d *desk) { d.cert += "x" }, ctxmcp.CodeUnavailable},
		{"everybody can read the key", func(d *desk) { _ = os.Chmod(d.key, 0o604) }, ctxmcp.CodeDenied},
		{"the group can write the key", func(d *desk) { _ = os.Chmod(d.key, 0o660) }, ctxmcp.CodeDenied},
		{"the group can read the key", func(d *desk) { _ = os.Chmod(d.key, 0o640) }, ""},
	} {
		d := newDesk(t)
		tt.edit(d)
		_, err := certificate.OpenFiles(d.cert, d.key, func() time.Time { return epoch }, nil)
		if (err != nil) != (tt.want != "") || err != nil && ctxmcp.CodeOf(err) != tt.want {
			t.Errorf("%s: %v, want code %q", tt.name, err, tt.want)
		}
	}
}
