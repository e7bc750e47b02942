package upstream

import (
	"errors"
	"io"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
)

// process is a server that was started here.
type process struct {
	*transport.Stdio
	cmd  *exec.Cmd
	once sync.Once
	gone chan struct{} // closed when the process has ended
}

// start runs the server's command with the environment of its configuration and nothing else.
func start(s Server, lines *meter) (*process, error) {
	cmd := exec.Command(s.Command, s.Args...)
	cmd.Dir, cmd.Env = s.Dir, []string{}
	for name, v := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+v)
	}
	slices.Sort(cmd.Env)
	ownGroup(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, gone: make(chan struct{})}
	lines.of = stdout
	p.Stdio = transport.NewIO(lines, stdin, nil)
	return p, nil
}

// patience is how long a server may take to end by itself, once its input has ended.
const patience = time.Second

// Close ends the process: by the end of its input, and by force if it does not go.
func (p *process) Close() error {
	err := p.Stdio.Close()
	p.once.Do(func() {
		go func() {
			_ = p.cmd.Wait() // how it ended is of no interest
			close(p.gone)
		}()
		select {
		case <-p.gone:
		case <-time.After(patience):
		}
		endGroup(p.cmd) // the processes that it started go too
		<-p.gone
	})
	return err
}

// errTooMuch is how reading ends when a server says more than it was given room for.
var errTooMuch = errors.New("the server sent more than its budget")

// meter reads what a server writes, until a line is longer than most bytes.
type meter struct {
	of   io.Reader
	most int64
	line int64 // bytes of the line so far
	over atomic.Bool
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.of.Read(p)
	for _, b := range p[:n] {
		if m.line++; b == '\n' {
			m.line = 0
		}
		if m.line > m.most {
			m.over.Store(true)
			return 0, errTooMuch
		}
	}
	return n, err
}
