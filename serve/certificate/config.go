package certificate

import (
	"crypto/tls"
	"time"

	"golang.org/x/crypto/acme"
)

// Source is Files or ACME.
type Source interface {
	Get(hello *tls.ClientHelloInfo) (*tls.Certificate, error)
	Expires() time.Time // of the certificate in force; zero: there is none yet
}

// Config returns the configuration of a server that shows the certificates of s: TLS 1.2 or later with Go's choice of ciphers, and HTTP/1.1 alone,
// for which the server's limits on connections and streams are made.
func Config(s Source) *tls.Config {
	c := &tls.Config{GetCertificate: s.Get, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	if _, ok := s.(*ACME); ok {
		c.NextProtos = append(c.NextProtos, acme.ALPNProto)
	}
	return c
}
