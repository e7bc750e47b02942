package hook

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/hook/wire"
)

// Server answers the events that come over a socket.
type Server struct {
	Handle func(ctx context.Context, client string, input []byte) Answer
	Idle   time.Duration // without an event for so long, the server ends
	Limit  time.Duration // of one event
	Logger *slog.Logger
}

// Serve answers until the context ends, or no event has come for the idle time. It closes the listener, and returns when the events that have
// come are answered.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	idle := time.AfterFunc(s.Idle, stop)
	defer idle.Stop()
	context.AfterFunc(ctx, func() { _ = l.Close() }) // Accept then returns
	var running sync.WaitGroup
	defer running.Wait()
	for {
		c, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return nil
			}
			return err
		}
		idle.Reset(s.Idle)
		running.Go(func() {
			defer idle.Reset(s.Idle)
			s.answer(context.WithoutCancel(ctx), c, stop)
		})
	}
}

// Stop is the client of the event that ends a server.
const Stop = "-"

// answer reads one event and writes its answer.
func (s *Server) answer(ctx context.Context, c net.Conn, stop func()) {
	defer c.Close()
	ctx, cancel := context.WithTimeout(ctx, s.Limit)
	defer cancel()
	if end, ok := ctx.Deadline(); ok {
		_ = c.SetDeadline(end.Add(time.Second)) // a connection without deadlines has none to set
	}
	event, err := wire.Read(c, wire.EventFields)
	if err != nil {
		s.Logger.Debug("an event did not come whole", "error", err)
		return
	}
	out := Answer{Stderr: "ctx-mcp: the server of this data directory speaks another version; it ends when idle\n", Exit: 1}
	switch {
	case string(event[1]) == Stop:
		stop()
		out = Answer{}
	case string(event[0]) == wire.Version:
		out = s.Handle(ctx, string(event[1]), event[2])
	}
	if err := wire.Write(c, []byte(strconv.Itoa(out.Exit)), []byte(out.Stdout), []byte(out.Stderr)); err != nil {
		s.Logger.Debug("an answer was not taken", "error", err)
	}
}

// Listen listens on the socket of a data directory, which only its owner may use. The socket that a killed server has left is removed:
// the caller holds the lock that there is no other.
func Listen(dir string) (net.Listener, func(), error) {
	path, done := wire.Path(dir)
	_ = os.Remove(path) // mostly there is none
	l, err := net.Listen("unix", path)
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		done()
		return nil, nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the socket of the hooks cannot be made in %s", dir).WithCause(err)
	}
	return l, done, nil
}
