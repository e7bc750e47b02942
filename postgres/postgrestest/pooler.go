package postgrestest

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Pooled returns the address of a new schema through a PgBouncer in transaction mode, which ends with the test. Fewer connections than clients go on to the
// server, so that a transaction seldom finds the connection of the one before. It skips the test if no PgBouncer is installed.
func (s *Server) Pooled(t testing.TB) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer"
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("SKIPPED: no PgBouncer is installed (install the package pgbouncer)")
	}
	direct, err := url.Parse(s.Empty(t))
	if err != nil {
		t.Fatal(err)
	}
	schema := direct.Query().Get("search_path")
	folder := filepath.Join(s.folder, "pooler-"+schema)
	settings := filepath.Join(folder, "pgbouncer.ini")
	text := fmt.Sprintf(`[databases]
pooled = host=%s dbname=postgres user=test connect_query='SET search_path TO %s'
[pgbouncer]
listen_addr =
unix_socket_dir = %s
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 100
`, s.folder, schema, folder)
	err = errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(settings, []byte(text), 0o600))
	if s.account != nil {
		err = errors.Join(err, os.Chown(folder, int(s.account.Uid), int(s.account.Gid)), os.Chown(settings, int(s.account.Uid), int(s.account.Gid)))
	}
	if err != nil {
		t.Fatal(err)
	}
	c := s.command("postgres", settings)
	c.Path = program
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait() // says that it was killed
	})
	awaitSocket(t, filepath.Join(folder, ".s.PGSQL.6432"))
	q := url.Values{"host": {folder}, "port": {"6432"}, "user": {"test"}, "sslmode": {"disable"}}
	return "postgres:///pooled?" + q.Encode()
}

// awaitSocket waits until a server takes connections.
func awaitSocket(t testing.TB, path string) {
	t.Helper()
	for range attempts {
		if c, err := net.Dial("unix", path); err == nil {
			_ = c.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the pooler does not start")
}
