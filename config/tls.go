package config

import (
	"net"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/serve/oauth"
)

// TLS are the settings of the certificate that the HTTP server shows: from files, or from an authority (ACME).
type TLS struct {
	Cert, Key        string
	Hosts            List
	Email, Directory string
	AcceptTerms      bool
}

var tlsSettings = []Setting{
	{Key: "http.tls.cert", Doc: "file with the certificate and its chain, PEM: the server speaks HTTPS, and takes the files up when they change",
		value: func(c *Config) Value { return (*textValue)(&c.TLS.Cert) }},
	{Key: "http.tls.key", Doc: "file with the key of that certificate, PEM, which other accounts cannot read",
		value: func(c *Config) Value { return (*textValue)(&c.TLS.Key) }},
	{Key: "http.acme.hosts", Doc: "names of this server that an authority issues certificates for by itself (ACME); it connects to port 443 of each",
		value: func(c *Config) Value { return &c.TLS.Hosts }},
	{Key: "http.acme.accept_terms", Doc: "you have read the terms of that authority, and accept them",
		value: func(c *Config) Value { return (*boolValue)(&c.TLS.AcceptTerms) }},
	{Key: "http.acme.email", Doc: "address that the authority may write to",
		value: func(c *Config) Value { return (*textValue)(&c.TLS.Email) }},
	{Key: "http.acme.directory", Doc: "directory of the authority; default: Let's Encrypt's",
		value: func(c *Config) Value { return (*textValue)(&c.TLS.Directory) }},
}

// check refuses half of a pair, both kinds at once, and names that no authority certifies.
func (t TLS) check() error {
	switch {
	case (t.Cert == "") != (t.Key == ""):
		return invalid("http.tls.cert and http.tls.key go together: set both or neither")
	case t.Cert != "" && len(t.Hosts) > 0:
		return invalid("set http.tls.* or http.acme.*, and not both")
	case len(t.Hosts) == 0 && (t.Email+t.Directory != "" || t.AcceptTerms):
		return invalid("http.acme.* without http.acme.hosts does nothing: name the hosts")
	case len(t.Hosts) > 0 && !t.AcceptTerms:
		return invalid("http.acme.hosts asks an authority for certificates: read its terms, and set http.acme.accept_terms")
	}
	for _, host := range t.Hosts {
		if net.ParseIP(host) != nil || !strings.Contains(host, ".") || strings.ContainsAny(host, ":/*@ ") {
			return invalid("http.acme.hosts: %q is not a full name of a host, such as ctx.example.org", host)
		}
	}
	if t.Directory == "" {
		return nil
	}
	if err := oauth.CheckURL(t.Directory); err != nil {
		return invalid("http.acme.directory: %v", err)
	}
	return nil
}
