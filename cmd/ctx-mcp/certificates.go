package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/serve/certificate"
)

// acmeFolder keeps what an authority issued, in the data directory.
const acmeFolder = "acme"

// tls returns the configuration with which the server speaks HTTPS, nil if none is configured.
func (a *app) tls() (*tls.Config, error) {
	source, err := a.certificates()
	if source == nil || err != nil {
		return nil, err
	}
	a.metrics.registry.MustRegister(certificateMetric(source))
	return certificate.Config(source), nil
}

// certificateMetric tells in /metrics when the certificate ends.
func certificateMetric(source certificate.Source) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "ctx_mcp_certificate_expires_timestamp_seconds", Help: "When the certificate of the server ends; 0 before an authority has issued the first.",
	}, func() float64 {
		if at := source.Expires(); !at.IsZero() {
			return float64(at.Unix())
		}
		return 0
	})
}

// certificates returns the configured source of certificates, or nil.
func (a *app) certificates() (certificate.Source, error) {
	t := a.config.TLS
	switch {
	case t.Cert != "":
		return certificate.OpenFiles(t.Cert, t.Key, a.sys.now, a.logger)
	case len(t.Hosts) > 0:
		o := certificate.ACMEOptions{
			Hosts: t.Hosts, Email: t.Email, Directory: t.Directory, Dir: filepath.Join(a.config.DataDir, acmeFolder), Logger: a.logger,
		}
		if a.vault != nil {
			o.Sealer = a.vault
		}
		return certificate.NewACME(o)
	}
	return nil, nil
}

// soon is the time before its end from which doctor finds fault with a certificate.
const soon = 7 * 24 * time.Hour

func checkCertificate(_ context.Context, p *patient) (string, error) {
	t := p.config.TLS
	switch {
	case len(t.Hosts) > 0:
		return fmt.Sprintf("an authority issues it for %s", &t.Hosts), nil
	case t.Cert == "":
		return "none configured: ctx-mcp http speaks HTTP without TLS", nil
	}
	files, err := certificate.OpenFiles(t.Cert, t.Key, p.sys.now, nil)
	if err != nil {
		return "", err
	}
	ends := files.Expires()
	if left := ends.Sub(p.sys.now()); left < soon {
		return "", ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the certificate in %s ends at %s", t.Cert, ends.Format(time.RFC3339)).
			WithHint("renew it: the server takes the new files up by itself")
	}
	return "counts until " + ends.Format(time.DateOnly), nil
}
