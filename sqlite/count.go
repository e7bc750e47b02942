package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/memory"
)

const (
	// countVersions counts the first versions, of which an object has one, and names the objects of later ones: to tell all objects apart
	// takes SQLite longer than to find them.
	countVersions = `
SELECT count(*) FILTER (WHERE v.version = 1), json_group_array(v.object_id) FILTER (WHERE v.version > 1)
FROM json_each(:scopes) AS k
CROSS JOIN versions AS v NOT INDEXED
WHERE v.id BETWEEN k.value << 32 AND (k.value + 1 << 32) - 1` + filter

	// countFirst counts the objects of a list that were counted by their first versions.
	countFirst = `
SELECT count(*)
FROM (SELECT DISTINCT value FROM json_each(:later)) AS k
CROSS JOIN versions AS v INDEXED BY sqlite_autoindex_versions_1
WHERE v.tenant = :tenant AND v.object_id = k.value AND v.version = 1` + filter

	// countHeld is countVersions for a query that restricts none but columns of the index: the scopes are the tenant's.
	countHeld = `
SELECT count(*) FILTER (WHERE v.version = 1), json_group_array(v.object_id) FILTER (WHERE v.version > 1)
FROM json_each(:scopes) AS k
CROSS JOIN versions AS v INDEXED BY versions_held
WHERE v.id >> 32 = k.value
  AND v.tx_end IS NULL` + covered
)

// Count implements memory.Store.
func (s *Store) Count(ctx context.Context, q memory.Query) (n int, err error) {
	ctx = seeing(ctx, q.Tenant)
	err = inTx(ctx, s.reads, func(tx *sql.Tx) error {
		places, err := scopesOf(ctx, tx, q)
		if err != nil || len(places) == 0 {
			return err
		}
		statement := countVersions
		if asksHeld(q) && asksCovered(q) {
			statement = countHeld
		}
		n, err = countObjects(ctx, tx, statement, s.sealing.Load().arguments(q, numbers(places)))
		return err
	})
	return n, wrap("count", err)
}

// asksCovered reports whether q restricts no column but those of covered.
func asksCovered(q memory.Query) bool {
	lists := len(q.ObjectIDs) + len(q.FactIDs) + len(q.Slots) + len(q.Subjects) + len(q.DerivedFrom) + len(q.DisplacedBy) + len(q.Sources)
	return lists == 0 && q.ObjectEnd == "" && q.ContentKey == "" && q.Session == "" && q.Origin == "" && q.Before == nil
}

// countObjects returns the number of objects that have versions that the arguments select, by one of the statements that count versions.
func countObjects(ctx context.Context, tx *sql.Tx, statement string, args []any) (n int, err error) {
	var names []byte
	if err := tx.QueryRowContext(ctx, statement, args...).Scan(&n, &names); err != nil {
		return 0, err
	}
	var later []string
	if err := json.Unmarshal(names, &later); err != nil || len(later) == 0 {
		return n, err
	}
	slices.Sort(later)
	later = slices.Compact(later)
	var counted int
	err = tx.QueryRowContext(ctx, countFirst, append(args, sql.Named("later", array(later)))...).Scan(&counted)
	return n + len(later) - counted, err
}
