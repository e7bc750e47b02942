package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/rogpeppe/go-internal/testscript"
)

// selfMade is an authorization server that a script makes itself: its metadata, and one key. Tokens are signed by the script.
type selfMade struct {
	*httptest.Server
	key *ecdsa.PrivateKey
}

// openIssuer is the command `issuer`: it starts the server, and sets $ISSUER.
func openIssuer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: issuer")
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	ts.Check(err)
	i := &selfMade{key: key}
	i.Server = httptest.NewUnstartedServer(i)
	i.Start() // once it is told of itself
	ts.Defer(i.Close)
	ts.Setenv("ISSUER", i.URL)
	sessionOf(ts).issuer = i
}

func (i *selfMade) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/.well-known/oauth-authorization-server":
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": i.URL, "jwks_uri": i.URL + "/keys"})
	case "/keys":
		_ = json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.key.Public(), KeyID: "1", Use: "sig", Algorithm: "ES256"}}})
	default:
		http.NotFound(w, r)
	}
}

// signToken is the command `sign FILE CLAIMS`: it writes a token with the claims, which counts for an hour of the script's clock.
func signToken(ts *testscript.TestScript, neg bool, args []string) {
	i := sessionOf(ts).issuer
	if neg || len(args) != 2 || i == nil {
		ts.Fatalf("usage: sign FILE CLAIMS, after issuer")
	}
	now, err := time.Parse(time.RFC3339, strings.TrimSpace(ts.ReadFile(ts.Getenv("CLOCK_FILE"))))
	ts.Check(err)
	claims := map[string]any{"iss": i.URL, "iat": now.Unix(), "nbf": now.Unix(), "exp": now.Add(time.Hour).Unix()}
	ts.Check(json.Unmarshal([]byte(args[1]), &claims))
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: i.key}, (&jose.SignerOptions{}).WithType("at+jwt").WithHeader("kid", "1"))
	ts.Check(err)
	text, err := jwt.Signed(signer).Claims(claims).Serialize()
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text+"\n"), 0o600))
}

// ask is the command `ask TOOL`: it asks for a tool over HTTP as a client does that has just got its token, and prints the status and the
// header by which the server says how to go on.
func ask(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: ask TOOL")
	}
	response, err := rawCall(sessionOf(ts).url, ts.Getenv("TOKEN"), args[0], "{}")
	ts.Check(err)
	_ = response.Body.Close()
	fmt.Fprintf(ts.Stdout(), "%d %s\n", response.StatusCode, response.Header.Get("WWW-Authenticate"))
}

// rawCall calls a tool in one request of the revision without sessions. An empty token is none.
func rawCall(url, token, tool, arguments string) (*http.Response, error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, tool, arguments)
	request, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
	} {
		request.Header.Set(name, value)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	return http.DefaultClient.Do(request)
}
