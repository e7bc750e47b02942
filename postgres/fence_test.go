package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/ctx-mcp/ctx-mcp/sqlite"
	"github.com/ctx-mcp/ctx-mcp/storetest"
)

// grants are those that docs/security.md gives to the role of the servers.
const grants = `
DO $$ BEGIN IF to_regrole('app') IS NULL THEN CREATE ROLE app LOGIN NOSUPERUSER NOBYPASSRLS; END IF; END $$;
GRANT USAGE ON SCHEMA %[1]s TO app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %[1]s TO app;`

// fenced returns the addresses of a new schema for its owner and for a role that does not own it.
func fenced(t testing.TB) (owner, app string) {
	t.Helper()
	owner = server.Empty(t)
	s, err := Open(t.Context(), owner, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	schema := regexp.MustCompile(`search_path=(\w+)`).FindStringSubmatch(owner)[1]
	text, err := server.SQL(fmt.Sprintf(grants, schema))
	if err := errors.Join(s.Close(), err); err != nil {
		t.Fatal(err, text)
	}
	return owner, strings.Replace(owner, "user=test", "user=app", 1)
}

// guarded are the tables with a fence.
func guarded(t *testing.T, db *pgx.Conn) []string {
	t.Helper()
	return words(t, db, `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relrowsecurity ORDER BY 1`)
}

// words returns the texts of one column.
func words(t *testing.T, db *pgx.Conn, query string) []string {
	t.Helper()
	rows, err := db.Query(context.Background(), query) // the test may be over
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// connect opens a connection without the driver's translation, until the test ends.
func connect(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	c, err := config(address)
	if err != nil {
		t.Fatal(err)
	}
	db, err := pgx.ConnectConfig(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close(context.Background()) })
	return db
}

// call is a statement as the store sent it, and the settings of its transaction.
type call struct {
	text      string
	args      []any
	seen, all string
}

// recorder keeps the last call of each statement.
type recorder struct {
	mu    sync.Mutex
	calls map[string]call
}

// recordingConnector makes connections whose statements are recorded.
type recordingConnector struct {
	connector
	to *recorder
}

func (c recordingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := c.connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &recording{conn: made.(*conn), to: c.to}, nil
}

// recording is a connection that records its statements.
type recording struct {
	*conn
	to        *recorder
	seen, all string // as the transaction that writes set them
}

func (r *recording) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	r.keep(ctx, query, args)
	return r.conn.QueryContext(ctx, query, args)
}

func (r *recording) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	r.keep(ctx, query, args)
	return r.conn.ExecContext(ctx, query, args)
}

func (r *recording) keep(ctx context.Context, query string, args []driver.NamedValue) {
	s := translate(query)
	ordered, err := s.arguments(args)
	if err != nil {
		return
	}
	if strings.Contains(query, "begin_writing") {
		r.seen, r.all = fmt.Sprint(ordered[0].Value), fmt.Sprint(ordered[1].Value)
		return
	}
	c := call{text: s.text, seen: r.seen, all: r.all}
	if r.reading {
		if c.seen, c.all, err = settings(sqlite.SightOf(ctx)); err != nil {
			return
		}
	}
	for _, a := range ordered {
		c.args = append(c.args, a.Value)
	}
	r.to.mu.Lock()
	defer r.to.mu.Unlock()
	r.to.calls[s.text] = c
}

// trial tries recorded statements on the database that they were recorded on.
type trial struct {
	*testing.T
	owner, app *pgx.Conn
	tables     []string // with a fence
}

// tally counts statements of all trials.
type tally struct {
	tried, mattered map[string]bool
	times           map[string]int
}

// enough is how many databases a statement is tried on.
const enough = 1

// condition names a tenant. Without it a statement is about all of them, as far as it knows.
var condition = regexp.MustCompile(`\b(?:\w+\.)?tenant = (\$\d+)`)

