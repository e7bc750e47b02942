package certificate

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"github.com/ctx-mcp/ctx-mcp"
)

// ACMEOptions configures an authority that issues certificates by itself. Hosts and Dir are required.
type ACMEOptions struct {
	Hosts     []string // the only names that a certificate is asked for
	Email     string   // that the authority may write to; "": none
	Directory string   // URL of the authority's directory; default: Let's Encrypt's
	Dir       string   // folder that keeps the account's key and the certificates, for the owner alone
	Sealer    Sealer   // seals the files in Dir; nil: nothing does
	Client    *http.Client
	Logger    *slog.Logger
}

// Sealer seals the files at rest. Open returns an error for whatever Seal did not seal for the place.
type Sealer interface {
	Seal(plain, place []byte) ([]byte, error)
	Open(sealed, place []byte) ([]byte, error)
}

// ACME asks an authority for certificates and renews them. The authority proves control of a name by a connection to its port 443, which has to
// reach this server (tls-alpn-01, RFC 8737).
type ACME struct {
	manager autocert.Manager
	expires atomic.Pointer[time.Time] // of the certificate that was shown last
}

// NewACME makes the folder if there is none, and asks nobody yet: the first connection under a name does.
func NewACME(o ACMEOptions) (*ACME, error) {
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the folder of certificates cannot be made").WithCause(err)
	}
	log := o.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &ACME{manager: autocert.Manager{
		Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(o.Hosts...), Email: o.Email,
		Cache:  kept{autocert.DirCache(o.Dir), o.Sealer, log},
		Client: &acme.Client{DirectoryURL: o.Directory, HTTPClient: o.Client, UserAgent: "ctx-mcp"},
	}}, nil
}

// Get returns the certificate of the name that a client asks for, and waits for the authority if there is none yet.
func (a *ACME) Get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	pair, err := a.manager.GetCertificate(hello)
	if err == nil && len(hello.SupportedProtos) == 1 && hello.SupportedProtos[0] == acme.ALPNProto {
		return pair, nil // the authority's proof, not a certificate
	}
	if leaf := leafOf(pair); err == nil && leaf != nil {
		a.expires.Store(&leaf.NotAfter)
	}
	return pair, err
}

// Expires returns the instant at which the certificate ends that was shown last, or zero before the first.
func (a *ACME) Expires() time.Time {
	if at := a.expires.Load(); at != nil {
		return *at
	}
	return time.Time{}
}

func leafOf(pair *tls.Certificate) *x509.Certificate {
	switch {
	case pair == nil || len(pair.Certificate) == 0:
		return nil
	case pair.Leaf != nil:
		return pair.Leaf
	}
	leaf, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		return nil
	}
	return leaf
}

// kept keeps the account's key and the certificates in files of mode 0600, sealed where there is a Sealer.
type kept struct {
	autocert.Cache
	sealer Sealer
	log    *slog.Logger
}

// Get implements autocert.Cache. A file that was written before anything was sealed is read as it is. One that does not open counts as missing:
// the authority issues another.
func (k kept) Get(ctx context.Context, name string) ([]byte, error) {
	text, err := k.Cache.Get(ctx, name)
	if err != nil || k.sealer == nil || strings.HasPrefix(string(text), "-----BEGIN ") {
		return text, err
	}
	plain, err := k.sealer.Open(text, place(name))
	if err != nil {
		k.log.WarnContext(ctx, "a kept certificate does not open, another is asked for", "name", name, "error", err)
		return nil, autocert.ErrCacheMiss
	}
	return plain, nil
}

// Put implements autocert.Cache.
func (k kept) Put(ctx context.Context, name string, text []byte) error {
	if filepath.Base(name) != name {
		return errors.New("the name of a certificate is no name of a file")
	}
	if k.sealer != nil {
		var err error
		if text, err = k.sealer.Seal(text, place(name)); err != nil {
			return err
		}
	}
	return k.Cache.Put(ctx, name, text)
}

func place(name string) []byte { return []byte("certificate/" + name) }
