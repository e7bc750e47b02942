package postgrestest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// Server is a running server.
type Server struct {
	folder  string // holds the data and the socket
	bin     string
	account *syscall.Credential // nil: that of the test
	process *exec.Cmd
	schemas atomic.Int64
}

// Bin returns the folder of the PostgreSQL programs: the one that $POSTGRES_BIN names, else that of the newest that are installed, or "".
func Bin() string {
	if named := os.Getenv("POSTGRES_BIN"); named != "" {
		return named
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil || len(found) == 0 {
		if path, err := exec.LookPath("initdb"); err == nil {
			return filepath.Dir(path)
		}
		return ""
	}
	return filepath.Dir(slices.Max(found))
}

// Start starts a server with settings, each as name=value. The caller ends it with Stop.
func Start(settings ...string) (*Server, error) {
	s := &Server{bin: Bin()}
	if s.bin == "" {
		return nil, fmt.Errorf("no PostgreSQL is installed: install the package postgresql")
	}
	var err error
	if s.folder, err = os.MkdirTemp("", "pg"); err != nil {
		return nil, err
	}
	if err := s.dropRights(); err != nil {
		return nil, err
	}
	initdb := s.command("initdb", "--pgdata", s.data(), "--username", "test", "--auth", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync")
	if text, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, text)
	}
	return s, s.Restart(settings...)
}

// dropRights has the server run as a user without rights: PostgreSQL refuses to run as root.
func (s *Server) dropRights() error {
	if os.Getuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.ParseUint(account.Uid, 10, 32)
		gid, _ := strconv.ParseUint(account.Gid, 10, 32)
		s.account = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		return os.Chown(s.folder, int(uid), int(gid))
	}
	return fmt.Errorf("there is neither an account postgres nor nobody")
}

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

func (s *Server) command(program string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(s.bin, program), args...)
	c.Dir = s.folder
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC"}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: s.account}
	return c
}

// attempts is how often a server is started while the processes of one that was killed still end.
const attempts = 200

// Restart starts the server that Start has made, or that Kill has ended, and waits until it takes connections.
func (s *Server) Restart(settings ...string) error {
	args := []string{"-D", s.data(), "-k", s.folder, "-c", "listen_addresses="}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	var log string
	for range attempts {
		ready := false
		var err error
		if log, ready, err = s.start(args); err != nil || ready {
			return err
		}
		if !strings.Contains(log, "shared memory block") {
			break
		}
	}
	return fmt.Errorf("the server does not start:\n%s", log)
}

// start starts the server and reads its log until it says that it is ready, or ends.
func (s *Server) start(args []string) (log string, ready bool, err error) {
	lines, writer, err := os.Pipe()
	if err != nil {
		return "", false, err
	}
	s.process = s.command("postgres", args...)
	s.process.Stderr = writer
	err = errors.Join(s.process.Start(), writer.Close())
	if err != nil {
		return "", false, errors.Join(err, lines.Close())
	}
	in := bufio.NewScanner(lines)
	for in.Scan() {
		log += in.Text() + "\n"
		if strings.Contains(in.Text(), "ready to accept connections") {
			go func() { // the server must not wait for a reader of its log
				_, _ = io.Copy(io.Discard, lines)
				_ = lines.Close()
			}()
			return log, true, nil
		}
	}
	_ = s.process.Wait() // says that it failed
	return log, false, lines.Close()
}

// Kill ends the server by the signal that nobody can catch. Its children end when they notice.
func (s *Server) Kill() error {
	err := s.process.Process.Kill()
	_ = s.process.Wait() // says that it was killed
	return err
}

// Hold stops all processes of the server where they are, as a disk does that answers nobody. release has them go on. It works on Linux.
func (s *Server) Hold() (release func() error, err error) {
	server := s.process.Process.Pid
	if err := syscall.Kill(server, syscall.SIGSTOP); err != nil { // first, so that it starts no others
		return nil, err
	}
	held := []int{server}
	release = func() (err error) {
		for _, pid := range slices.Backward(held) {
			if e := syscall.Kill(pid, syscall.SIGCONT); e != syscall.ESRCH { // a connection's process may have ended
				err = errors.Join(err, e)
			}
		}
		return err
	}
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", server, server))
	if err != nil {
		return nil, errors.Join(err, release())
	}
	for _, field := range strings.Fields(string(children)) {
		if pid, err := strconv.Atoi(field); err == nil && syscall.Kill(pid, syscall.SIGSTOP) == nil {
			held = append(held, pid)
		}
	}
	return release, nil
}

// Stop ends the server and removes its data.
func (s *Server) Stop() error {
	err := s.process.Process.Signal(syscall.SIGQUIT)
	_ = s.process.Wait() // says that it did not finish its work
	return errors.Join(err, os.RemoveAll(s.folder))
}

// Address returns the address of the database, for objects in a schema.
func (s *Server) Address(schema string) string {
	q := url.Values{"host": {s.folder}, "user": {"test"}, "search_path": {schema}, "sslmode": {"disable"}}
	return "postgres:///postgres?" + q.Encode()
}

// Empty returns the address of a new schema, which nobody else uses.
func (s *Server) Empty(t testing.TB) string {
	t.Helper()
	schema := fmt.Sprintf("s%d", s.schemas.Add(1))
	if text, err := s.SQL("CREATE SCHEMA " + schema); err != nil {
		t.Fatalf("make a schema: %v\n%s", err, text)
	}
	return s.Address(schema)
}

// Folder returns the folder of the data, with the write-ahead log in it.
func (s *Server) Folder() string { return s.data() }

// Backup makes a base backup without the write-ahead log that leads up to it, and returns its folder.
func (s *Server) Backup(t testing.TB) string {
	t.Helper()
	to, err := os.MkdirTemp(s.folder, "backup")
	if err == nil && s.account != nil {
		err = os.Chown(to, int(s.account.Uid), int(s.account.Gid))
	}
	if err != nil {
		t.Fatal(err)
	}
	if text, err := s.command("pg_basebackup", "-h", s.folder, "-U", "test", "-D", to, "-c", "fast", "-X", "none").CombinedOutput(); err != nil {
		t.Fatalf("pg_basebackup: %v\n%s", err, text)
	}
	return to
}

// SQL runs statements by psql and returns what it prints, one row a line.
func (s *Server) SQL(statements string) (string, error) {
	text, err := s.command("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", s.folder, "-U", "test", "-d", "postgres", "-c", statements).CombinedOutput()
	return string(text), err
}
