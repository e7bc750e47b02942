package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// readmeCommands returns every command line of the README.
func readmeCommands(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, block := range shellBlock.FindAllSubmatch(text, -1) {
		for line := range strings.Lines(string(block[1])) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	if len(lines) == 0 {
		t.Fatal("the README has no commands")
	}
	return lines
}

// TestReadmeCommands runs every command of the README, in order, on a data directory of its own. Servers are stopped
// as soon as they serve. The test command itself runs this test, so the test checks instead that it is the
// Makefile's.
func TestReadmeCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binary")
	}
	env := append(os.Environ(), "HOME="+t.TempDir(), "CTX_MCP_DATA_DIR="+t.TempDir(), "CTX_MCP_ADDR=127.0.0.1:0",
		"GOFLAGS="+os.Getenv("GOFLAGS"), "GOPATH="+goEnv(t, "GOPATH"), "GOCACHE="+goEnv(t, "GOCACHE"), "GOMODCACHE="+goEnv(t, "GOMODCACHE"))
	const samples = "memory/exchange/foreign/testdata/"
	files := strings.NewReplacer("memories.jsonl", t.TempDir()+"/memories.jsonl", "context.snapshot", t.TempDir()+"/context.snapshot",
		"memory.jsonl", samples+"server-memory.jsonl", "mem0.json", samples+"mem0.json")
	made := ""
	for _, line := range readmeCommands(t) {
		line := files.Replace(line)
		if traceOf.MatchString(line) {
			if made == "" {
				made = compileOne(t, env)
			}
			line = traceOf.ReplaceAllString(line, made)
		}
		cmd := exec.Command("sh", "-c", "exec "+strings.ReplaceAll(line, "--addr 127.0.0.1:8080", "--addr 127.0.0.1:0"))
		cmd.Dir, cmd.Env = "../..", env
		switch {
		case line == "make test":
			cmd.Args[2] = "make -n test"
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "go test -race -timeout 20m -tags sqlite_fts5 ./...") {
				t.Errorf("make test would run %q, %v", out, err)
			}
		case line == "make run", strings.HasPrefix(line, "bin/ctx-mcp http"):
			serveOnce(t, cmd)
		default:
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
		}
	}
}

// traceOf matches the id of a compile.
var traceOf = regexp.MustCompile(`\btr-[0-9a-f]{16}\b`)

// compileOne lets the built binary compile the example of the README, and returns the trace_id.
func compileOne(t *testing.T, env []string) string {
	t.Helper()
	c, err := client.NewStdioMCPClient("../../bin/ctx-mcp", env, "stdio")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{}); err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	for _, call := range []mcp.CallToolParams{
		{Name: "remember", Arguments: map[string]any{
			"content": "Deploys run from the main branch on Thursdays.", "source": map[string]any{"kind": "user_statement"}}},
		{Name: "compile_context", Arguments: map[string]any{"user_message": "From which branch do deploys run?"}},
	} {
		result, err := c.CallTool(t.Context(), mcp.CallToolRequest{Params: call})
		if err != nil || result.IsError {
			t.Fatalf("%s: %v, %v", call.Name, result, err)
		}
		out, _ = result.StructuredContent.(map[string]any)
	}
	id, _ := out["trace_id"].(string)
	return id
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// serveOnce starts a server, waits until it serves, and stops it.
func serveOnce(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // make and the server get the signal together
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	lines := bufio.NewScanner(stderr)
	served := false
	for lines.Scan() {
		logged.Write(append(slices.Clone(lines.Bytes()), '\n'))
		if strings.Contains(lines.Text(), "serving http") {
			served = true
			if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM); err != nil {
				t.Error(err)
			}
		}
	}
	err = cmd.Wait()
	if !served {
		t.Errorf("%v did not serve: %v\n%s", cmd.Args, err, &logged)
	}
}
