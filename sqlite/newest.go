package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// The newest versions are chosen by their keys, before any object is read.
const (
	findNewest = `
SELECT ` + columns + `
FROM (
  SELECT v.id AS id
  FROM json_each(:scopes) AS k
  CROSS JOIN versions AS v NOT INDEXED
  WHERE v.id BETWEEN k.value << 32 AND (k.value + 1 << 32) - 1` + filter + newestFirst + `
) AS newest
CROSS JOIN versions AS v
WHERE v.id = newest.id
`
	findNewestStanding = `
SELECT ` + columns + `
FROM (
  SELECT v.id AS id
  FROM json_each(:scopes) AS k
  CROSS JOIN versions AS v INDEXED BY versions_standing
  WHERE ` + isStanding + filter + newestFirst + `
) AS newest
CROSS JOIN versions AS v
WHERE v.id = newest.id
`
	// newestHeld goes through the memories of one scope, the newest first, until it has enough.
	newestHeld = `
SELECT v.id, v.tx_start, v.object_id, v.version
FROM versions AS v INDEXED BY versions_held
WHERE v.id >> 32 = :scope
  AND v.tx_end IS NULL` + filter + newestFirst

	findByID = `
SELECT ` + columns + `
FROM json_each(:row_ids) AS k
CROSS JOIN versions AS v
WHERE v.id = k.value
`
	newestFirst = `
ORDER BY v.tx_start DESC, v.object_id DESC, v.version DESC
LIMIT CAST(:limit AS BIGINT)`
)

// mostByScope is the number of scopes up to which each is asked for its newest versions.
const mostByScope = 16

// asksNewest reports whether q asks for the newest versions of its scopes, and names nothing by which they would be found sooner.
func asksNewest(q memory.Query) bool {
	statement := way(q)
	return q.Newest && q.Limit > 0 && (statement == findByScope || statement == findStanding)
}

// asksHeld reports whether q asks for versions that are held now.
func asksHeld(q memory.Query) bool { return q.BelievedAt.IsZero() && !q.EveryVersion }

// asksStanding reports whether the index of findStanding has all that q may select.
func asksStanding(q memory.Query) bool {
	others := slices.ContainsFunc(q.Types, func(t ctxmcp.ObjectType) bool { return !slices.Contains(memory.AlwaysOnTypes(), t) })
	return len(q.Types) > 0 && !others && asksHeld(q)
}

// findTheNewest returns the newest versions that q selects, in the order of q.
func (z *sealing) findTheNewest(ctx context.Context, db querier, q memory.Query, places []place, args []any) (found []ctxmcp.ContextObject, err error) {
	args = append(args, sql.Named("limit", q.Limit))
	switch {
	case asksStanding(q):
		found, err = z.selected(ctx, db, findNewestStanding, args)
	case asksHeld(q) && len(places) <= mostByScope:
		found, err = z.findNewestHeld(ctx, db, q, places, args)
	default:
		found, err = z.selected(ctx, db, findNewest, args)
	}
	return q.Sort(found), err
}

// key is the row of a version, with its place in the order of memory.Compare.
type key struct {
	id, began int64
	object    string
	version   int
}

// findNewestHeld chooses among the newest versions of each scope.
func (z *sealing) findNewestHeld(ctx context.Context, db querier, q memory.Query, places []place, args []any) ([]ctxmcp.ContextObject, error) {
	var keys []key
	for _, p := range places {
		rows, err := db.QueryContext(ctx, newestHeld, append(slices.Clone(args), sql.Named("scope", p.scope))...)
		if err != nil {
			return nil, err
		}
		if keys, err = appendKeys(keys, rows); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(b.began, a.began), cmp.Compare(b.object, a.object), cmp.Compare(b.version, a.version))
	})
	ids := make([]int64, min(len(keys), q.Limit))
	for i := range ids {
		ids[i] = keys[i].id
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return z.selected(ctx, db, findByID, []any{sql.Named("row_ids", array(ids))})
}

func appendKeys(keys []key, rows *sql.Rows) ([]key, error) {
	defer rows.Close()
	for rows.Next() {
		var k key
		if err := rows.Scan(&k.id, &k.began, &k.object, &k.version); err != nil {
			return nil, err
		}
		keys = append(keys, k)
	}
	return keys, rows.Err()
}
