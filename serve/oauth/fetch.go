package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// The bounds of an answer of the authorization server.
const (
	fetchTimeout = 5 * time.Second
	maxAnswer    = 1 << 20 // bytes
)

// fetcher reads JSON from the authorization server.
type fetcher struct{ client *http.Client }

func defaultClient() *http.Client {
	return &http.Client{
		Timeout:       fetchTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// errNoDocument is the fault of an answer without the document that was asked for.
type errNoDocument struct{ error }

func (f fetcher) get(ctx context.Context, from string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return err
	}
	return f.do(request, into)
}

func (f fetcher) do(request *http.Request, into any) error {
	status, text, err := f.send(request)
	switch {
	case err != nil:
		return err
	case status != http.StatusOK:
		return errNoDocument{fmt.Errorf("%s answers with status %d", request.URL.Host, status)}
	}
	if err := json.Unmarshal(text, into); err != nil {
		return errNoDocument{fmt.Errorf("the answer of %s is not the JSON that it should be", request.URL.Host)}
	}
	return nil
}

// send returns the status and the text of an answer.
func (f fetcher) send(request *http.Request) (status int, text []byte, err error) {
	if err := CheckURL(request.URL.String()); err != nil {
		return 0, nil, err
	}
	request.Header.Set("Accept", "application/json")
	answer, err := f.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	text, err = io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	if err == nil && len(text) > maxAnswer {
		err = fmt.Errorf("the answer of %s is larger than %d bytes", request.URL.Host, maxAnswer)
	}
	return answer.StatusCode, text, err
}

// CheckURL returns why an address of the authorization server cannot be used: it has to be https, or on this machine.
func CheckURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.User != nil:
		return errors.New("it is not a URL of a host, without a password")
	case u.Scheme == "https", u.Scheme == "http" && local(u.Hostname()):
		return nil
	}
	return errors.New("it is not https")
}

func local(name string) bool {
	ip, err := netip.ParseAddr(name)
	return strings.EqualFold(name, "localhost") || err == nil && ip.IsLoopback()
}

// metadata is the part of the issuer's metadata that is used here (RFC 8414, section 2; OpenID Connect Discovery, section 3).
type metadata struct {
	Issuer        string
	Keys          string   `json:"jwks_uri"`
	Authorization string   `json:"authorization_endpoint"`
	Token         string   `json:"token_endpoint"`
	UserInfo      string   `json:"userinfo_endpoint"`
	TokenAuth     []string `json:"token_endpoint_auth_methods_supported"`
	NamesIssuer   bool     `json:"authorization_response_iss_parameter_supported"` // RFC 9207
}

// discover returns the metadata of the issuer. Its places are those that the MCP specification has clients try: RFC 8414, then OpenID Connect
// discovery in both forms. What a server answers where it has none differs: a status, or the page that it has for all paths.
func (v *Verifier) discover(ctx context.Context) (found metadata, err error) {
	issuer, err := url.Parse(v.o.Issuer)
	if err != nil {
		return found, err
	}
	origin, path := issuer.Scheme+"://"+issuer.Host, strings.TrimSuffix(issuer.EscapedPath(), "/")
	places := []string{
		origin + "/.well-known/oauth-authorization-server" + path,
		origin + "/.well-known/openid-configuration" + path,
		origin + path + "/.well-known/openid-configuration",
	}
	for _, place := range places {
		found = metadata{}
		err = v.http.get(ctx, place, &found)
		if _, none := errors.AsType[errNoDocument](err); !none {
			break
		}
	}
	switch {
	case err != nil:
		return found, fmt.Errorf("metadata of the issuer: %w", err)
	case found.Issuer != v.o.Issuer: // RFC 8414, section 3.3
		return found, fmt.Errorf("the metadata is of the issuer %q: auth.oauth.issuer has to be the same, to the last slash", found.Issuer)
	case found.Keys == "":
		return found, errors.New("the metadata names no jwks_uri")
	}
	return found, nil
}
