package gateway

import (
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp/directives/upstream"
)

// patience is how long a server has to end by itself: after its input has ended, and again after it was told to.
const patience = time.Second

// process is a server that the gateway has started.
type process struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   io.ReadCloser
	ended chan struct{} // closed when the process has ended and was reaped
	once  sync.Once
}

// startProcess starts a server in a group of its own, with the environment that it is given and no more. What it writes to standard error
// goes to notes. keep is told of the group, and again when it has ended.
func startProcess(s upstream.Server, notes io.Writer, keep func(group int, alive bool)) (*process, error) {
	cmd := exec.Command(s.Command, s.Args...)
	cmd.Dir, cmd.Env, cmd.Stderr = s.Dir, []string{}, notes
	for name, v := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+v)
	}
	slices.Sort(cmd.Env)
	if path := s.Env["PATH"]; path != "" && !strings.ContainsAny(s.Command, `/\`) {
		if found, err := lookPath(s.Command, path); err == nil {
			cmd.Path, cmd.Err = found, nil
		}
	}
	owned(cmd)
	cmd.WaitDelay = patience // a grandchild may hold standard error
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, stdout, err := os.Pipe() // the last words of a server that ends are read
	if err != nil {
		return nil, err
	}
	defer stdout.Close()
	cmd.Stdout = stdout
	p := &process{cmd: cmd, stdin: stdin, out: out, ended: make(chan struct{})}
	started := make(chan error)
	go p.live(started, keep)
	if err := <-started; err != nil {
		_ = out.Close()
		return nil, err
	}
	return p, nil
}

// live starts the process and waits for its end. It stays on its thread: on Linux the process ends with the thread that started it.
func (p *process) live(started chan<- error, keep func(group int, alive bool)) {
	defer close(p.ended)
	defer lockThread()()
	if err := p.cmd.Start(); err != nil {
		started <- err
		return
	}
	group := p.cmd.Process.Pid
	keep(group, true) // before anything is asked of it, in answer to which it may start others
	started <- nil
	_, _ = p.cmd.Process.Wait() // how it ended is of no interest
	killGroup(group)            // the processes that it started go too
	_ = p.cmd.Wait()            // closes the pipes
	keep(group, false)
}

// stop ends the process and those that it started: its input ends, then it is told to end, then it is killed.
func (p *process) stop() {
	p.once.Do(func() {
		_ = p.stdin.Close()
		for _, next := range []func(int){termGroup, killGroup} {
			select {
			case <-p.ended:
				return
			case <-time.After(patience):
				next(p.cmd.Process.Pid)
			}
		}
	})
	<-p.ended
	_ = p.out.Close()
}
