package hook

import (
	"context"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ctx-mcp/ctx-mcp/hook/wire"
)

// pipes is a listener whose connections are pipes in memory.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes"} }

// ask sends an event and returns standard output.
func (p *pipes) ask(t *testing.T, version, text string) (string, string) {
	t.Helper()
	here, there := net.Pipe()
	p.conns <- there
	if err := wire.Write(here, []byte(version), []byte("codex"), []byte(text)); err != nil {
		t.Fatal(err)
	}
	fields, err := wire.Read(here, wire.AnswerFields)
	if err != nil {
		t.Fatal(err)
	}
	return string(fields[1]), string(fields[2])
}

func echoing(idle time.Duration) *Server {
	return &Server{Idle: idle, Limit: time.Second, Logger: slog.New(slog.DiscardHandler), Handle: func(_ context.Context, client string, input []byte) Answer {
		return Answer{Stdout: client + " " + string(input)}
	}}
}

// TestServeEndsWhenIdle answers, goes on as long as events come, and then ends.
func TestServeEndsWhenIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ended := newPipes(), make(chan error, 1)
		start := time.Now()
		go func() { ended <- echoing(time.Minute).Serve(t.Context(), p) }()
		for range 3 {
			time.Sleep(50 * time.Second)
			if out, _ := p.ask(t, wire.Version, "hello"); out != "codex hello" {
				t.Errorf("answer %q", out)
			}
		}
		if _, said := p.ask(t, "0", "hello"); !strings.Contains(said, "another version") {
			t.Errorf("another version is told %q", said)
		}
		if err := <-ended; err != nil || time.Since(start) != 210*time.Second {
			t.Errorf("ended after %v with %v, want a minute after the last event", time.Since(start), err)
		}
	})
}

// TestServeFinishesWhatItBegan answers an event that came before the end.
func TestServeFinishesWhatItBegan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		p, ended, s := newPipes(), make(chan error, 1), echoing(time.Hour)
		s.Handle = func(ctx context.Context, _ string, _ []byte) Answer {
			stop()
			time.Sleep(500 * time.Millisecond)
			if ctx.Err() != nil {
				return Answer{Stdout: "cut off"}
			}
			return Answer{Stdout: "whole"}
		}
		go func() { ended <- s.Serve(ctx, p) }()
		if out, _ := p.ask(t, wire.Version, "x"); out != "whole" {
			t.Errorf("the answer is %q", out)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestStop ends a server of any version.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ended := newPipes(), make(chan error, 1)
		go func() { ended <- echoing(time.Hour).Serve(t.Context(), p) }()
		here, there := net.Pipe()
		p.conns <- there
		if err := wire.Write(here, []byte("0"), []byte(Stop), nil); err != nil {
			t.Fatal(err)
		}
		if _, err := wire.Read(here, wire.AnswerFields); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestSilentClientIsDropped does not hold the server.
func TestSilentClientIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ended := newPipes(), make(chan error, 1)
		go func() { ended <- echoing(time.Minute).Serve(t.Context(), p) }()
		_, there := net.Pipe()
		p.conns <- there
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestListen makes a socket that only its owner may use, also below a long path, and in place of one that was left.
func TestListen(t *testing.T) {
	for _, dir := range []string{t.TempDir(), t.TempDir() + "/" + strings.Repeat("long", 30)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+"/"+wire.SocketName, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		l, done, err := Listen(dir)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(dir + "/" + wire.SocketName)
		if err != nil || info.Mode().Perm() != 0o600 || info.Mode()&fs.ModeSocket == 0 {
			t.Errorf("the socket is %v, %v", info, err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- echoing(time.Hour).Serve(ctx, l) }()
		answer, ok := wire.Relay(dir, []byte(wire.Version), []byte("codex"), []byte("hello"))
		if !ok || string(answer[1]) != "codex hello" {
			t.Errorf("Relay = %q, %v", answer, ok)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if _, ok := wire.Relay(dir, []byte("x"), nil, nil); ok {
			t.Error("a server that has ended answers")
		}
		done()
	}
}
