package sqlite

import (
	"context"
	"database/sql"
	"math"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// moving is a table that moves from one store to another.
type moving struct {
	name, key string // the key orders the rows
	number    string // column whose next value the database gives; empty: none
}

// tablesCopied are the tables that move. Those that do not are in tablesLeft.
var tablesCopied = []moving{
	{name: "scopes", key: "scope", number: "scope"},
	{name: "versions", key: "id"},
	{name: "texts", key: "id"},
	{name: "vectors", key: "seq", number: "seq"},
	{name: "sessions", key: "scope, session"},
	{name: "authors", key: "scope, author"},
	{name: "entities", key: "node", number: "node"},
	{name: "entity_keys", key: "scope, key, node"},
	{name: "entity_references", key: "tenant, entity_id, object_id, purpose"},
	{name: "replays", key: "tenant, user, name"},
	{name: "reviews", key: "seq", number: "seq"},
	{name: "experiences", key: "tenant, object_id, user"},
	{name: "artifacts", key: "seq", number: "seq"},
	{name: "artifact_pins", key: "tenant, artifact, holder"},
	{name: "tool_answers", key: "tenant, namespace, call"},
	{name: "task_states", key: "tenant, id, namespace, version"},
	{name: "packets", key: "seq", number: "seq"},
	{name: "packet_parts", key: "tenant, kind, id, ref"},
	{name: "prefixes", key: "tenant, namespace, digest"},
	{name: "action_sessions", key: "tenant, user, session"},
	{name: "action_log", key: "tenant, user, session, seq"},
	{name: "receipt_hashes", key: "number"},
	{name: "receipt_sessions", key: "tenant, user, session"},
	{name: "receipts", key: "idx"},
	{name: "receipt_end", key: "one"},
	{name: "data_keys", key: "one"},
	{name: "key_store", key: "one"},
	{name: "owed_keys", key: "id"},
	{name: "tokens", key: "id"},
	{name: "audit", key: "seq", number: "seq"},
}

// tablesLeft are the tables of either database that do not move, each with the reason.
var tablesLeft = map[string]string{
	"search":         "the lexical index of a file is made anew from the texts",
	"postings":       "the lexical index of PostgreSQL is made anew from the texts",
	"search_docsize": "the lengths in the lexical index follow the texts",
	"quota_use":      "the use of quotas follows the rows that it counts; the digests of both are compared",
	"erasures":       "an erasure that is owed is about the files and the memories of the servers of one database",
	"touched":        "changes that copies in the memory of the servers of one database follow",
	"installation":   "facts that the first server of a database agrees on anew, and notes of its upkeep",
	"allowances":     "messages of callers within the last seconds",
	"visits":         "browsers that the servers of one database have let in; they ask to be let in again",
	"schema_steps":   "the steps of the schema that a database has seen",
	"commits":        "names of the changes of the last hour, each asked for if its answer is lost",
	"copying":        "what a store that is being filled has already",
}

// Moves reports whether the rows of a table move with a store, and for one that is known and does not, the reason.
func Moves(table string) (moves bool, left string) {
	return slices.ContainsFunc(tablesCopied, func(t moving) bool { return t.name == table }), tablesLeft[table]
}

// The table that a store has while it is being filled: its source, and how many rows it has of each table.
const (
	markUnfinished = `CREATE TABLE copying (source TEXT NOT NULL, name TEXT PRIMARY KEY, done BIGINT NOT NULL)`
	endUnfinished  = `DROP TABLE copying`
	advance        = `UPDATE copying SET done = ? WHERE name = ?`
)

// The statements for each table that moves, in which braces stand for its names.
const (
	countRows  = `SELECT count(*) FROM {table}`
	readRows   = `SELECT * FROM {table}`
	readBehind = `SELECT * FROM {table} ORDER BY {key} LIMIT ? OFFSET ?`
	insertRow  = `INSERT INTO {table} ({columns}) VALUES ({marks})`
	lastNumber = `SELECT coalesce(max({number}), 0) FROM {table}`
)

// of returns a statement for a table.
func (t moving) of(statement string, columns ...string) string {
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")
	return strings.NewReplacer("{table}", t.name, "{key}", t.key, "{number}", t.number, "{columns}", strings.Join(columns, ", "), "{marks}", marks).Replace(statement)
}

// rowsAtOnce is how many rows are written at once.
const rowsAtOnce = 500

// Copied is what a copy has of one table.
type Copied struct {
	Table  string `json:"table"`
	Rows   int    `json:"rows"`
	Digest string `json:"digest"` // of all rows, whatever their order; the same in both stores
}

// Name returns the place of a store in messages, without secrets.
func (s *Store) Name() string { return s.path }

// CountRows returns how many rows of a store move.
func (s *Store) CountRows(ctx context.Context) (total int, err error) {
	ctx = seeingAll(ctx)
	for _, t := range tablesCopied {
		var n int
		if err := s.reads.QueryRowContext(ctx, t.of(countRows)).Scan(&n); err != nil {
			return 0, wrap("count the rows of "+t.name, err)
		}
		total += n
	}
	return total, nil
}

// Fillable returns how many rows a store has of those of a source. It returns CodeConflict for a store that holds something else.
func (s *Store) Fillable(ctx context.Context, source string) (have int, err error) {
	ctx = seeingAll(ctx)
	err = inTx(ctx, s.reads, func(tx *sql.Tx) error {
		begun, err := s.refuseOthers(ctx, tx, source)
		if err != nil || !begun {
			return err
		}
		done := map[string]int{}
		err = readPlaces(ctx, tx, done)
		for _, n := range done {
			have += n
		}
		return err
	})
	return have, wrap("look whether the store can be filled", err)
}

// Copy fills an empty store with the rows of another one, or goes on with that, and tells how many of how many are there. A group of rows is written
// together with its place, so a copy that was cut off goes on there; until all is there and the digests agree, Unfinished tells of it. The caller has
// claimed both. It returns CodeConflict for a store that holds something else, and for a source that was written meanwhile.
func Copy(ctx context.Context, from, to *Store, tell func(done, total int)) ([]Copied, error) {
	done, err := to.begin(ctx, from.path)
	if err != nil {
		return nil, err
	}
	total, err := from.CountRows(ctx)
	if err != nil {
		return nil, err
	}
	have := 0
	for _, n := range done {
		have += n
	}
	for _, t := range tablesCopied {
		wrote := func(n int) { have += n; tell(have, total) }
		if err := t.copy(ctx, from, to, done[t.name], wrote); err != nil {
			return nil, wrap("copy "+t.name, err)
		}
	}
	copied, err := compare(ctx, from, to)
	if err != nil {
		return nil, err
	}
	return copied, wrap("end the copy", to.alone(ctx, func(tx *sql.Tx) error {
		for _, t := range tablesCopied {
			if err := t.countOn(ctx, to, tx); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, endUnfinished)
		return err
	}))
}

// alone runs do in a transaction that writes, while no other process does.
func (s *Store) alone(ctx context.Context, do func(*sql.Tx) error) error {
	if err := s.lock.Lock(); err != nil {
		return unusable(s.path, err)
	}
	defer s.unlock()
	return s.inWriting(ctx, nil, do)
}

// begin returns how many rows there are of each table of the source, in a store that is empty or was being filled from it.
func (s *Store) begin(ctx context.Context, source string) (map[string]int, error) {
	done := map[string]int{}
	err := s.alone(ctx, func(tx *sql.Tx) error {
		begun, err := s.refuseOthers(ctx, tx, source)
		switch {
		case err != nil:
			return err
		case !begun:
			return markBegun(ctx, tx, source)
		}
		return readPlaces(ctx, tx, done)
	})
	return done, wrap("begin", err)
}

// refuseOthers reports whether a store is being filled from a source. It returns CodeConflict for one that is neither that nor empty.
func (s *Store) refuseOthers(ctx context.Context, tx *sql.Tx, source string) (begun bool, err error) {
	before, err := s.unfinished(ctx, tx)
	switch {
	case err != nil:
		return false, err
	case before == source:
		return true, nil
	case before != "":
		return false, ctxmcp.Errorf(ctxmcp.CodeConflict, "%s is being filled from %s", s.path, before).
			WithHint("finish that with the same --from, or empty it; nothing was changed")
	}
	for _, t := range tablesCopied {
		var n int
		if err := tx.QueryRowContext(ctx, t.of(countRows)).Scan(&n); err != nil {
			return false, err
		}
		if n > 0 {
			return false, ctxmcp.Errorf(ctxmcp.CodeConflict, "%s is not empty: it has rows in %s", s.path, t.name).
				WithHint("name an empty database; nothing was changed")
		}
	}
	return false, nil
}

func readPlaces(ctx context.Context, tx *sql.Tx, done map[string]int) error {
	rows, err := tx.QueryContext(ctx, `SELECT name, done FROM copying`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var n int
		if err := rows.Scan(&name, &n); err != nil {
			return err
		}
		done[name] = n
	}
	return rows.Err()
}

// markBegun marks a store as one that is being filled.
func markBegun(ctx context.Context, tx *sql.Tx, source string) error {
	if _, err := tx.ExecContext(ctx, markUnfinished); err != nil {
		return err
	}
	for _, t := range tablesCopied {
		if _, err := tx.ExecContext(ctx, `INSERT INTO copying (source, name, done) VALUES (?, ?, 0)`, source, t.name); err != nil {
			return err
		}
	}
	return nil
}

// Unfinished returns the source from which a store is being filled, or "" if it is whole.
func (s *Store) Unfinished(ctx context.Context) (string, error) {
	source, err := s.unfinished(ctx, s.reads)
	return source, wrap("look for an unfinished copy", err)
}

func (s *Store) unfinished(ctx context.Context, db rowQuerier) (source string, err error) {
	look := `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?`
	if s.engine != nil {
		look = s.engine.Catalogue.HasTable
	}
	var n int
	if err := db.QueryRowContext(ctx, look, "copying").Scan(&n); err != nil || n == 0 {
		return "", err
	}
	err = db.QueryRowContext(ctx, `SELECT min(source) FROM copying`).Scan(&source)
	return source, err
}

// copy writes the rows behind the first done ones.
func (t moving) copy(ctx context.Context, from, to *Store, done int, wrote func(int)) error {
	ctx = seeingAll(ctx)
	booleans, err := t.booleans(ctx, to)
	if err != nil {
		return err
	}
	rows, err := from.reads.QueryContext(ctx, t.of(readBehind), int64(math.MaxInt64), done)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	for {
		some, err := nextRows(rows, columns, booleans)
		if err != nil || len(some) == 0 {
			return err
		}
		done += len(some)
		if err := to.alone(ctx, func(tx *sql.Tx) error { return t.write(ctx, to, tx, columns, some, done) }); err != nil {
			return err
		}
		wrote(len(some))
	}
}

// booleans returns the columns of a table that are true or false in the database of an Engine; a file has 1 and 0.
func (t moving) booleans(ctx context.Context, to *Store) (names []string, err error) {
	if to.engine == nil {
		return nil, nil
	}
	rows, err := to.reads.QueryContext(ctx, to.engine.Catalogue.Booleans, t.name)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// nextRows returns the next rows, at most rowsAtOnce; none at the end.
func nextRows(rows *sql.Rows, columns, booleans []string) (some [][]any, err error) {
	for len(some) < rowsAtOnce && rows.Next() {
		row, err := valuesOf(rows, len(columns))
		if err != nil {
			return nil, err
		}
		for i, v := range row {
			if n, ok := v.(int64); ok && slices.Contains(booleans, columns[i]) {
				row[i] = n != 0
			}
		}
		some = append(some, row)
	}
	return some, rows.Err()
}

// valuesOf returns the values of a row.
func valuesOf(rows *sql.Rows, columns int) ([]any, error) {
	row, places := make([]any, columns), make([]any, columns)
	for i := range row {
		places[i] = &row[i]
	}
	return row, rows.Scan(places...)
}

// write inserts rows, with what does not follow them by itself, and the place behind them.
func (t moving) write(ctx context.Context, to *Store, tx *sql.Tx, columns []string, some [][]any, done int) error {
	insert := t.of(insertRow, columns...)
	for _, row := range some {
		if _, err := tx.ExecContext(ctx, insert, row...); err != nil {
			return err
		}
		if t.name != "texts" || to.engine != nil { // an engine indexes them by itself
			continue
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO search (rowid, terms) VALUES (?, ?)`, row[slices.Index(columns, "id")], row[slices.Index(columns, "terms")]); err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, advance, done, t.name)
	return err
}

// countOn has the database give numbers behind those that were copied.
func (t moving) countOn(ctx context.Context, to *Store, tx *sql.Tx) error {
	if to.engine == nil || t.number == "" {
		return nil
	}
	var last int64
	if err := tx.QueryRowContext(ctx, t.of(lastNumber)).Scan(&last); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, to.engine.Catalogue.Next, t.name, t.number, last+1)
	return err
}
