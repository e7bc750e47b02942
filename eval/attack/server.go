package attack

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Server is the real binary under attack, in a process of its own, on a data directory of its own.
type Server struct {
	URL  string // of the MCP endpoint
	Data string // the data directory
	cmd  *exec.Cmd
	log  *logScan
	done chan struct{} // closed when the process has ended
	err  error         // how it ended
	http *http.Client
}

// ServerOptions says how to start a Server.
type ServerOptions struct {
	Binary string
	Data   string   // the data directory
	Limit  int64    // bytes of data that the process may have (RLIMIT_DATA); 0: no limit
	Env    []string // of the process; empty: that of the caller
	Args   []string // further flags of "ctx-mcp http"
}

var listening = regexp.MustCompile(`msg="serving http".* url=(\S+)`)

// Start starts a server on loopback and waits until it listens.
func Start(o ServerOptions) (*Server, error) {
	args := append([]string{"http", "--addr", "127.0.0.1:0", "--data-dir", o.Data}, o.Args...)
	cmd := exec.Command(o.Binary, args...)
	if o.Limit > 0 {
		limited := []string{"-c", `ulimit -d "$1" && shift && exec "$@"`, "sh", strconv.FormatInt(o.Limit>>10, 10), o.Binary}
		cmd = exec.Command("/bin/sh", append(limited, args...)...)
	}
	cmd.Env = o.Env
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", o.Binary, err)
	}
	s := &Server{Data: o.Data, cmd: cmd, log: newLogScan(), done: make(chan struct{}), http: &http.Client{Timeout: time.Minute}}
	go s.watch(stderr)
	select {
	case s.URL = <-s.log.url:
		return s, nil
	case <-s.done:
		return nil, fmt.Errorf("the server did not start: %w\n%s", s.err, s.log.tail())
	}
}

// watch reads the log to its end, and then waits for the process.
func (s *Server) watch(stderr io.Reader) {
	s.log.read(stderr)
	s.err = s.cmd.Wait()
	close(s.done)
}

// Ended reports whether the process has ended.
func (s *Server) Ended() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// Stop ends the server by a signal, and returns an error if it had ended before, or does not end well.
func (s *Server) Stop() error {
	if s.Ended() {
		return fmt.Errorf("the server ended by itself: %w\n%s", s.err, s.log.tail())
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-s.done:
	case <-time.After(time.Minute):
		return errors.Join(errors.New("the server did not stop within a minute"), s.cmd.Process.Kill())
	}
	if s.err != nil {
		return fmt.Errorf("the server ended with %w\n%s", s.err, s.log.tail())
	}
	return nil
}

// Faults returns the lines of the log that no call may cause.
func (s *Server) Faults() []string { return s.log.faultsSoFar() }

// Resident returns how many bytes of memory the process holds.
func (s *Server) Resident() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if kb, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(kb), " kB"), 10, 64)
			return n << 10, err
		}
	}
	return 0, errors.New("the process has no memory")
}

// Running returns how many calls the server works on.
func (s *Server) Running(ctx context.Context, token string) (int, error) {
	n, err := s.gauge(ctx, token, "ctx_mcp_calls_running")
	return int(n), err
}

// Heap returns how many bytes of the process's memory are objects of its own; the rest is what the runtime keeps to use again.
func (s *Server) Heap(ctx context.Context, token string) (int64, error) {
	n, err := s.gauge(ctx, token, "go_memstats_heap_alloc_bytes")
	return int64(n), err
}

// gauge reads a figure from /metrics.
func (s *Server) gauge(ctx context.Context, token, name string) (float64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(s.URL, "/mcp")+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	response, err := s.http.Do(r)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), name+" "); ok {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, fmt.Errorf("/metrics (%s) has no %s", response.Status, name)
}

// Token creates a token of a tenant in a data directory.
func Token(binary, data, tenant string, env []string) (string, error) {
	cmd := exec.Command(binary, "token", "create", "--data-dir", data, "--tenant", tenant, "--user", tenant, "--log-level", "error")
	cmd.Env = env
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("create a token of %s: %w", tenant, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// logScan reads a log, and keeps what is a fault and the last lines.
type logScan struct {
	url    chan string
	mu     sync.Mutex // guards the rest
	faults []string
	last   []string
}

func newLogScan() *logScan { return &logScan{url: make(chan string, 1)} }

// fault is the form of what no call may cause: an error that is the server's own, a panic, whether it was contained or not, and what
// the race detector finds.
var fault = regexp.MustCompile(`level=ERROR|msg=panic|^panic: |^fatal error: |DATA RACE|^runtime: `)

// asked is what the log says at that level although the caller asked for it: a conversation that no reduction brings under a limit.
var asked = regexp.MustCompile(`BUDGET CHECK ABORT`)

func (l *logScan) read(from io.Reader) {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			l.add(strings.TrimSpace(line))
		}
		if err != nil {
			return
		}
	}
}

func (l *logScan) add(line string) {
	if m := listening.FindStringSubmatch(line); m != nil {
		select {
		case l.url <- m[1]:
		default:
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last = append(l.last, line); len(l.last) > 60 {
		l.last = l.last[1:]
	}
	if fault.MatchString(line) && !asked.MatchString(line) && len(l.faults) < 1000 {
		l.faults = append(l.faults, line)
	}
}

func (l *logScan) faultsSoFar() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.faults...)
}

func (l *logScan) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.last, "\n")
}
