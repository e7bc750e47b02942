package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

const (
	// poll is the time between two looks for the erasures of other servers.
	poll = time.Second
	// writers bounds the transactions of this process that write at a time.
	writers = 8
	// fewestReaders and mostReaders bound the transactions of this process that read at a time: servers share the connections of a database, which are a
	// hundred by default.
	fewestReaders, mostReaders = 4, 16
	// smallWork bounds the connections for short statements that wait for no writer.
	smallWork = 2
	// patience is how long the fate of a commit is asked for after its answer was lost.
	patience = 10 * time.Second
	// between is the time between two such questions.
	between = 100 * time.Millisecond
)

// IsAddress reports whether a text is the address of a PostgreSQL database.
func IsAddress(text string) bool {
	return strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
}

// Name returns an address without its password, for messages.
func Name(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the PostgreSQL database"
	}
	name := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if u.User != nil {
		name.User = url.User(u.User.Username())
	}
	return name.String()
}

// Open opens the store in a database, by an address as libpq takes it, and brings its schema up to date. It returns CodeInvalid for a text
// that is no address, and CodeUnavailable if the database cannot be used.
func Open(ctx context.Context, address string, logger *slog.Logger) (*sqlite.Store, error) {
	c, err := config(address)
	if err != nil {
		return nil, err
	}
	first, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return nil, unusable(address, err)
	}
	if err := errors.Join(migrate(ctx, first), first.Close(ctx)); err != nil {
		return nil, unusable(address, err)
	}
	return over(Name(address), stdlib.GetConnector(*c), func(c connector) driver.Connector { return c }, logger), nil
}

// over returns the store on connections that base makes, each as wrap returns it.
func over(name string, base driver.Connector, wrap func(connector) driver.Connector, logger *slog.Logger) *sqlite.Store {
	writes, reads := sql.OpenDB(wrap(newConnector(base, false))), sql.OpenDB(wrap(newConnector(base, true)))
	writes.SetMaxOpenConns(writers + 1) // and the one of the turn
	writes.SetMaxIdleConns(writers + 1)
	n := readers(runtime.GOMAXPROCS(0))
	reads.SetMaxOpenConns(n)
	reads.SetMaxIdleConns(n / 2)
	e := &sqlite.Engine{Name: name, Reads: reads, Writes: writes, Begin: begin, Lock: lock, Facts: facts{writes}, Catalogue: catalogue, Poll: poll}
	small := sql.OpenDB(newConnector(base, false))
	small.SetMaxOpenConns(smallWork)
	e.Allowances, e.Visits, e.Close = allowances{small}, browsers{small}, small.Close
	e.Turn = func(ctx context.Context, name string, do func(context.Context)) { takeTurns(ctx, writes, name, do) }
	e.Claim = func(ctx context.Context) (func() error, error) { return claim(ctx, writes, e.Name) }
	e.Committed = func(ctx context.Context, name string) (bool, error) { return committed(ctx, writes, name) }
	e.Check = func(ctx context.Context) error { return check(ctx, reads) }
	return sqlite.Over(e, logger)
}

// readers returns the number of transactions that read at a time, given that of the processors.
func readers(processors int) int { return min(max(fewestReaders, 2*processors), mostReaders) }

// catalogue asks for the tables of the schema.
var catalogue = sqlite.Catalogue{
	HasTable: `SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = ?`,
	Booleans: `
SELECT column_name::text
FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name = ? AND data_type = 'boolean'`,
	Next: `SELECT setval(pg_get_serial_sequence(?, ?), ?, false)`,
}

// config reads an address.
func config(address string) (*pgx.ConnConfig, error) {
	c, err := pgx.ParseConfig(address)
	if err != nil { // the driver's error quotes the address, without its password
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the address of the store cannot be read").WithCause(err).
			WithHint("give it as postgres://user:password@host:5432/database; in the password, write other signs than letters and digits as %% and two digits")
	}
	c.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = patience
	}
	c.DialFunc = dialer.DialContext
	return c, nil
}

// unusable says why the database cannot be used, unless the error says it by itself.
func unusable(address string, err error) error {
	if ctxmcp.CodeOf(err) == ctxmcp.CodeUnavailable {
		return err
	}
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "cannot use %s", Name(address)).WithCause(err).
		WithHint("check that its server runs, and that the user may connect; a user who does not own the tables needs its owner to bring the schema up to date first, as with ctx-mcp doctor")
}

// begin takes the locks of the tenants, or that of all of them, opens the fence around their rows, and names the change.
func begin(ctx context.Context, tx *sql.Tx, tenants []string) (name string, err error) {
	var list any
	if len(tenants) > 0 {
		text, err := json.Marshal(tenants)
		if err != nil {
			return "", err
		}
		list = string(text)
	}
	seen, all, err := settings(sqlite.Sight{Tenants: tenants, All: len(tenants) == 0})
	if err != nil {
		return "", err
	}
	var was string
	err = tx.QueryRowContext(ctx, `SELECT set_config('ctx_mcp.tenants', ?, true), set_config('ctx_mcp.all', ?, true), begin_writing(?), name_change()`, seen, all, list).
		Scan(&was, &was, &was, &name)
	return name, err
}

// lock takes the lock of something that the tenants share.
func lock(ctx context.Context, tx *sql.Tx, what sqlite.Shared) error {
	_, err := tx.ExecContext(ctx, `SELECT lock_shared(?)`, string(what))
	return err
}

// fate reports whether a change was lost. It waits for a transaction that may still commit it; one that was not committed by then never is, since its name
// is taken.
const fate = `
INSERT INTO commits (name, lost)
VALUES (?::uuid, true)
ON CONFLICT (name) DO UPDATE SET lost = commits.lost
RETURNING lost`

// committed asks for the fate of a change until the server answers: after a crash it has to start first.
func committed(ctx context.Context, db *sql.DB, name string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		var lost bool
		err := db.QueryRowContext(ctx, fate, name).Scan(&lost)
		if err == nil {
			return !lost, nil
		}
		select {
		case <-ctx.Done():
			return false, fmt.Errorf("whether change %s was committed is unknown: %w", name, errors.Join(err, ctx.Err()))
		case <-time.After(between):
		}
	}
}

// checks are questions whose answer is the number of rows that contradict others, with the meaning of any.
var checks = []struct{ question, fault string }{
	{`SELECT count(*) FROM versions AS v LEFT JOIN texts AS t ON t.id = v.id WHERE t.id IS NULL`, "versions have no text"},
	{`SELECT count(*) FROM texts AS t LEFT JOIN search_docsize AS d ON d.id = t.id WHERE d.id IS NULL`, "texts are not in the index"},
	{`SELECT count(*) FROM vectors AS x LEFT JOIN versions AS v ON v.id = x.id WHERE v.id IS NULL`, "vectors have no version"},
}

// check looks for rows that contradict each other.
func check(ctx context.Context, db *sql.DB) error {
	for _, c := range checks {
		var n int
		if err := db.QueryRowContext(ctx, c.question).Scan(&n); err != nil {
			return fmt.Errorf("check the database: %w", err)
		}
		if n > 0 {
			return ctxmcp.Errorf(ctxmcp.CodeInternal, "the database is damaged: %d %s", n, c.fault).
				WithHint("restore it from a backup, or export what can still be read")
		}
	}
	return nil
}
