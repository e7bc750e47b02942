package embed

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/cenkalti/backoff/v5"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
)

// Options says which endpoint to call and how patiently. BaseURL and Model are required; any other zero value means the
// default. However it is printed or logged, the API key and the URL are left out.
type Options struct {
	BaseURL    string        // up to the version, such as http://127.0.0.1:11434/v1; no user, query or fragment
	Model      string        // as the endpoint names it
	APIKey     string        // sent as a bearer token; empty sends none
	Dimensions int           // asked for and enforced; 0 takes the model's own
	BatchSize  int           // most texts in a request; default 64
	Timeout    time.Duration // for one attempt; default 30 s
	// MaxAttempts bounds the requests made for one batch, the first included; default 4.
	MaxAttempts int
	// HTTPClient is copied, and its transport wrapped; default a client of its own. Redirects are never followed.
	HTTPClient *http.Client
	// Backoff returns the waits between the attempts at one batch. The default grows from 200 ms to 10 s with jitter,
	// and gives way to Retry-After on 429 and 503; one set here is obeyed alone.
	Backoff func() backoff.BackOff
	OpenFor time.Duration // how long the circuit breaker stays open; default 30 s
}

// String names the vector space only.
func (o Options) String() string { return "embed.Options(" + o.space() + ")" }

// Format writes String for every verb, since %d and %#v would otherwise print the fields.
func (o Options) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, o.String()) }

// LogValue returns String for slog.
func (o Options) LogValue() slog.Value { return slog.StringValue(o.String()) }

// space returns the name of the vector space, as Client.Model documents.
func (o Options) space() string {
	if o.Dimensions == 0 {
		return o.Model
	}
	return o.Model + "@" + strconv.Itoa(o.Dimensions)
}

func (o Options) withDefaults() Options {
	o.BatchSize = cmp.Or(o.BatchSize, 64)
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	o.MaxAttempts = cmp.Or(o.MaxAttempts, 4)
	o.OpenFor = cmp.Or(o.OpenFor, 30*time.Second)
	if o.HTTPClient == nil {
		o.HTTPClient = &http.Client{Transport: ownTransport()}
	}
	return o
}

// validate returns CodeInvalid for the first option that cannot work. It never quotes the URL or the key.
func (o Options) validate() error {
	if err := validateURL(o.BaseURL); err != nil {
		return err
	}
	if strings.TrimSpace(o.Model) == "" {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the embedding model is not set")
	}
	if strings.ContainsFunc(o.APIKey, unicode.IsControl) {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the embedding API key holds a control character").
			WithHint("look for a line break at its end")
	}
	for _, n := range []struct {
		name     string
		negative bool
	}{
		{"dimensions", o.Dimensions < 0},
		{"batch size", o.BatchSize < 0},
		{"timeout", o.Timeout < 0},
		{"number of attempts", o.MaxAttempts < 0},
		{"open time of the circuit breaker", o.OpenFor < 0},
	} {
		if n.negative {
			return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the embedding %s is negative", n.name)
		}
	}
	return nil
}

func validateURL(base string) error {
	if base == "" {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the embedding base URL is not set")
	}
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the embedding base URL is not an http or https URL")
	case u.User != nil:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the embedding base URL holds a user").
			WithHint("set the API key instead")
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(base, "#"):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the embedding base URL holds a query or a fragment").
			WithHint("end it at the version, such as /v1")
	}
	return nil
}

// ownTransport returns a transport with the settings of http.DefaultTransport and connections of its own.
func ownTransport() http.RoundTripper {
	if t, ok := http.DefaultTransport.(*http.Transport); ok {
		return t.Clone()
	}
	return http.DefaultTransport
}
