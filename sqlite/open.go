package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/vectors"
	"github.com/ctx-mcp/ctx-mcp/quota"
)

// FileName is the database's name in the data directory. Beside it lie its write-ahead log and the lock of the writers.
const FileName = "ctx.db"

// busyTimeout is how long a connection waits for tools that do not take the lock of the writers.
const busyTimeout = 10 * time.Second

// readsIdle is how long a connection that nobody reads from stays open: each keeps pages of the file, of up to 16 MB.
const readsIdle = 30 * time.Second

// Store is a memory.Store, a memory.VectorStore, an entities.Registry, an access.Store, an artifacts.Index, a
// tasks.Store and a receipts.Log in one file, or in an Engine.
type Store struct {
	path   string
	reads  *sql.DB
	writes *sql.DB
	lock   locker
	users  presence // of the file
	writer committer
	logger *slog.Logger
	debt   debt // of the goroutine that writes

	limits quota.Limits // set before use

	copies *vectors.Cache // of vectors, in memory
	erased atomic.Int64   // the last erasure that copies, postings and kept versions have followed
	marks  marks

	postings *postings
	kept     *kept
	vault    Vault                   // nil: no field is sealed
	sealing  atomic.Pointer[sealing] // nil: no version is sealed

	engine   *Engine // nil: the file at path
	stopPoll context.CancelFunc
	polled   chan struct{} // closed when the polling has ended
}

// Open opens the database in dir, which it makes, with the database, if there is none. Both can be read by their owner
// only. It returns CodeUnavailable if the file cannot be used, with what to do about it.
func Open(ctx context.Context, dir string, logger *slog.Logger) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unusable(dir, err)
	}
	if err := keepSpillsIn(dir); err != nil {
		return nil, unusable(dir, err)
	}
	path := filepath.Join(dir, FileName)
	if err := touch(path); err != nil {
		return nil, unusable(path, err)
	}
	s := &Store{path: path, logger: logger, users: presenceOf(path), lock: flock.New(path+".lock", flock.SetPermissions(0o600)),
		copies: vectors.NewCache(DefaultVectorMemory), postings: newPostings(postingMemory), kept: newKept(keptMemory)}
	if err := s.users.join(); err != nil {
		return nil, unusable(path, err)
	}
	if err := s.connect(ctx); err != nil {
		return nil, errors.Join(err, s.users.lock.Close())
	}
	s.writer = startWriter(s)
	return s, nil
}

// connect opens the connections to the file, and brings its schema up to date.
func (s *Store) connect(ctx context.Context) (err error) {
	if s.writes, err = sql.Open(libraryName, dsn(s.path, false)); err != nil {
		return unusable(s.path, err)
	}
	s.writes.SetMaxOpenConns(1)
	if err := s.prepare(ctx); err != nil {
		return errors.Join(err, s.writes.Close())
	}
	if s.reads, err = sql.Open(libraryName, dsn(s.path, true)); err != nil {
		return errors.Join(unusable(s.path, err), s.writes.Close())
	}
	s.reads.SetMaxOpenConns(max(4, runtime.NumCPU()))
	s.reads.SetMaxIdleConns(max(4, runtime.NumCPU()))
	s.reads.SetConnMaxIdleTime(readsIdle)
	return nil
}

// spills sets where SQLite spills to.
var spills struct {
	once sync.Once
	err  error
}

// keepSpillsIn has SQLite write the spills of a sort or an index to a file in dir, so that they are as private as the rest. SQLite
// asks the environment of the process for the folder, once, before it opens its first database (unixTempFileInit): that of the first
// store counts for all, and the environment is not changed while SQLite may read it.
func keepSpillsIn(dir string) error {
	spills.once.Do(func() { spills.err = os.Setenv("SQLITE_TMPDIR", dir) })
	return spills.err
}

