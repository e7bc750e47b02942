package credentials

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// The bounds of an exchange with an authorization server.
const (
	exchangeTime = 30 * time.Second
	answerBytes  = 1 << 20
)

// fenced returns the client by which authorization servers are asked for a server: in the clear only on this machine, on this machine only if the
// server is there too, and without following a redirect, which would take a code or a token elsewhere.
func fenced(server string) *http.Client {
	u, err := url.Parse(server)
	return &http.Client{
		Timeout: exchangeTime, Transport: fence{http.DefaultTransport, err == nil && isLocal(u)},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type fence struct {
	http.RoundTripper
	local bool
}

var errOutside = errors.New("the address is not one of https")

// RoundTrip implements http.RoundTripper.
func (f fence) RoundTrip(r *http.Request) (*http.Response, error) {
	if !f.lets(r.URL) {
		return nil, errOutside
	}
	response, err := f.RoundTripper.RoundTrip(r)
	if err == nil {
		response.Body = bounded{io.LimitReader(response.Body, answerBytes), response.Body}
	}
	return response, err
}

func (f fence) lets(u *url.URL) bool {
	if isLocal(u) {
		return f.local
	}
	return u.Scheme == "https"
}

type bounded struct {
	io.Reader
	io.Closer
}

// isLocal reports whether an address is one of this machine.
func isLocal(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// origin returns the scheme and the host of an address.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

func refused(format string, args ...any) *ctxmcp.Error {
	return ctxmcp.Errorf(ctxmcp.CodeDenied, format, args...)
}
