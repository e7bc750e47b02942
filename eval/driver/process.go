package driver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
)

// Process is the binary serving HTTP on loopback, in a process of its own.
type Process struct {
	URL  string // of the MCP endpoint
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended and its log is read
	err  error         // how it ended

	mu   sync.Mutex // guards last
	last []string   // the last lines of the log
}

// Options says how to start a Process.
type Options struct {
	Binary string
	Data   string   // the data directory
	Limit  int64    // bytes of data that the process may have (RLIMIT_DATA); 0: no limit
	Env    []string // of the process; empty: that of the caller
	// Command is the command of ctx-mcp that serves HTTP; empty: http.
	Command []string
	Args    []string          // further flags of it
	Log     func(line string) // gets each line of the log, with its end, in order; nil: nobody does
}

var listening = regexp.MustCompile(`msg="serving http".* url=(\S+)`)

// Start starts a server and waits until it listens.
func Start(o Options) (*Process, error) {
	cmd := o.command()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", o.Binary, err)
	}
	p := &Process{cmd: cmd, done: make(chan struct{})}
	url := make(chan string, 1)
	go p.watch(stderr, url, o.Log)
	select {
	case p.URL = <-url:
		return p, nil
	case <-p.done:
		return nil, fmt.Errorf("the server did not start: %w\n%s", p.err, p.tail())
	}
}

func (o Options) command() *exec.Cmd {
	command := o.Command
	if len(command) == 0 {
		command = []string{"http"}
	}
	args := slices.Concat(command, []string{"--addr", "127.0.0.1:0", "--data-dir", o.Data}, o.Args)
	cmd := exec.Command(o.Binary, args...)
	if o.Limit > 0 {
		limited := []string{"-c", `ulimit -d "$1" && shift && exec "$@"`, "sh", strconv.FormatInt(o.Limit>>10, 10), o.Binary}
		cmd = exec.Command("/bin/sh", append(limited, args...)...)
	}
	cmd.Env = o.Env
	return cmd
}

// watch reads the log to its end, tells the address once, and then waits for the process.
func (p *Process) watch(stderr io.Reader, url chan<- string, log func(string)) {
	defer close(p.done)
	told := false
	for lines := bufio.NewReader(stderr); ; {
		line, err := lines.ReadString('\n')
		if line != "" {
			p.keep(line)
			if log != nil {
				log(line)
			}
		}
		if m := listening.FindStringSubmatch(line); m != nil && !told {
			url <- m[1]
			told = true
		}
		if err != nil {
			p.err = p.cmd.Wait()
			return
		}
	}
}

// kept is how many lines of the log an error shows.
const kept = 60

func (p *Process) keep(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last = append(p.last, line); len(p.last) > kept {
		p.last = p.last[1:]
	}
}

func (p *Process) tail() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.last, "")
}

// Connect returns a client of the server without a token, which sends the headers with each message.
func (p *Process) Connect(ctx context.Context, headers map[string]string) (*Client, error) {
	c, err := client.NewStreamableHttpClient(p.URL, transport.WithHTTPHeaders(headers))
	if err != nil {
		return nil, err
	}
	return begin(ctx, c)
}

// ID returns the number of the process.
func (p *Process) ID() int { return p.cmd.Process.Pid }

// Ended reports whether the process has ended.
func (p *Process) Ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Stop ends the server by a signal and returns when its log is read to the end. It returns an error if the server had ended before, or
// does not end well.
func (p *Process) Stop() error {
	if p.Ended() {
		return fmt.Errorf("the server ended by itself: %w\n%s", p.err, p.tail())
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-p.done:
	case <-time.After(time.Minute):
		return errors.Join(errors.New("the server did not stop within a minute"), p.cmd.Process.Kill())
	}
	if p.err != nil {
		return fmt.Errorf("the server ended with %w\n%s", p.err, p.tail())
	}
	return nil
}
