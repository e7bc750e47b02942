package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// TestOAuthUpstream: the gateway signs a user in to a server at a real authorization server, asks for more scopes once the server wants them, and has the
// tokens revoked at the end: those that the authorization server can revoke.
func TestOAuthUpstream(t *testing.T) {
	for _, c := range []struct{ format, ended string }{
		{"opaque", "has revoked them"},
		{"jwt", "has revoked the sign-in; the access token counts there until it ends"},
	} {
		t.Run(c.format, func(t *testing.T) {
			p := openProvider(t, "SCOPES=notes:read notes:write", "FORMAT="+c.format)
			notes := p.openNotes()
			dir := t.TempDir()
			file := filepath.Join(dir, "servers.json")
			if err := os.WriteFile(file, []byte(fmt.Sprintf(`{"mcpServers":{"notes":{"url":"%s/mcp"}}}`, notes)), 0o600); err != nil {
				t.Fatal(err)
			}
			p.signIn(dir, file, "It asks for: notes:read\n")
			gate := newPeer(t, withSealing(t, binary(t, dir, "gateway", "stdio", "--servers", file)))
			waitForServers(t, gate, map[string][]string{"notes": nil})
			call := func(tool, want string) {
				t.Helper()
				if _, raw := gate.ask("tools/call", `{"name":"notes__`+tool+`","arguments":{}}`); !strings.Contains(string(raw), want) {
					t.Errorf("%s: %s, want %q", tool, raw, want)
				}
			}
			call("look", "looked")
			call("write", "it wants a sign-in that allows notes:write: run ctx-mcp gateway signin notes, which asks for that")
			p.signIn(dir, file, "It asks for: notes:read notes:write\n")
			call("write", "wrote")
			out, err := withSealing(t, binary(t, dir, "gateway", "signout", "notes", "--servers", file)).CombinedOutput()
			if err != nil || !strings.Contains(string(out), c.ended) {
				t.Errorf("signout: %s, %v", out, err)
			}
			call("look", "it wants a sign-in")
		})
	}
}

// openNotes starts a server whose callers sign in at the provider: it reads with notes:read, and writes with notes:write.
func (p *provider) openNotes() string {
	p.Helper()
	notes := server.NewMCPServer("notes", "1")
	for tool, answer := range map[string]string{"look": "looked", "write": "wrote"} {
		notes.AddTool(mcp.NewTool(tool, mcp.WithReadOnlyHintAnnotation(true)), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(answer), nil
		})
	}
	inner := server.NewStreamableHTTPServer(notes)
	var s *httptest.Server
	s = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/.well-known/oauth-protected-resource") {
			fmt.Fprintf(w, `{"resource":"%s/mcp","authorization_servers":["%s"]}`, s.URL, p.url)
			return
		}
		body := readAll(p.T, r.Body)
		r.Body = io.NopCloser(strings.NewReader(body))
		refuse := func(status int, why string) {
			w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer resource_metadata="%s/.well-known/oauth-protected-resource/mcp", %s`, s.URL, why))
			w.WriteHeader(status)
		}
		switch has := p.scopesOf(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")); {
		case !slices.Contains(has, "notes:read"):
			refuse(http.StatusUnauthorized, `scope="notes:read"`)
		case strings.Contains(body, `"write"`) && !slices.Contains(has, "notes:write"):
			refuse(http.StatusForbidden, `error="insufficient_scope", scope="notes:write"`)
		default:
			inner.ServeHTTP(w, r)
		}
	}))
	s.Start() // once it is told of itself
	p.Cleanup(s.Close)
	return s.URL
}

// scopesOf returns the scopes of an access token, by its provider or by the token itself.
func (p *provider) scopesOf(token string) []string {
	var told struct {
		Active bool
		Scope  string
	}
	if parts := strings.Split(token, "."); len(parts) == 3 { // who signed it is tested elsewhere
		text, err := base64.RawURLEncoding.DecodeString(parts[1])
		if err == nil {
			err = json.Unmarshal(text, &told)
		}
		if err != nil {
			p.Errorf("the token is no JWT: %v", err)
		}
		return strings.Fields(told.Scope)
	}
	request, err := http.NewRequest(http.MethodPost, p.url+"/token/introspection", strings.NewReader(url.Values{"token": {token}}.Encode()))
	if err != nil {
		p.Error(err)
		return nil
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth("ctx", url.QueryEscape("ctx secret: %&+"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.Error(err)
		return nil
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&told); err != nil || !told.Active {
		return nil
	}
	return strings.Fields(told.Scope)
}

// signIn runs the command, and signs ann in at the provider as a browser does. The output of the command must hold a text.
func (p *provider) signIn(dir, file, want string) {
	p.Helper()
	cmd := withSealing(p.T, binary(p.T, dir, "gateway", "signin", "notes", "--servers", file, "--no-open"))
	cmd.Stderr = os.Stderr
	_, out := piped(p.T, cmd)
	lines := bufio.NewScanner(out)
	lines.Scan()
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.Fatal(err)
	}
	browser := http.Client{Jar: jar}
	page, err := browser.Get(lines.Text())
	if err != nil {
		p.Fatal(err)
	}
	text := readAll(p.T, page.Body)
	if strings.Contains(text, "<form") {
		back, err := browser.PostForm(page.Request.URL.String(), url.Values{"name": {"ann"}})
		if err != nil {
			p.Fatal(err)
		}
		text = readAll(p.T, back.Body)
	}
	if !strings.Contains(text, "ctx-mcp has the answer") {
		p.Errorf("the browser ended at %s", text)
	}
	said := ""
	for lines.Scan() {
		said += lines.Text() + "\n"
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(said, want) || !strings.Contains(said, "signed in to") {
		p.Fatalf("the sign-in said %q, %v", said, err)
	}
}

func readAll(t *testing.T, from io.ReadCloser) string {
	t.Helper()
	defer from.Close()
	text, err := io.ReadAll(from)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}