// touch makes the file with tight permissions, because SQLite would make it with the umask's. A file that exists is left
// alone: closing it again would drop this process's POSIX locks on it.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// dsn returns the connection string. Every pragma is set on every connection, because each pooled connection starts
// with SQLite's defaults.
func dsn(path string, readOnly bool) string {
	q := url.Values{
		"_journal_mode":    {"WAL"},
		"_synchronous":     {"FULL"},
		"_busy_timeout":    {fmt.Sprint(busyTimeout.Milliseconds())},
		"_secure_delete":   {"on"},
		"_foreign_keys":    {"on"},
		"_cache_size":      {"-16384"},
		"_stmt_cache_size": {"64"},
		"_pragma":          {"secure_delete(on)", "cache_size(-16384)"}, // the engine in Go has no words of its own for these two
		"_txlock":          {"immediate"},
	}
	if readOnly {
		q.Set("_query_only", "on")
		q.Set("_txlock", "deferred")
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

// prepare checks the build and the file, and brings the schema up to date. It takes the lock before the first connection:
// that one turns a new file to WAL, which SQLite refuses to do beside another that does the same, however patient it is
// otherwise.
func (s *Store) prepare(ctx context.Context) error {
	if err := s.lock.Lock(); err != nil {
		return unusable(s.path+".lock", err)
	}
	defer s.unlock()
	var fts5 bool
	if err := s.writes.QueryRowContext(ctx, `SELECT sqlite_compileoption_used('ENABLE_FTS5')`).Scan(&fts5); err != nil {
		return unusable(s.path, err)
	}
	if !fts5 {
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "this binary was built without full-text search (FTS5)").
			WithHint("build it with: make build    (or: go build -tags sqlite_fts5 -o bin/ctx-mcp ./cmd/ctx-mcp)")
	}
	if err := s.migrate(ctx); err != nil {
		return err
	}
	return s.finishErasures(ctx)
}

func (s *Store) unlock() {
	if err := s.lock.Unlock(); err != nil {
		s.logger.Error("release the lock of the writers", "error", err)
	}
}

// Close finishes the writes that have been accepted and closes the file.
func (s *Store) Close() error {
	s.stopPolling()
	s.postings.close()
	s.writer.stop()
	err := s.reads.Close()
	if s.debt != (debt{}) {
		locked := s.lock.Lock()
		if locked == nil {
			s.scrub(context.Background())
		}
		err = errors.Join(err, locked)
	}
	err = errors.Join(err, s.writes.Close(), s.lock.Close(), s.closeKeys())
	if s.engine == nil {
		return errors.Join(err, s.users.lock.Close())
	}
	return errors.Join(err, s.engine.Close())
}

// Ping returns CodeUnavailable unless the database answers.
func (s *Store) Ping(ctx context.Context) error {
	var one int
	if err := s.reads.QueryRowContext(ctx, `SELECT 1 FROM scopes UNION SELECT 1 LIMIT 1`).Scan(&one); err != nil {
		return unusable(s.path, err)
	}
	return nil
}

// Sealed reports whether memories are sealed, so that there are keys to be reached.
func (s *Store) Sealed() bool { return s.sealing.Load() != nil }

// PingKeys returns an error unless the keys of the memories can be read, and are those of the store.
func (s *Store) PingKeys(ctx context.Context) error {
	z := s.sealing.Load()
	if z == nil {
		return nil
	}
	index, err := indexOf(ctx, z.keys, false)
	if err == nil && !bytes.Equal(index, z.index) {
		err = foreignKeys()
	}
	return err
}

// Check runs SQLite's own checks of the file and of the full-text index. It returns CodeInternal for a damaged file.
func (s *Store) Check(ctx context.Context) error {
	if s.engine != nil {
		return s.engine.Check(seeingAll(ctx))
	}
	var verdict string
	if err := s.reads.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&verdict); err != nil {
		return unusable(s.path, err)
	}
	if verdict != "ok" {
		return ctxmcp.Errorf(ctxmcp.CodeInternal, "the database is damaged").WithCause(errors.New(verdict)).
			WithHint("restore %s from a backup, or export what can still be read", s.path)
	}
	return nil
}

// unusable translates a failure to use the file, by the driver's code.
func unusable(path string, err error) error {
	if known := (*ctxmcp.Error)(nil); errors.As(err, &known) {
		return err
	}
	e := ctxmcp.Errorf(ctxmcp.CodeUnavailable, "cannot use %s", path).WithCause(err)
	var down interface{ Down() bool }
	if errors.As(err, &down) {
		return e.WithHint("check that its server runs and can be reached, and who may use it")
	}
	if errors.Is(err, os.ErrPermission) {
		return e.WithHint("check who owns it, or choose another place with --data-dir")
	}
	switch codeOf(err) {
	case 0:
		return e.WithHint("choose another place with --data-dir")
	case codeCantOpen, codePerm, codeReadOnly:
		return e.WithHint("check who owns it, or choose another place with --data-dir")
	case codeNotADB:
		return e.WithHint("the file is not a ctx-mcp database; choose another place with --data-dir")
	case codeFull:
		return e.WithHint("the disk is full")
	case codeBusy, codeLocked:
		return e.WithHint("another program holds the database; close it and try again")
	default:
		return e.WithHint("run ctx-mcp doctor")
	}
}

// wrap says what was being done, and translates the error of the driver.
func wrap(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: %w", doing, err)
	case isDown(err):
		return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the store cannot %s now", doing).WithCause(err).
			WithHint("try again; if it stays so, the operator should run ctx-mcp doctor")
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// isDown reports whether the database cannot be used at the moment, as opposed to a fault of a statement. The error of an Engine says so by a
// method Down.
func isDown(err error) bool {
	var down interface{ Down() bool }
	if errors.As(err, &down) {
		return down.Down()
	}
	switch codeOf(err) {
	case codeBusy, codeLocked, codeFull, codeIO, codeCantOpen, codeReadOnly:
		return true
	}
	return false
}

// CheckIndex compares the full-text index with the texts that it was made from. It returns CodeInternal if they differ.
func (s *Store) CheckIndex(ctx context.Context) error {
	compare := func(b *batch) error { return b.exec(`INSERT INTO search (search, rank) VALUES ('integrity-check', 1)`) }
	if err := s.do(ctx, operation{tenants: only(""), check: func(*batch) error { return nil }, write: compare}); err != nil {
		return ctxmcp.Errorf(ctxmcp.CodeInternal, "the full-text index is damaged").WithCause(err).
			WithHint("export the memories with ctx-mcp export and import them into a new data directory")
	}
	return nil
}
