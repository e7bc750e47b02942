package postgrestest

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

// Pooled returns the address of a new schema through a PgBouncer in transaction mode, which ends with the test. Fewer connections than clients go on to the
// server, so that a transaction seldom finds the connection of the one before. It skips the test if no PgBouncer is installed.
func (s *Server) Pooled(t testing.TB) string {
	t.Helper()
	direct, err := url.Parse(s.Empty(t))
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.pool("pooled = dbname=postgres connect_query='SET search_path TO " + direct.Query().Get("search_path") + "'")
	if errors.Is(err, ErrNoPooler) {
		t.Skip("SKIPPED: " + err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	return p.address("pooled")
}

// Pooler is a PgBouncer in transaction mode before a server, for databases of their own.
type Pooler struct {
	server  *Server
	folder  string
	process *exec.Cmd
	stopped atomic.Bool
	ended   chan struct{} // closed
}

// ErrNoPooler says that no PgBouncer is installed.
var ErrNoPooler = errors.New("no PgBouncer is installed (install the package pgbouncer)")

// Pooler starts a PgBouncer. The caller ends it with Stop. It returns ErrNoPooler if there is none.
func (s *Server) Pooler() (*Pooler, error) { return s.pool("* =") }

// Empty returns the address of a new database, which nobody else uses.
func (p *Pooler) Empty() (string, error) {
	name := fmt.Sprintf("d%d", p.server.schemas.Add(1))
	if text, err := p.server.SQL("CREATE DATABASE " + name); err != nil {
		return "", fmt.Errorf("make a database: %w\n%s", err, text)
	}
	return p.address(name), nil
}

// Stop ends the PgBouncer.
func (p *Pooler) Stop() {
	p.stopped.Store(true)
	_ = p.process.Process.Kill()
	<-p.ended
}

// await waits for the end of the PgBouncer, and prints its log if nobody has stopped it.
func (p *Pooler) await(log *bytes.Buffer) {
	defer close(p.ended)
	if err := p.process.Wait(); !p.stopped.Load() {
		fmt.Fprintf(os.Stderr, "PgBouncer has ended by itself (%v):\n%s", err, log)
	}
}

func (p *Pooler) address(database string) string {
	q := url.Values{"host": {p.folder}, "port": {"6432"}, "user": {"test"}, "sslmode": {"disable"}}
	return "postgres:///" + database + "?" + q.Encode()
}

// pool starts a PgBouncer for databases, as a line of its settings names them.
func (s *Server) pool(databases string) (*Pooler, error) {
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer"
	}
	if _, err := os.Stat(program); err != nil {
		return nil, ErrNoPooler
	}
	folder := filepath.Join(s.folder, fmt.Sprintf("pooler-%d", s.schemas.Add(1)))
	settings := filepath.Join(folder, "pgbouncer.ini")
	text := fmt.Sprintf(`[databases]
%s host=%s user=test
[pgbouncer]
listen_addr =
unix_socket_dir = %s
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 400
server_idle_timeout = 5
log_connections = 0
log_disconnections = 0
`, databases, s.folder, folder)
	err = errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(settings, []byte(text), 0o600))
	if s.account != nil {
		err = errors.Join(err, os.Chown(folder, int(s.account.Uid), int(s.account.Gid)), os.Chown(settings, int(s.account.Uid), int(s.account.Gid)))
	}
	if err != nil {
		return nil, err
	}
	log := &bytes.Buffer{}
	p := &Pooler{server: s, folder: folder, process: s.command("postgres", settings), ended: make(chan struct{})}
	p.process.Path, p.process.Stderr = program, log
	if err := p.process.Start(); err != nil {
		return nil, err
	}
	go p.await(log)
	if err := awaitSocket(filepath.Join(folder, ".s.PGSQL.6432")); err != nil {
		p.Stop()
		return nil, err
	}
	return p, nil
}

// awaitSocket waits until a server takes connections.
func awaitSocket(path string) error {
	for range attempts {
		if c, err := net.Dial("unix", path); err == nil {
			return c.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errors.New("the pooler does not start")
}
