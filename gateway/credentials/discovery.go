package credentials

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
)

const (
	resourcePath = "/.well-known/oauth-protected-resource"
)

// discovery sends the library's requests before a sign-in, and mends them: a registration names no scopes where there are none and says that the program is
// a native one, and the description of a server is looked for at the root where it is not at its path. It keeps the members that the library does not read.
type discovery struct {
	http.RoundTripper
	scopes []string // that the server's description names
	names  bool     // the authorization server says that its answers name it (RFC 9207)
}

// RoundTrip implements http.RoundTripper.
func (d *discovery) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		return d.described(r)
	}
	if r.Body == nil || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return d.RoundTripper.RoundTrip(r)
	}
	text, err := io.ReadAll(r.Body)
	if err == nil {
		text, err = registration(text)
	}
	if err != nil {
		return nil, errors.Join(err, r.Body.Close())
	}
	out := r.Clone(r.Context())
	out.Body, out.ContentLength, out.GetBody = io.NopCloser(bytes.NewReader(text)), int64(len(text)), nil
	response, err := d.RoundTripper.RoundTrip(out)
	return response, errors.Join(err, r.Body.Close())
}

// registration returns a registration as a program on a user's machine has it: an empty text, as the library sends it, is no list of scopes (RFC 7591,
// section 2), and refused by some; the kind "web", which counts where none is named, allows no address on loopback.
func registration(text []byte) ([]byte, error) {
	var asked map[string]json.RawMessage
	if json.Unmarshal(text, &asked) != nil || asked["redirect_uris"] == nil {
		return text, nil
	}
	if string(asked["scope"]) == `""` {
		delete(asked, "scope")
	}
	asked["application_type"] = json.RawMessage(`"native"`)
	return json.Marshal(asked)
}

// described fetches a description: of a server, also from the root of its host (RFC 9728, section 3.1), or of an authorization server.
func (d *discovery) described(r *http.Request) (*http.Response, error) {
	response, err := d.RoundTripper.RoundTrip(r)
	if err == nil && response.StatusCode == http.StatusNotFound && strings.HasPrefix(r.URL.Path, resourcePath+"/") {
		_ = response.Body.Close()
		root := r.Clone(r.Context())
		root.URL.Path, root.URL.RawPath = resourcePath, ""
		response, err = d.RoundTripper.RoundTrip(root)
	}
	if err != nil || response.StatusCode != http.StatusOK {
		return response, err
	}
	text, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	var said struct {
		Resource string   `json:"resource"`
		Scopes   []string `json:"scopes_supported"`
		Names    bool     `json:"authorization_response_iss_parameter_supported"`
	}
	if json.Unmarshal(text, &said) == nil { // the library refuses what is no JSON
		if said.Resource != "" {
			d.scopes = said.Scopes
		} else {
			d.names = said.Names
		}
	}
	response.Body = io.NopCloser(bytes.NewReader(text))
	return response, nil
}

// challenged asks the server as a client without a token does, and returns the challenge of its refusal. A server may greet everybody and refuse what comes
// then, so that its tools are asked for, too: in the session that it began, or without one where it knows no greeting.
func challenged(ctx context.Context, client *http.Client, address string) ([]string, error) {
	hello := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"ctx-mcp","version":"1"}}}`,
		mcp.LATEST_LEGACY_PROTOCOL_VERSION)
	greeted, err := asked(ctx, client, address, hello, nil)
	if err != nil || greeted.StatusCode == http.StatusUnauthorized {
		return challengeOf(greeted), err
	}
	list, headers := `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`, map[string]string{"Mcp-Protocol-Version": mcp.LATEST_LEGACY_PROTOCOL_VERSION}
	if greeted.StatusCode == http.StatusOK {
		if session := greeted.Header.Get(transport.HeaderKeySessionID); session != "" {
			headers[transport.HeaderKeySessionID] = session
		}
	} else {
		params := fmt.Sprintf(`{"_meta":{%q:%q,%q:{"name":"ctx-mcp","version":"1"},%q:{}}}`,
			mcp.MetaKeyProtocolVersion, mcp.LATEST_PROTOCOL_VERSION, mcp.MetaKeyClientInfo, mcp.MetaKeyClientCapabilities)
		list = `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":` + params + `}`
		headers = mcp.StandardHeaders(mcp.LATEST_PROTOCOL_VERSION, mcp.MethodToolsList, json.RawMessage(params))
	}
	listed, err := asked(ctx, client, address, list, headers)
	if err != nil || listed.StatusCode == http.StatusUnauthorized {
		return challengeOf(listed), err
	}
	return nil, ctxmcp.Errorf(ctxmcp.CodeConflict, "the server asks for no sign-in: it answers %d to a client without a token", greeted.StatusCode)
}

func challengeOf(r *http.Response) []string {
	if r == nil {
		return nil
	}
	return r.Header.Values("WWW-Authenticate")
}

// asked sends a message, and returns the answer without its body.
func asked(ctx context.Context, client *http.Client, address, message string, headers map[string]string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(message))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the server cannot be reached").WithCause(err)
	}
	return response, response.Body.Close()
}
