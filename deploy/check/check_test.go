package check

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// program is the server under test.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "check")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "ctx-mcp")
	build := exec.Command("go", "build", "-tags", "sqlite_fts5", "-o", program, "./cmd/ctx-mcp")
	build.Dir, build.Stderr = "../..", os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// command returns a run of the server with no settings but these, NAME=value.
func command(t *testing.T, settings []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append([]string{"HOME=" + cmd.Dir, "PATH=" + os.Getenv("PATH"), "CTX_MCP_DATA_DIR=" + filepath.Join(cmd.Dir, "data")}, settings...)
	return cmd
}

var serving = regexp.MustCompile(`serving http".*\burl(?:=|":")(https?://[^/ ]+)/mcp`)

// serve starts a server on a free port of this machine, and returns its origin and a function that stops it.
func serve(t *testing.T, settings ...string) (origin string, stop func()) {
	t.Helper()
	cmd := command(t, settings, "http", "--addr", "127.0.0.1:0")
	logs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	}
	t.Cleanup(stop)
	lines := bufio.NewScanner(logs)
	for lines.Scan() {
		if m := serving.FindStringSubmatch(lines.Text()); m != nil {
			go func() { _, _ = io.Copy(io.Discard, logs) }() // ends with the process
			return m[1], stop
		}
		t.Log(lines.Text())
	}
	t.Fatal("the server did not start")
	return "", nil
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// inForce returns what config show prints, a line for each setting: its key, its value, and where that came from.
func inForce(t *testing.T, settings []string, args ...string) map[string][]string {
	t.Helper()
	cmd := command(t, settings, append([]string{"config", "show"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("config show: %v\n%s", err, out)
	}
	all := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		if fields := strings.Fields(line); len(fields) > 1 {
			all[fields[0]] = fields[1:]
		}
	}
	return all
}
