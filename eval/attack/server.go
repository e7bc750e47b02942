package attack

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp/eval/driver"
)

// Server is the real binary under attack, on a data directory of its own.
type Server struct {
	*driver.Process
	Data string // the data directory
	log  logScan
	http *http.Client
}

// Start starts a server on loopback and waits until it listens. Its log is the Server's.
func Start(o driver.Options) (*Server, error) {
	s := &Server{Data: o.Data, http: &http.Client{Timeout: time.Minute}}
	o.Log = s.log.add
	var err error
	s.Process, err = driver.Start(o)
	return s, err
}

// Faults returns the lines of the log that no call may cause.
func (s *Server) Faults() []string { return s.log.faultsSoFar() }

// Resident returns how many bytes of memory the process holds.
func (s *Server) Resident() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.ID()))
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

// Heap returns how many bytes of the process's memory are objects of its own; the runtime keeps the rest to use again.
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

// logScan keeps the faults of a log.
type logScan struct {
	mu     sync.Mutex // guards faults
	faults []string
}

// fault matches a line that no call may cause: an error that is the server's own, a panic, whether it was contained or not, and a
// find of the race detector.
var fault = regexp.MustCompile(`level=ERROR|msg=panic|^panic: |^fatal error: |DATA RACE|^runtime: `)

// asked matches a line at that level that the caller's request explains: a conversation that no reduction brings under a limit.
var asked = regexp.MustCompile(`BUDGET CHECK ABORT`)

func (l *logScan) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if line = strings.TrimSpace(line); fault.MatchString(line) && !asked.MatchString(line) && len(l.faults) < 1000 {
		l.faults = append(l.faults, line)
	}
}

func (l *logScan) faultsSoFar() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.faults...)
}
