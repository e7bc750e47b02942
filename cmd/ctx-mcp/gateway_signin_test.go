package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/ctx-mcp/ctx-mcp/gateway/credentials/issuertest"
)

// withSealing gives a command a key of the installation.
func withSealing(t *testing.T, cmd *exec.Cmd) *exec.Cmd {
	t.Helper()
	cmd.Env = append(cmd.Env, "CTX_MCP_ENCRYPTION_KEY=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
	return cmd
}

// TestGatewaySignIn: a server that wants a sign-in says which command to run; after the command its tools are there and the token goes with each
// call; one that the server refuses is renewed; once that fails the error says so. No token is in an answer or in a file.
func TestGatewaySignIn(t *testing.T) {
	i := issuertest.New(t)
	notes := server.NewMCPServer("notes", "1")
	notes.AddTool(mcp.NewTool("read", mcp.WithReadOnlyHintAnnotation(true)), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("the note, for " + r.Header.Get("Authorization")), nil
	})
	i.Inner = server.NewStreamableHTTPServer(notes)
	dir := t.TempDir()
	file := filepath.Join(dir, "servers.json")
	if err := os.WriteFile(file, []byte(fmt.Sprintf(`{"mcpServers":{"notes":{"url":"%s/mcp"}}}`, i.MCP.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPeer(t, withSealing(t, binary(t, dir, "gateway", "stdio", "--servers", file)))
	call := func(want string) string {
		t.Helper()
		for began := time.Now(); ; {
			answer, raw := p.ask("tools/call", `{"name":"notes__read","arguments":{}}`)
			if strings.Contains(string(raw), want) {
				return string(raw)
			}
			if time.Since(began) > 30*time.Second {
				t.Fatalf("a call answers %v, want %q", answer, want)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	p.ask("tools/list", `{}`)
	if out, err := withSealing(t, binary(t, dir, "gateway", "status")).Output(); err != nil || !strings.Contains(string(out), "ctx-mcp gateway signin notes") {
		t.Errorf("the status is %s, %v", out, err)
	}
	if out, err := binary(t, dir, "gateway", "signin", "notes", "--servers", file, "--no-open").CombinedOutput(); err == nil || !strings.Contains(string(out), "sealed") {
		t.Errorf("without a key: %s, %v", out, err)
	}

	signedIn(t, dir, file)
	if got := call("the note"); strings.Contains(got, "access-token") || !strings.Contains(got, "HIDDEN") {
		t.Errorf("the token is in %s", got)
	}
	i.Revoke("access-token-1")
	if got := call("the note"); strings.Contains(got, "access-token") {
		t.Errorf("the next token is in %s", got)
	}
	i.Over = true
	i.Revoke("access-token-2")
	if got := call("has run out: run ctx-mcp gateway signin notes"); strings.Contains(got, "-token-") {
		t.Errorf("a token is in %s", got)
	}
	if out, err := exec.Command("grep", "-r", "-l", "-e", "access-token", "-e", "refresh-token", dir).Output(); err == nil {
		t.Errorf("a token rests in %s", out)
	}
	i.Over = false
	signedIn(t, dir, file)
	call("the note")
	refresh := fmt.Sprint("refresh-token-", i.Renewals())
	if out, err := withSealing(t, binary(t, dir, "gateway", "signout", "notes", "--servers", file)).CombinedOutput(); err != nil || !strings.Contains(string(out), i.URL+" has revoked them") {
		t.Errorf("signout: %s, %v", out, err)
	}
	if i.Good(refresh) {
		t.Error("after the sign-out the refresh token counts")
	}
	call("wants a sign-in")
	signedIn(t, dir, file)
	if out, err := binary(t, dir, "gateway", "signout", "notes", "--servers", file).CombinedOutput(); err != nil || !strings.Contains(string(out), "no key here opens them") {
		t.Errorf("signout without a key: %s, %v", out, err)
	}
	call("wants a sign-in")
}

// TestGatewayScopes: a call for which the sign-in does not suffice says which scopes are wanted and which command asks for them; the command does, and takes
// the address at which a browser elsewhere ended. The call is made then by the gateway that runs.
func TestGatewayScopes(t *testing.T) {
	i := issuertest.New(t)
	i.Needs = "notes:write"
	notes := server.NewMCPServer("notes", "1")
	notes.AddTool(mcp.NewTool("note", mcp.WithReadOnlyHintAnnotation(true)), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("noted"), nil
	})
	i.Inner = server.NewStreamableHTTPServer(notes)
	dir := t.TempDir()
	file := filepath.Join(dir, "servers.json")
	if err := os.WriteFile(file, []byte(fmt.Sprintf(`{"mcpServers":{"notes":{"url":"%s/mcp"}}}`, i.MCP.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	signedIn(t, dir, file)
	p := newPeer(t, withSealing(t, binary(t, dir, "gateway", "stdio", "--servers", file)))
	waitForServers(t, p, map[string][]string{"notes": nil})
	call := func(arguments, want string) {
		t.Helper()
		if _, raw := p.ask("tools/call", `{"name":"notes__note","arguments":`+arguments+`}`); !strings.Contains(string(raw), want) {
			t.Errorf("%s: %s, want %q", arguments, raw, want)
		}
	}
	call(`{}`, "noted")
	call(`{"for":"notes:write"}`, "it wants a sign-in that allows notes:write: run ctx-mcp gateway signin notes, which asks for that")
	call(`{"for":"notes:write"}`, "The call was not carried out.")
	status := func(want bool, flags ...string) {
		t.Helper()
		cmd := withSealing(t, binary(t, dir, append([]string{"gateway", "status"}, flags...)...))
		if out, err := cmd.Output(); err != nil || strings.Contains(string(out), "notes:write") != want || want && !strings.Contains(string(out), "ctx-mcp gateway signin notes") {
			t.Errorf("the status is %s, %v; the scope in it: want %v", out, err, want)
		}
	}
	status(true)
	status(true, "--json")
	var said strings.Builder
	keyless := binary(t, dir, "gateway", "status")
	keyless.Stderr = &said
	if out, err := keyless.Output(); err != nil || !strings.Contains(string(out), "notes") || !strings.Contains(said.String(), "is not known") {
		t.Errorf("without a key the status is %s, %s, %v", out, said.String(), err)
	}
	pastedIn(t, dir, file, "It asks for: notes:read notes:write")
	status(false)
	call(`{"for":"notes:write"}`, "noted")
}

// pastedIn signs in with a browser that cannot come back, and brings the address at which it ended, after one that is wrong.
func pastedIn(t *testing.T, dir, file, want string) {
	t.Helper()
	cmd := withSealing(t, binary(t, dir, "gateway", "signin", "notes", "--servers", file, "--paste"))
	cmd.Stderr = os.Stderr
	in, out := piped(t, cmd)
	lines := bufio.NewScanner(out)
	lines.Scan()
	said := ""
	browser := http.Client{CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		fmt.Fprintf(in, "http://127.0.0.1/callback?code=x&state=y\n%s\n", r.URL)
		return http.ErrUseLastResponse
	}}
	response, err := browser.Get(lines.Text())
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	for lines.Scan() {
		said += lines.Text() + "\n"
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(said, want) || !strings.Contains(said, "not the answer to the sign-in") || !strings.Contains(said, "signed in to") {
		t.Fatalf("the sign-in said %q, %v", said, err)
	}
}

// signedIn runs the command, and goes where it says as a browser does.
func signedIn(t *testing.T, dir, file string) {
	t.Helper()
	cmd := withSealing(t, binary(t, dir, "gateway", "signin", "notes", "--servers", file, "--no-open"))
	cmd.Stderr = os.Stderr
	_, out := piped(t, cmd)
	lines := bufio.NewScanner(out)
	lines.Scan()
	issuertest.Browse(t, lines.Text())
	var said string
	for lines.Scan() {
		said = lines.Text()
	}
	if err := cmd.Wait(); err != nil || !strings.Contains(said, "signed in") {
		t.Fatalf("the sign-in ended with %q, %v", said, err)
	}
}

// TestGatewaySecrets: a secret of the wallet reaches the server that names it, and nothing else; one that is missing stops that server alone, and the
// error says how to store it.
func TestGatewaySecrets(t *testing.T) {
	server, err := exec.LookPath("reading-server")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, done := filepath.Join(dir, "servers.json"), t.TempDir()
	text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{
		"files": map[string]any{"command": server, "env": map[string]string{"DONE": done + "/${vault:kv/files#name}"}},
		"given": map[string]any{"command": "sh", "args": []string{"-c", "test ${#1} = 18 && exec " + server, "sh", "${vault:kv/files#name}"}},
		"other": map[string]any{"command": server, "env": map[string]string{"DONE": "${vault:missing}"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := withSealing(t, binary(t, dir, "gateway", "secret", "kv/files#name"))
	cmd.Stdin = strings.NewReader("a-secret-file-name\n")
	if out, err := cmd.Output(); err != nil || len(out) > 0 {
		t.Fatalf("secret: %s, %v", out, err)
	}
	p := newPeer(t, withSealing(t, binary(t, dir, "gateway", "stdio", "--servers", file)))
	waitForServers(t, p, map[string][]string{"files": nil, "given": nil})
	if _, raw := p.ask("tools/call", `{"name":"given__read_text","arguments":{"bytes":100}}`); !strings.Contains(string(raw), "the pier") {
		t.Errorf("the secret did not reach the arguments of a server: %s", raw)
	}
	p.ask("tools/call", `{"name":"files__read_text","arguments":{"path":"x"}}`)
	if _, err := os.Stat(filepath.Join(done, "a-secret-file-name")); err != nil {
		t.Errorf("the secret did not reach the server: %v", err)
	}
	out, err := withSealing(t, binary(t, dir, "gateway", "status")).Output()
	if err != nil || !strings.Contains(string(out), `there is no secret "missing"; store it with: ctx-mcp gateway secret missing`) {
		t.Errorf("the status is %s, %v", out, err)
	}
	if out, err := exec.Command("grep", "-r", "-l", "a-secret-file-name", dir).Output(); err == nil {
		t.Errorf("the secret rests in %s", out)
	}
	if out, err := withSealing(t, binary(t, dir, "gateway", "secret", "--list")).Output(); err != nil || string(out) != "kv/files#name\n" {
		t.Errorf("the list is %s, %v", out, err)
	}
}
