package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

const readme = "../../README.md"

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// commandsOf returns every command line of a document, without its comments.
func commandsOf(t *testing.T, document string) (lines []string) {
	t.Helper()
	for _, block := range shellBlock.FindAllStringSubmatch(golden.Read(t, document), -1) {
		for line := range strings.Lines(block[1]) {
			command, _, _ := strings.Cut(line, " #")
			lines = append(lines, strings.TrimSpace(command))
		}
	}
	return lines
}

// TestReadmeCommands runs every command of the README, and then those of each page of docs, in their order, with a home and a data
// directory for each document, and the pages side by side. Servers are stopped as soon as they serve. The test command itself runs this test, so the test checks
// instead that it is the Makefile's.
func TestReadmeCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binary")
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	forms, err := filepath.Glob("../../docs/format/*.md")
	if err != nil {
		t.Fatal(err)
	}
	bin, all := t.TempDir(), 0
	for _, document := range slices.Concat([]string{readme, "../../CONTRIBUTING.md"}, pages, forms) {
		commands := commandsOf(t, document)
		all += len(commands)
		if len(commands) == 0 || filepath.Base(document) == "CONTRIBUTING.md" { // which the test of docs/extending follows
			continue
		}
		t.Run(filepath.Base(document), func(t *testing.T) {
			if document != readme { // which installs the program that the pages use
				t.Parallel()
			}
			newReader(t, bin).follow(t, commands)
		})
	}
	if all < 40 {
		t.Errorf("the documents have %d commands, want 40 or more", all)
	}
}

// A reader is somebody who types what a document says, in a home of their own.
type reader struct {
	dir   string // where they are
	env   []string
	files *strings.Replacer // the files of the examples
	trace string            // the id of a compile, for those that the document names
	ids   map[string]string // memories, for those that the document names
}

func newReader(t *testing.T, bin string) *reader {
	const samples = "memory/exchange/foreign/testdata/"
	out := t.TempDir()
	servers := `{"mcpServers": {"files": {"command": "ctx-mcp", "args": ["stdio", "--data-dir", "` + t.TempDir() + `"]}}}`
	if err := os.WriteFile(out+"/servers.json", []byte(servers), 0o600); err != nil {
		t.Fatal(err)
	}
	return &reader{
		dir: "../..",
		env: append(os.Environ(), "HOME="+t.TempDir(), "CTX_MCP_DATA_DIR="+t.TempDir(), "CTX_MCP_ADDR=127.0.0.1:0", "GOBIN="+bin,
			"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "GOFLAGS="+os.Getenv("GOFLAGS"),
			"GOPATH="+goEnv(t, "GOPATH"), "GOCACHE="+goEnv(t, "GOCACHE"), "GOMODCACHE="+goEnv(t, "GOMODCACHE")),
		files: strings.NewReplacer("memories.jsonl", out+"/memories.jsonl", "moved.jsonl", out+"/moved.jsonl", "context.snapshot", out+"/context.snapshot", "context.tar", out+"/context.tar",
			"receipts.bundle", out+"/receipts.bundle", "servers.json", out+"/servers.json", "memory.jsonl", samples+"server-memory.jsonl", "mem0.json", samples+"mem0.json",
			"--addr 127.0.0.1:8080", "--addr 127.0.0.1:0", "git diff", "git diff HEAD HEAD"), // not the changes of the day
		ids: map[string]string{},
	}
}

// follow types each command.
func (r *reader) follow(t *testing.T, commands []string) {
	t.Helper()
	for _, line := range commands {
		line = r.files.Replace(line)
		line = traceOf.ReplaceAllStringFunc(line, func(string) string { return r.compiled(t) })
		if strings.HasPrefix(line, "ctx-mcp receipts") {
			r.decide(t)
		}
		if strings.HasPrefix(line, "ctx-mcp entity show Tom") {
			r.call(t, "remember", map[string]any{"content": "Tom plays the cello in an orchestra in Leeds.", "source": map[string]any{"kind": "user_statement"}})
		}
		line = shortOf.ReplaceAllStringFunc(line, func(id string) string { return r.remembered(t, id) })
		switch {
		case line == "make test":
			if out, err := r.command("make -n test").CombinedOutput(); err != nil || !strings.Contains(string(out), "go test -race -vet=off -timeout 20m -tags sqlite_fts5 ./...") {
				t.Errorf("make test would run %q, %v", out, err)
			}
		case strings.HasPrefix(line, "ctx-mcp ui"):
			serveOnce(t, r.command(strings.TrimSuffix(line, " --no-open")+" --no-open"))
		case line == "make run", strings.HasPrefix(line, "ctx-mcp http"), strings.HasPrefix(line, "ctx-mcp gateway http"):
			serveOnce(t, r.command(line))
		default:
			if out, err := r.command(line).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
		}
	}
}

func (r *reader) command(line string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", "exec "+line)
	cmd.Dir, cmd.Env = r.dir, r.env
	return cmd
}

// compiled returns the trace_id of a compile in the reader's data.
func (r *reader) compiled(t *testing.T) string {
	t.Helper()
	if r.trace == "" {
		r.call(t, "remember", map[string]any{"content": "Deploys run from the main branch on Thursdays.", "source": map[string]any{"kind": "user_statement"}})
		r.trace, _ = r.call(t, "compile_context", map[string]any{"user_message": "From which branch do deploys run?"})["trace_id"].(string)
	}
	return r.trace
}

// decide makes a receipt in the reader's data: that of an action.
func (r *reader) decide(t *testing.T) {
	t.Helper()
	r.call(t, "start_session", map[string]any{"session_id": "s1", "original_request": map[string]any{"text": "Read the plan."}})
	r.call(t, "record_action", map[string]any{"session_id": "s1", "tool": "read_file", "operation": "read", "parameters": map[string]any{"path": "plan.md"}})
}

// shortOf matches the short form of a memory's id behind a command that takes one.
var shortOf = regexp.MustCompile(`\b41de84\b`)

// remembered returns the id of a memory in the reader's data that stands for the id in the document.
func (r *reader) remembered(t *testing.T, id string) string {
	t.Helper()
	if r.ids[id] == "" {
		r.ids[id], _ = r.call(t, "remember", map[string]any{"content": "We deploy on Thursdays, never on Fridays.", "source": map[string]any{"kind": "user_statement"}})["object_id"].(string)
	}
	return r.ids[id]
}

// traceOf matches the id of a compile.
var traceOf = regexp.MustCompile(`\btr-[0-9a-f]{16}\b`)

// call has a client start the installed server and call one tool, and returns the answer.
func (r *reader) call(t *testing.T, tool string, arguments map[string]any) map[string]any {
	t.Helper()
	c, err := client.NewStdioMCPClient("sh", r.env, "-c", "cd '"+r.dir+"' && exec ctx-mcp stdio")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{}); err != nil {
		t.Fatal(err)
	}
	result, err := c.CallTool(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: arguments}})
	if err != nil || result.IsError {
		t.Fatalf("%s: %v, %v", tool, result, err)
	}
	out, _ := result.StructuredContent.(map[string]any)
	return out
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// serving matches what a server, or the pages, print once they answer.
var serving = regexp.MustCompile(`serving http|http://127\.0\.0\.1:\d+/`)

// serveOnce starts a server, waits until it serves, and stops it.
func serveOnce(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // make and the server get the signal together
	output, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = cmd.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	lines := bufio.NewScanner(output)
	served := false
	for lines.Scan() {
		logged.Write(append(slices.Clone(lines.Bytes()), '\n'))
		if !served && serving.MatchString(lines.Text()) {
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