// TestStoreFenced runs the stores' suite as a role that does not own the tables. After each of its tests, every statement that the store had sent on
// the rows of a tenant is sent again, with the setting of another tenant, and without its condition on the tenant. What it answers and changes is
// what it does in a database that holds nothing of other tenants.
func TestStoreFenced(t *testing.T) {
	needServer(t)
	if os.Getenv("TEST_FENCE") == "" {
		t.Skip("SKIPPED: make test-fence tries every statement against row-level security")
	}
	n := tally{map[string]bool{}, map[string]bool{}, map[string]int{}}
	storetest.Run(t, func(t *testing.T) storetest.Store {
		owner, app := fenced(t)
		c, err := config(app)
		if err != nil {
			t.Fatal(err)
		}
		r := &recorder{calls: map[string]call{}}
		s := over("fenced", stdlib.GetConnector(*c), func(c connector) driver.Connector { return recordingConnector{c, r} }, slog.New(slog.DiscardHandler))
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			if !t.Failed() {
				tr := trial{t, connect(t, owner), connect(t, app), nil}
				tr.tables = slices.DeleteFunc(guarded(t, tr.owner), func(name string) bool { return name == "tokens" }) // which are looked up without a tenant
				tr.all(r, n)
			}
		})
		return audited{s, owner}
	})
	t.Logf("%d statements were tried with other settings or without their condition; %d of them would have met rows of other tenants", len(n.tried), len(n.mattered))
	if len(n.tried) < 80 || len(n.mattered) < 30 {
		t.Errorf("%d statements were tried, and the fence mattered for %d", len(n.tried), len(n.mattered))
	}
}

// all tries the statements that were recorded. Before the last try all rows become those of other tenants.
func (tr trial) all(r *recorder, n tally) {
	tr.Helper()
	var bare []call
	for text, c := range r.calls {
		fenced := slices.ContainsFunc(tr.tables, func(name string) bool { return regexp.MustCompile(`\b` + name + `\b`).MatchString(text) })
		if c.all != "no" || !fenced || n.times[text] >= enough {
			continue
		}
		n.times[text]++
		n.tried[text] = true
		nobody := call{text: c.text, args: c.args, seen: `["nobody"]`, all: "no"}
		if got, want := tr.as(tr.app, nobody, nil), tr.as(tr.owner, nobody, tr.tables); got != want && !(isInsert(text) && strings.HasPrefix(got, "error 42501")) {
			tr.Errorf("of nobody's rows, %s\nanswers %s, want %s", text, got, want)
		}
		if !isInsert(text) {
			c.text = condition.ReplaceAllString(text, "$1 IS NOT NULL")
			bare = append(bare, c)
			tr.without(c, n)
		}
	}
	all := "SET session_replication_role = replica;"
	for _, name := range tr.tables {
		all += fmt.Sprintf("UPDATE %s SET tenant = 'x' || tenant WHERE tenant <> '';", name)
	}
	if _, err := tr.owner.Exec(context.Background(), all+"SET session_replication_role = origin"); err != nil {
		tr.Fatal(err)
	}
	for _, c := range bare {
		tr.without(c, n)
	}
}

// without compares what a call without its condition does with what it does where there is nothing of other tenants.
func (tr trial) without(c call, n tally) {
	tr.Helper()
	got := tr.as(tr.app, c, nil)
	if want := tr.as(tr.owner, c, tr.tables); got != want {
		tr.Errorf("without its condition, %s\nanswers %s, want %s", c.text, got, want)
	}
	if tr.as(tr.owner, c, nil) != got {
		n.mattered[c.text] = true
	}
}

func isInsert(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "INSERT") }

// as sends a call over a connection, undoes it, and returns what it answered and how many rows it changed. Rows of others than the tenants that it sees are
// taken out of the tables before.
func (tr trial) as(db *pgx.Conn, c call, empty []string) string {
	tr.Helper()
	ctx := context.Background() // the test is over
	tx, err := db.Begin(ctx)
	if err != nil {
		tr.Fatal(err)
	}
	defer func() { _ = tx.Rollback(ctx) }()
	if _, err := tx.Exec(ctx, setFence, c.seen, c.all); err != nil {
		tr.Fatal(err)
	}
	if len(empty) > 0 {
		all := "SET LOCAL session_replication_role = replica;" // no trigger
		for _, name := range empty {
			all += fmt.Sprintf("DELETE FROM %s WHERE tenant <> ALL (tenants_seen());", name)
		}
		if _, err := tx.Exec(ctx, all+"SET LOCAL session_replication_role = origin"); err != nil {
			tr.Fatal(err)
		}
	}
	rows, err := tx.Query(ctx, c.text, c.args...)
	return answered(rows, err)
}

