package embed

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// maxAnswer is the most bytes of an answer, after decompression: 64 vectors of 4,096 dimensions take under 6 MiB of JSON.
const maxAnswer = 256 << 20

// guard stands between the API client and the network. It hands on complete, bounded, successful answers only. Against the
// custom of RoundTripper it makes any other status an error: so no redirect is followed, and the API client never reads,
// and then quotes, a body that may repeat the key or the texts.
type guard struct {
	next  http.RoundTripper
	limit int64
}

// guarded returns a copy of the client with a guard around its transport.
func guarded(client *http.Client) *http.Client {
	c := *client
	if c.Transport == nil {
		c.Transport = http.DefaultTransport
	}
	c.Transport = &guard{next: c.Transport, limit: maxAnswer}
	return &c
}

// RoundTrip returns an answer whose body is in memory. Its errors are those of the transport, a *statusError, or what
// wrong returns.
func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := g.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, &statusError{code: resp.StatusCode, after: retryAfter(resp)}
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, g.limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(body)) > g.limit:
		return nil, wrong("sent an answer of more than %d bytes", g.limit)
	case nullElement(body):
		return nil, wrong("sent null for a number or a vector")
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// statusError is an answer with a status outside 2xx. It keeps numbers only: the endpoint chose all the rest.
type statusError struct {
	code  int
	after time.Duration // the wait that Retry-After asks for on 429 and 503; else 0
}

// Error returns the status code.
func (e *statusError) Error() string { return fmt.Sprintf("status %d", e.code) }

// retryAfter reads Retry-After as seconds or as a date (RFC 9110, section 10.2.3).
func retryAfter(resp *http.Response) time.Duration {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	value := resp.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}
