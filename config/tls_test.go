package config

import (
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

func TestCertificateSettings(t *testing.T) {
	for _, tt := range []struct{ file, want string }{
		{"http: {tls: {cert: a.pem, key: a.key}}", ""},
		{"http: {acme: {hosts: [ctx.example.org, b.example.org], accept_terms: true, email: ops@example.org}}", ""},
		{"http: {acme: {hosts: ctx.example.org, accept_terms: true, directory: 'https://ca.example.org/dir'}}", ""},
		{"http: {tls: {cert: a.pem}}", "go together"},
		{"http: {tls: {key: a.key}}", "go together"},
		{"http: {tls: {cert: a.pem, key: a.key}, acme: {hosts: ctx.example.org, accept_terms: true}}", "not both"},
		{"http: {acme: {hosts: ctx.example.org}}", "accept_terms"},
		{"http: {acme: {email: ops@example.org}}", "without http.acme.hosts"},
		{"http: {acme: {hosts: 192.0.2.1, accept_terms: true}}", "full name of a host"},
		{"http: {acme: {hosts: '*.example.org', accept_terms: true}}", "full name of a host"},
		{"http: {acme: {hosts: 'https://ctx.example.org', accept_terms: true}}", "full name of a host"},
		{"http: {acme: {hosts: localhost, accept_terms: true}}", "full name of a host"},
		{"http: {acme: {hosts: ctx.example.org, accept_terms: true, directory: 'http://ca.example.org/dir'}}", "not https"},
	} {
		err := fileWith(t, tt.file).Load(environment(nil), noFlags)
		if tt.want == "" && err != nil || tt.want != "" && (ctxmcp.CodeOf(err) != ctxmcp.CodeInvalid || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.file, err, tt.want)
		}
	}
}
