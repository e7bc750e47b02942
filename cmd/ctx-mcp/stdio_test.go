package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// binary returns a command of the real binary on a data directory of the test's own.
func binary(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("ctx-mcp")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"HOME=" + t.TempDir(), "CTX_MCP_DATA_DIR=" + dir, "CTX_MCP_USER=ann", "CTX_MCP_LOG_LEVEL=debug", "PATH=" + os.Getenv("PATH"), "GORACE=" + raceOptions}
	return cmd
}

// piped starts a command and returns its input and output.
func piped(t testing.TB, cmd *exec.Cmd) (io.WriteCloser, io.Reader) {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return in, out
}

// message is a JSON-RPC message from the server.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// parse reads every byte of a standard output as MCP, one message a line.
func parse(t *testing.T, out []byte) map[string]message {
	t.Helper()
	byID := map[string]message{}
	if len(out) > 0 && out[len(out)-1] != '\n' {
		t.Errorf("the output ends within a line: %q", out)
	}
	for line := range bytes.Lines(out) {
		var m message
		if err := json.Unmarshal(line, &m); err != nil || m.JSONRPC != "2.0" || m.Result == nil && m.Error == nil && m.Method == "" {
			t.Errorf("standard output carries %q, which is not MCP", line)
		}
		byID[string(m.ID)] = m
	}
	return byID
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// TestStdoutIsPure parses every byte of standard output through start-up, use, errors and the end of the input.
func TestStdoutIsPure(t *testing.T) {
	cmd := binary(t, t.TempDir(), "stdio")
	cmd.Stdin = strings.NewReader(hello +
		"this is not JSON\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n" +
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"remember","arguments":{"content":"We deploy on Thursdays.","source":{"kind":"user_statement"}}}}` + "\n" +
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"recall","arguments":{"query":7}}}` + "\n" +
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"no_such_tool","arguments":{}}}` + "\n" +
		`{"jsonrpc":"2.0","id":6,"method":"no/such/method"}` + "\n" +
		"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"remember\",\"arguments\":{\"content\":\"\xff\xfe\"}}}\n" +
		`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"remember","arguments":{"content":"` + strings.Repeat("long ", 2<<20) + `"}}}` + "\n" +
		`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"remember","arguments":{"content":"lone \ud800 half"}}}` + "\n" +
		"\n" +
		`{"jsonrpc":"2.0","id":10,"method":"ping"}`)
	cmd.Env = append(cmd.Env, "CTX_MCP_HTTP_SHUTDOWN_GRACE=5m", "CTX_MCP_LIMITS_CALL_TIMEOUT=5m") // the race detector takes its time over the large message
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("exit: %v\n%s", err, &stderr)
	}
	got := parse(t, out)
	for id, want := range map[string]string{"1": "protocolVersion", "2": "remember", "3": `"status":"stored"`,
		"4": "must be a string, not a number", "8": "too_large", "10": "{}"} {
		if m := got[id]; m.Error != nil || !strings.Contains(string(m.Result), want) {
			t.Errorf("answer %s = %s %v, want %s in it", id, m.Result, m.Error, want)
		}
	}
	for id, want := range map[string]int{"5": -32602, "6": -32601} {
		if m := got[id]; m.Error == nil || m.Error.Code != want {
			t.Errorf("answer %s = %s %v, want error %d", id, m.Result, m.Error, want)
		}
	}
	if _, answered := got["7"]; answered {
		t.Error("a message that is not UTF-8 was carried out")
	}
	if _, answered := got["9"]; answered {
		t.Error("a message with half a surrogate pair was carried out")
	}
	if m := got["null"]; m.Error == nil || m.Error.Code != -32700 {
		t.Errorf("the answer to what is not JSON = %v, want -32700", m.Error)
	}
	for _, leak := range []string{"Thursdays", "long long"} {
		if strings.Contains(stderr.String(), leak) {
			t.Errorf("the log holds content: %q", leak)
		}
	}
}

// TestFailingStart: a server that cannot start says why on standard error only, and exits 1.
func TestFailingStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := binary(t, dir, "stdio")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailure {
		t.Errorf("exit = %v, want %d", err, exitFailure)
	}
	if stdout.Len() > 0 {
		t.Errorf("standard output carries %q", &stdout)
	}
	if !strings.Contains(stderr.String(), "--data-dir") {
		t.Errorf("standard error does not say what to do: %s", &stderr)
	}
}

// TestSignals: SIGINT and SIGTERM end an idle server with exit code 0.
func TestSignals(t *testing.T) {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			cmd := binary(t, t.TempDir(), "stdio")
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(stdin, hello); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReader(stdout)
			first, err := lines.ReadBytes('\n')
			if err != nil {
				t.Fatal(err)
			}
			parse(t, first)
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			rest, err := io.ReadAll(lines)
			if err != nil {
				t.Fatal(err)
			}
			parse(t, rest)
			if err := cmd.Wait(); err != nil {
				t.Errorf("exit: %v", err)
			}
		})
	}
}

// TestAddressInUse: a second server on one address says what to do.
func TestAddressInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	cmd := binary(t, t.TempDir(), "http", "--addr", taken.Addr().String())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err == nil || !strings.Contains(stderr.String(), "--addr") {
		t.Errorf("exit = %v, want a failure that names --addr:\n%s", err, &stderr)
	}
}