// committed sends a call over a connection, in a transaction that is committed if the call succeeds.
func (tr trial) committed(db *pgx.Conn, c call) (answer string) {
	tr.Helper()
	ctx := context.Background()
	err := pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, setFence, c.seen, c.all); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, c.text, c.args...)
		if answer = answered(rows, err); strings.HasPrefix(answer, "error") {
			return errors.New(answer)
		}
		return nil
	})
	if err != nil && !strings.HasPrefix(answer, "error") {
		return state(err)
	}
	return answer
}

// setFence opens the fence around tenants, for a transaction.
const setFence = `SELECT set_config('ctx_mcp.tenants', $1, true), set_config('ctx_mcp.all', $2, true)`

// answered returns the rows of an answer, in order of their texts, and how many were changed.
func answered(rows pgx.Rows, err error) string {
	if err != nil {
		return state(err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		values, err := row.Values()
		return fmt.Sprint(values), err
	})
	if err != nil {
		return state(err)
	}
	slices.Sort(found)
	return fmt.Sprint(rows.CommandTag(), found)
}

// state returns the code of an error of the server.
func state(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return "error " + e.Code + " " + e.Message
	}
	return "error " + err.Error()
}

// TestFenceIsComplete: each table with a tenant has a fence, for all commands; nothing gets around it; and no unique index tells of rows of other tenants
// by a value that a caller can choose.
func TestFenceIsComplete(t *testing.T) {
	needServer(t)
	owner, _ := fenced(t)
	db := connect(t, owner)
	for _, q := range []struct {
		about, query string
		want         []string
	}{
		{"tables with a tenant and without a fence", `
SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attname = 'tenant'
  AND NOT (c.relrowsecurity AND EXISTS (SELECT 1 FROM pg_policy AS p WHERE p.polrelid = c.oid AND p.polcmd = '*' AND p.polroles = '{0}'))`,
			nil},
		{"tables without a tenant", `
SELECT c.relname FROM pg_class AS c
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
  AND NOT EXISTS (SELECT 1 FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attname = 'tenant')
ORDER BY 1`,
			[]string{
				"authors", "commits", "data_keys", "entity_keys", "erasures", "installation", "key_store", "owed_keys", "postings", "receipt_end", "receipt_hashes", "schema_steps", "search_docsize", "sessions",
				"texts", "touched", "vectors", "visits",
			}},
		{"functions with the rights of their owner", `SELECT proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prosecdef`, nil},
		{"views, which have the rights of their owner", `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('v', 'm')`, nil},
		{"unique indexes without the tenant", `
SELECT i.relname FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS c ON c.oid = x.indrelid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relrowsecurity AND x.indisunique
  AND NOT EXISTS (SELECT 1 FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attname = 'tenant' AND a.attnum = ANY (x.indkey))
ORDER BY 1`, []string{"artifacts_pkey", "audit_pkey", "entities_pkey", "packets_pkey", "receipts_pkey", "reviews_pkey", "scopes_pkey", "tokens_pkey", "versions_pkey"}}, // numbers that the store gives out
	} {
		if got := words(t, db, q.query); !slices.Equal(got, q.want) {
			t.Errorf("%s: %v, want %v", q.about, got, q.want)
		}
	}
}

