package credentials

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Grant is what a user has got by signing in to a server, and whom to ask for the next token.
type Grant struct {
	Server        string    `json:"server"` // its address
	Issuer        string    `json:"issuer,omitempty"`
	TokenEndpoint string    `json:"token_endpoint,omitempty"`
	Revocation    string    `json:"revocation_endpoint,omitempty"` // "": the authorization server names none
	Resource      string    `json:"resource,omitempty"`            // RFC 8707
	ClientID      string    `json:"client_id,omitempty"`
	ClientSecret  string    `json:"client_secret,omitempty"`
	Basic         bool      `json:"basic,omitempty"` // the secret goes in a header
	Access        string    `json:"access,omitempty"`
	Refresh       string    `json:"refresh,omitempty"`
	Expires       time.Time `json:"expires,omitzero"`
	Over          bool      `json:"over,omitempty"`   // it cannot be renewed
	Scopes        []string  `json:"scopes,omitempty"` // that were granted
	Wanted        []string  `json:"wanted,omitempty"` // for which the server has refused a request: the next sign-in asks for them
}

// answer is the answer of a token endpoint.
type answer struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	Seconds int64  `json:"expires_in"`
	Error   string `json:"error"`
}

// renew asks the authorization server that gave the grant for the next token. It returns ErrOver where that is refused for good, and any other error
// where it may work later.
func (g Grant) renew(ctx context.Context, client *http.Client, now time.Time) (Grant, error) {
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {g.Refresh}}
	if g.Resource != "" {
		form.Set("resource", g.Resource)
	}
	response, err := g.post(ctx, client, g.TokenEndpoint, form)
	if err != nil {
		return Grant{}, unreachable(g.Issuer)
	}
	defer response.Body.Close()
	var a answer
	text, err := io.ReadAll(response.Body)
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	switch {
	case a.Error == "invalid_grant" || a.Error == "invalid_client" || a.Error == "unauthorized_client":
		return Grant{}, ErrOver
	case err != nil || response.StatusCode/100 != 2 || a.Access == "" || a.Error != "":
		return Grant{}, unreachable(g.Issuer)
	}
	return g.next(a, now), nil
}

// post asks the authorization server as the client that the sign-in was given to.
func (g Grant) post(ctx context.Context, client *http.Client, endpoint string, form url.Values) (*http.Response, error) {
	if !g.Basic {
		form.Set("client_id", g.ClientID)
		if g.ClientSecret != "" {
			form.Set("client_secret", g.ClientSecret)
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Accept", "application/json")
	if g.Basic {
		request.SetBasicAuth(url.QueryEscape(g.ClientID), url.QueryEscape(g.ClientSecret))
	}
	return client.Do(request)
}

func unreachable(issuer string) error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%s, where the sign-in is renewed, gives no token now", issuer).WithHint("try again later")
}

// next returns the grant with the tokens of an answer.
func (g Grant) next(a answer, now time.Time) Grant {
	g.Access, g.Expires = a.Access, time.Time{}
	if a.Refresh != "" {
		g.Refresh = a.Refresh
	}
	if a.Seconds > 0 {
		g.Expires = now.Add(time.Duration(min(a.Seconds, 10*365*24*3600)) * time.Second).UTC()
	}
	return g
}

// String tells no token.
func (g Grant) String() string { return fmt.Sprintf("a sign-in to %s by %s", g.Server, g.Issuer) }
