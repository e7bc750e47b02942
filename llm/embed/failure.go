package embed

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"

	"github.com/cenkalti/backoff/v5"
	ctxmcp "github.com/ctx-mcp/ctx-mcp"
)

// wrong returns CodeUnavailable for an answer that breaks the API; the format names the fault of the endpoint.
func wrong(format string, args ...any) *ctxmcp.Error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the embedding endpoint %s", fmt.Sprintf(format, args...)).
		WithHint("check the embedding model and dimensions in the configuration")
}

// ended returns the error for a caller's context that is over. The cause is one of the two of package context.
func ended(cause error) *ctxmcp.Error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the call ended before the embedding endpoint answered").WithCause(cause)
}

// explain turns the error of one attempt into a *ctxmcp.Error that quotes nothing, wrapped as backoff.Retry needs it:
// permanent, to be repeated, or, if obey, to be repeated after the wait that the endpoint asked for.
func explain(err error, obey bool) error {
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok {
		return backoff.Permanent(e)
	}
	if s, ok := errors.AsType[*statusError](err); ok {
		return explainStatus(s, obey)
	}
	if _, sending := errors.AsType[*url.Error](err); sending || isEnd(err) {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the embedding endpoint did not answer: %s", reason(err)).
			WithHint("retry later")
	}
	return backoff.Permanent(wrong("sent an answer that is not a JSON list of vectors"))
}

func explainStatus(s *statusError, obey bool) error {
	e := statusMeaning(s.code)
	switch {
	case !passing(s.code):
		return backoff.Permanent(e)
	case !obey || s.after == 0:
		return e
	case s.after > longestRetryAfter:
		return backoff.Permanent(e.WithHint("retry in %s", s.after))
	}
	return errors.Join(e, &backoff.RetryAfterError{Duration: s.after})
}

// passing reports whether a status may be another one at the next attempt.
func passing(code int) bool {
	return code == http.StatusRequestTimeout || code == http.StatusTooManyRequests || code >= 500
}

// statusMeaning returns the error for a status. Only a refusal of the request itself is blamed on the texts.
func statusMeaning(code int) *ctxmcp.Error {
	fail := func(c ctxmcp.Code, what, hint string) *ctxmcp.Error {
		return ctxmcp.Errorf(c, "the embedding endpoint %s (status %d)", what, code).WithHint("%s", hint)
	}
	switch code {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return fail(ctxmcp.CodeInvalid, "refused the request",
			"shorten the texts; if short ones fail too, check the embedding model and dimensions in the configuration")
	case http.StatusRequestEntityTooLarge:
		return fail(ctxmcp.CodeTooLarge, "finds the texts too large", "send shorter texts, or fewer")
	case http.StatusUnauthorized, http.StatusForbidden:
		return fail(ctxmcp.CodeUnavailable, "refused the API key", "check the embedding key in the configuration")
	case http.StatusNotFound:
		return fail(ctxmcp.CodeUnavailable, "does not know the model or the path",
			"check the embedding model and base URL in the configuration")
	case http.StatusTooManyRequests:
		return fail(ctxmcp.CodeUnavailable, "limits the rate of requests", "retry later")
	}
	return fail(ctxmcp.CodeUnavailable, "failed", "retry later")
}

// reasons names the causes of a failed attempt that help an operator, in the order in which they are tried. Their
// texts are fixed because the error's own may quote the endpoint.
var reasons = []struct {
	is   func(error) bool
	name string
}{
	{isTimeout, "it took too long"},
	{causedBy(syscall.ECONNREFUSED), "the connection was refused"},
	{causedBy(syscall.ECONNRESET), "the connection was reset"},
	{isA[*net.DNSError], "the host name does not resolve"},
	{isA[*tls.CertificateVerificationError], "its TLS certificate does not verify"},
	{isEnd, "the connection closed before the answer was complete"},
}

func reason(err error) string {
	for _, r := range reasons {
		if r.is(err) {
			return r.name
		}
	}
	return "the connection failed"
}

func isTimeout(err error) bool {
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}

func isEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func causedBy(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}
