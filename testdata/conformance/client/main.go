// Command client is a client for the scenarios auth/* of the protocol's conformance suite: ctx-mcp as gateway to the server of a scenario, at which it signs in.
//
// The suite gives it the server's address as its last argument. It does what a person does with the gateway: it runs the command for the sign-in and
// opens its address, as a browser does; then it calls every tool of the server through the gateway. Where the gateway says that a call needs
// another sign-in, it signs in again, a few times at most. It exits with 1 if the gateway refuses, and says why.
//
// It is a test: Go leaves testdata out of ./..., so it is neither built nor shipped with the product. $CTX_MCP names the program.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

const (
	patience = 20 * time.Second
	signIns  = 3 // of one scenario
	again    = "ctx-mcp gateway signin"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := run(ctx, os.Args[len(os.Args)-1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, address string) (err error) {
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	g, err := prepare(dir, address)
	if err != nil {
		return err
	}
	for range signIns {
		if err := g.signIn(ctx); err != nil {
			return err
		}
		enough, err := g.call(ctx)
		if err != nil || enough {
			return err
		}
	}
	return fmt.Errorf("%d sign-ins do not suffice", signIns)
}

// gateway is the program with a folder of its own.
type gateway struct {
	dir string
	env []string
}

// prepare writes the file of servers, with the client that the scenario has registered before, if any, and a policy by which all calls pass.
func prepare(dir, address string) (*gateway, error) {
	var scenario struct {
		ClientID     string `json:"client_id"`
		ClientSecret string `json:"client_secret"`
	}
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &scenario); err != nil {
			return nil, err
		}
	}
	servers, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"test": map[string]any{"url": address, "oauth": scenario}}})
	if err != nil {
		return nil, err
	}
	policy := filepath.Join(dir, "all.cedar")
	err = errors.Join(os.WriteFile(filepath.Join(dir, "servers.json"), servers, 0o600),
		os.WriteFile(policy, []byte("@id(\"all\")\n@why(\"all pass\")\npermit(principal, action, resource);\n"), 0o600))
	return &gateway{dir, []string{
		"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "CTX_MCP_DATA_DIR=" + filepath.Join(dir, "data"), "CTX_MCP_USER=ann", "CTX_MCP_POLICY_FILE=" + policy,
		"CTX_MCP_ENCRYPTION_KEY=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
	}}, err
}

func (g *gateway) arguments(args ...string) []string {
	return append(append([]string{"gateway"}, args...), "--servers", filepath.Join(g.dir, "servers.json"))
}

// signIn runs the command, and goes where it says. The suite's page sends the browser back at once.
func (g *gateway) signIn(ctx context.Context) error {
	c := exec.CommandContext(ctx, os.Getenv("CTX_MCP"), g.arguments("signin", "test", "--no-open")...)
	c.Env, c.Stderr = g.env, os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(out)
	if lines.Scan() {
		err = browse(ctx, lines.Text())
	}
	_, copied := io.Copy(io.Discard, out)
	return errors.Join(err, copied, c.Wait())
}

func browse(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the browser ended at %s with %s", answer.Request.URL.Redacted(), answer.Status)
	}
	return nil
}

// call calls every tool of the server through the gateway. It reports whether the sign-in suffices for that.
func (g *gateway) call(ctx context.Context) (enough bool, err error) {
	c, err := client.NewStdioMCPClient(os.Getenv("CTX_MCP"), g.env, g.arguments("stdio")...)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if said, ok := client.GetStderr(c); ok {
		go func() { _, _ = io.Copy(os.Stderr, said) }() // ends with the gateway
	}
	if _, err := c.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		return false, err
	}
	names, err := g.tools(ctx, c)
	if err == nil && names == nil {
		return false, nil
	}
	for _, name := range names {
		called, err := c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: name, Arguments: map[string]any{}}})
		if err != nil {
			return false, err
		}
		text, err := json.Marshal(called)
		if err != nil {
			return false, err
		}
		switch {
		case strings.Contains(string(text), again):
			return false, nil
		case called.IsError:
			return false, fmt.Errorf("%s: %s", name, text)
		}
	}
	return err == nil, err
}

// tools returns the names of the server's tools, once the gateway has them; none if the gateway says that it wants another sign-in for them.
func (g *gateway) tools(ctx context.Context, c *client.Client) (names []string, err error) {
	for {
		all, err := c.ListTools(ctx, mcp.ListToolsRequest{})
		if err != nil {
			return nil, err
		}
		for _, t := range all.Tools {
			if strings.HasPrefix(t.Name, "test__") {
				names = append(names, t.Name)
			}
		}
		if len(names) > 0 {
			return names, nil
		}
		status := exec.CommandContext(ctx, os.Getenv("CTX_MCP"), "gateway", "status")
		status.Env = g.env
		if said, err := status.Output(); err != nil || strings.Contains(string(said), again) {
			return nil, err
		}
	}
}
