package upstream

import (
	"io"
	"net/http"

	"github.com/mark3labs/mcp-go/client/transport"
)

// transport starts the process of a connection, or makes ready to ask its address.
func (p *Pool) transport(c *connection) (transport.Interface, error) {
	s := c.server
	if s.Command != "" {
		return start(s, c.meter)
	}
	return transport.NewStreamableHTTP(s.URL, transport.WithHTTPHeaders(s.Headers), transport.WithHTTPBasicClient(&http.Client{
		Transport:     Limited{http.DefaultTransport, p.options.MaxBytes},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // headers are for this host alone
	}))
}

// Limited bounds the body of every answer, in bytes.
type Limited struct {
	http.RoundTripper
	Most int64
}

// RoundTrip returns an answer whose body fails with an error once it is longer than Most.
func (l Limited) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := l.RoundTripper.RoundTrip(r)
	if err == nil {
		response.Body = &body{ReadCloser: response.Body, left: l.Most}
	}
	return response, err
}

type body struct {
	io.ReadCloser
	left int64
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooMuch
	}
	return n, err
}