// TestFence: the traps of row-level security.
func TestFence(t *testing.T) {
	needServer(t)
	address, appAddress := fenced(t)
	owner, app := connect(t, address), connect(t, appAddress)
	const put = `INSERT INTO replays (tenant, "user", name, digest, object_id, result) VALUES ($1, 'ann', 'k', 'd', 'o', 'r')`
	// run runs statements in one transaction of a role that is about tenants, and returns the last answer.
	run := func(db *pgx.Conn, seen, statement string, args ...any) string {
		return trial{t, owner, app, nil}.committed(db, call{text: statement, args: args, seen: seen, all: "no"})
	}
	const count = `SELECT tenant FROM replays`
	for _, step := range []struct {
		what string
		got  func() string
		want string
	}{
		{"a row of one's own", func() string { return run(app, `["acme"]`, put, "acme") }, "INSERT 0 1 []"},
		{"a row of another tenant", func() string { return run(app, `["acme"]`, put, "other") }, "error 42501"},
		{"the same key at another tenant, which a unique violation would tell of", func() string { return run(app, `["other"]`, put, "other") }, "INSERT 0 1 []"},
		{"two tenants at once", func() string { return run(app, `["acme","other"]`, count) }, "SELECT 2 [[acme] [other]]"},
		{"one's own rows", func() string { return run(app, `["acme"]`, count) }, "SELECT 1 [[acme]]"},
		{"rows of others", func() string { return run(app, `["third"]`, count) }, "SELECT 0 []"},
		{"a change of another's row", func() string { return run(app, `["third"]`, `UPDATE replays SET result = 'x'`) }, "UPDATE 0 []"},
		{"a row that is given away", func() string {
			return run(app, `["acme"]`, `UPDATE replays SET tenant = 'other' WHERE tenant = 'acme'`)
		}, "error 42501"},
		{"a removal of another's row", func() string { return run(app, `["third"]`, `DELETE FROM replays`) }, "DELETE 0 []"},
		{"a trigger that counts another's row", func() string { return run(app, `["acme"]`, `SELECT use_quota('other', 'memories', 1)`) }, "error 42501"},
		{"the whole table", func() string { return run(app, `["acme"]`, `TRUNCATE replays`) }, "error 42501"},
		{"the fence itself", func() string { return run(app, `["acme"]`, `ALTER TABLE replays DISABLE ROW LEVEL SECURITY`) }, "error 42501"},
		{"row security off, which does not open it", func() string {
			return run(app, `["acme"]`, `DO $$ BEGIN SET LOCAL row_security = off; PERFORM 1 FROM replays; END $$`)
		}, "error 42501"},
		{"no setting, after transactions with one", func() string { return bare(t, app, count) }, "SELECT 0 []"},
		{"no setting, on a new connection", func() string { return bare(t, connect(t, appAddress), count) }, "SELECT 0 []"},
		{"a setting that is no list", func() string { return run(app, `acme`, count) }, "error 22P02"},
		{"the owner, whom it does not bind", func() string { return bare(t, owner, count) }, "SELECT 2 [[acme] [other]]"},
	} {
		if got := step.got(); !strings.HasPrefix(got, step.want) {
			t.Errorf("%s: %s, want %s", step.what, got, step.want)
		}
	}
}

// TestFenceOfTokens: a transaction sees the tokens of its tenants, the one that it looks up, and all only if it names nobody.
func TestFenceOfTokens(t *testing.T) {
	needServer(t)
	address, appAddress := fenced(t)
	owner, app := connect(t, address), connect(t, appAddress)
	for _, tenant := range []string{"acme", "other"} {
		bare(t, owner, fmt.Sprintf(`INSERT INTO tokens (id, name, tenant, "user", clearance, authority, created, digest) VALUES ('t-%[1]s', '', '%[1]s', '', '', 0, 0, '')`, tenant))
	}
	for seen, want := range map[string]string{
		`["acme",""]`:          "SELECT 1 [[t-acme]]",
		`["token:t-other",""]`: "SELECT 1 [[t-other]]",
		`["t-other",""]`:       "SELECT 0 []",
		`["third",""]`:         "SELECT 0 []",
		`["",""]`:              "SELECT 2 [[t-acme] [t-other]]",
	} {
		got := trial{t, owner, app, nil}.committed(app, call{text: `SELECT id FROM tokens ORDER BY id`, seen: seen, all: "no"})
		if got != want {
			t.Errorf("to %s the tokens are %s, want %s", seen, got, want)
		}
	}
	if got := bare(t, app, `SELECT id FROM tokens`); got != "SELECT 0 []" {
		t.Errorf("without a setting the tokens are %s, want none", got)
	}
}

// bare sends a statement outside of a transaction.
func bare(t *testing.T, db *pgx.Conn, statement string) string {
	t.Helper()
	rows, err := db.Query(t.Context(), statement)
	return answered(rows, err)
}
