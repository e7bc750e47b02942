package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// querier reads the database: a transaction, or the pool.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// filter is memory.Query.Match in SQL, but for the place, which is resolved into scope numbers before.
const filter = `
  AND v.tenant = :tenant
  AND (v.id >> 32) IN (SELECT value FROM json_each(:scopes))` + covered + `  AND CASE
        WHEN :every THEN TRUE
        WHEN :believed IS NULL THEN v.tx_end IS NULL
        ELSE v.tx_start <= :believed AND (v.tx_end IS NULL OR v.tx_end > :believed)
      END
  AND (:objects IS NULL OR v.object_id IN (SELECT value FROM json_each(:objects)))
  AND (:object_end IS NULL OR substr(v.object_id, -length(:object_end)) = :object_end)
  AND (:facts IS NULL OR v.fact_id IN (SELECT value FROM json_each(:facts)))
  AND (:slots IS NULL OR v.slot IN (SELECT value FROM json_each(:slots)))
  AND (:subjects IS NULL OR v.subject IN (SELECT value FROM json_each(:subjects)))
  AND (:contents IS NULL OR v.content_key IN (SELECT value FROM json_each(:contents)))
  AND (:session IS NULL OR v.session = :session)
  AND (:sources IS NULL OR coalesce(v.source_kind, v.object ->> 'source_kind') IN (SELECT value FROM json_each(:sources)))
  AND (:displaced_by IS NULL OR v.closing ->> 'supersession_link' IN (SELECT value FROM json_each(:displaced_by)))
  AND (:derived_from IS NULL OR EXISTS (
        SELECT 1 FROM json_each(v.object ->> 'derived_from') AS d WHERE d.value IN (SELECT value FROM json_each(:derived_from))))
  AND (:before IS NULL OR (v.tx_start, v.object_id, v.version) < (:before, :before_object, :before_version))
  AND (:origin IS NULL OR v.domains IS NULL OR NOT EXISTS (
        SELECT 1 FROM json_each(v.domains) AS o WHERE o.value <> :origin))
`

// covered is the part of filter that the columns of the index versions_held decide.
const covered = `
  AND (:unrestricted OR v.classification <= :clearance)
  AND (:unrestricted OR v.allow_roles IS NULL OR EXISTS (
        SELECT 1 FROM json_each(v.allow_roles) AS a WHERE a.value IN (SELECT value FROM json_each(:roles))))
  AND (:unrestricted OR v.deny_roles IS NULL OR NOT EXISTS (
        SELECT 1 FROM json_each(v.deny_roles) AS d WHERE d.value IN (SELECT value FROM json_each(:roles))))
  AND (:as_of IS NULL OR v.valid_from <= :as_of AND (v.valid_until IS NULL OR v.valid_until > :as_of))
  AND (:types IS NULL OR v.object_type IN (SELECT value FROM json_each(:types)))
  AND (:statuses IS NULL OR v.status IN (SELECT value FROM json_each(:statuses)))
  AND (:archived OR NOT v.archived)
`

// The ways into the table, one for each column that a query may name; CROSS JOIN pins the list as the outer loop, and NOT
// INDEXED leaves the row ids as the only way: by an index on the tenant, SQLite would read all of it for each scope.
const (
	findByObject = `
SELECT ` + columns + `
FROM (SELECT DISTINCT value FROM json_each(:objects)) AS k
CROSS JOIN versions AS v INDEXED BY sqlite_autoindex_versions_1
WHERE v.tenant = :tenant AND v.object_id = k.value` + filter

	findByFact = `
SELECT ` + columns + `
FROM (SELECT DISTINCT value FROM json_each(:facts)) AS k
CROSS JOIN versions AS v INDEXED BY versions_by_fact
WHERE v.fact_id = k.value` + filter

	findBySlot = `
SELECT ` + columns + `
FROM (SELECT DISTINCT value FROM json_each(:slots)) AS k
CROSS JOIN versions AS v INDEXED BY versions_by_slot
WHERE v.slot = k.value` + filter

	findBySubject = `
SELECT ` + columns + `
FROM (SELECT DISTINCT value FROM json_each(:subjects)) AS k
CROSS JOIN versions AS v INDEXED BY versions_by_subject
WHERE v.subject = k.value` + filter

	findByContent = `
SELECT ` + columns + `
FROM (SELECT DISTINCT value FROM json_each(:contents)) AS k
CROSS JOIN versions AS v INDEXED BY versions_by_content
WHERE v.content_key = k.value` + filter

	findBySession = `
SELECT ` + columns + `
FROM versions AS v INDEXED BY versions_by_place
WHERE v.session = :session` + filter

	findDisplaced = `
SELECT ` + columns + `
FROM (SELECT DISTINCT value FROM json_each(:displaced_by)) AS k
CROSS JOIN versions AS v INDEXED BY versions_by_link
WHERE v.closing ->> 'supersession_link' = k.value` + filter

	findDerived = `
SELECT ` + columns + `
FROM json_each(:scopes) AS k
CROSS JOIN versions AS v INDEXED BY versions_derived
WHERE v.object ->> 'derived_from' IS NOT NULL
  AND v.id BETWEEN k.value << 32 AND (k.value + 1 << 32) - 1` + filter

	// The standing types (memory.AlwaysOnTypes), which every question gets, are few of a store's versions and have an index of their own.
	findStanding = `
SELECT ` + columns + `
FROM json_each(:scopes) AS k
CROSS JOIN versions AS v INDEXED BY versions_standing
WHERE ` + isStanding + filter

	isStanding = `v.object_type IN ('policy_rule', 'tool_schema', 'actionable_constraint', 'preference')
  AND v.tx_end IS NULL
  AND v.id BETWEEN k.value << 32 AND (k.value + 1 << 32) - 1`

	findByScope = `
SELECT ` + columns + `
FROM json_each(:scopes) AS k
CROSS JOIN versions AS v NOT INDEXED
WHERE v.id BETWEEN k.value << 32 AND (k.value + 1 << 32) - 1` + filter
)

// way returns the statement with the narrowest way in.
func way(q memory.Query) string {
	switch {
	case len(q.ObjectIDs) > 0:
		return findByObject
	case q.ContentKey != "":
		return findByContent
	case len(q.Slots) > 0:
		return findBySlot
	case len(q.FactIDs) > 0:
		return findByFact
	case len(q.Subjects) > 0:
		return findBySubject
	case q.Session != "":
		return findBySession
	case len(q.DisplacedBy) > 0:
		return findDisplaced
	case len(q.DerivedFrom) > 0:
		return findDerived
	case asksStanding(q):
		return findStanding
	default:
		return findByScope
	}
}

// Find implements memory.Store.
func (s *Store) Find(ctx context.Context, q memory.Query) ([]ctxmcp.ContextObject, error) {
	ctx = seeing(ctx, q.Tenant)
	var found []ctxmcp.ContextObject
	err := inTx(ctx, s.reads, func(tx *sql.Tx) (err error) {
		found, err = s.sealing.Load().findIn(ctx, tx, q)
		return err
	})
	return found, wrap("find", err)
}

// findIn returns the versions that q selects.
func (z *sealing) findIn(ctx context.Context, db querier, q memory.Query) ([]ctxmcp.ContextObject, error) {
	places, err := scopesOf(ctx, db, q)
	if err != nil || len(places) == 0 {
		return nil, err
	}
	args := z.arguments(q, numbers(places))
	if asksNewest(q) {
		return z.findTheNewest(ctx, db, q, places, args)
	}
	found, err := z.selected(ctx, db, way(q), args)
	return q.Sort(found), err // here, because SQLite takes longer to make a sorter than to find a row
}

// selected returns the versions that a statement selects.
func (z *sealing) selected(ctx context.Context, db querier, statement string, args []any) ([]ctxmcp.ContextObject, error) {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	return z.collect(ctx, rows)
}

// collect returns the objects of all rows.
func (z *sealing) collect(ctx context.Context, rows *sql.Rows) ([]ctxmcp.ContextObject, error) {
	defer rows.Close()
	var all []row
	for rows.Next() {
		r, err := scanRow(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return z.objects(ctx, all)
}

// place is a scope that a query reaches, with the statistics of its text.
type place struct {
	scope     int64
	namespace string
	documents int
	length    int
	last      int64 // sequence of the version written last
	touched   int64 // last number of a touch that may be of its versions
}

// span returns the range of row ids in the scope.
func (p place) span() (from, to int64) { return p.scope << 32, (p.scope+1)<<32 - 1 }

func numbers(places []place) []int64 {
	ns := make([]int64, len(places))
	for i, p := range places {
		ns[i] = p.scope
	}
	return ns
}

const (
	// An engine has the last touch of the scope itself.
	scopesByName = `
SELECT scope, namespace, documents, length, last_seq, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'touched'), 0)
FROM (SELECT DISTINCT value FROM json_each(:namespaces)) AS k
CROSS JOIN scopes
WHERE tenant = :tenant AND namespace = k.value
`
	scopesByPrefix = `
SELECT scope, namespace, documents, length, last_seq, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'touched'), 0)
FROM scopes
WHERE tenant = :tenant AND namespace >= :from AND namespace < :to
`
)

// scopesOf resolves where q looks, in the order of the scopes' numbers.
func scopesOf(ctx context.Context, db querier, q memory.Query) ([]place, error) {
	tenant := sql.Named("tenant", q.Tenant)
	found := map[int64]place{}
	if len(q.Namespaces) > 0 {
		rows, err := db.QueryContext(ctx, scopesByName, tenant, sql.Named("namespaces", array(q.Namespaces)))
		if err := addPlaces(found, q, rows, err); err != nil {
			return nil, err
		}
	}
	if q.Under != nil || q.Everywhere {
		from, to := "", "\x7f"
		if !q.Everywhere && q.Under.User != "" {
			from = ctxmcp.Scope{User: q.Under.User}.Namespace()
			to = from + ";" // the sign after ':', which ends an id
		}
		rows, err := db.QueryContext(ctx, scopesByPrefix, tenant, sql.Named("from", from), sql.Named("to", to))
		if err := addPlaces(found, q, rows, err); err != nil {
			return nil, err
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b place) int { return cmp.Compare(a.scope, b.scope) }), nil
}

func addPlaces(found map[int64]place, q memory.Query, rows *sql.Rows, err error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var p place
		if err := rows.Scan(&p.scope, &p.namespace, &p.documents, &p.length, &p.last, &p.touched); err != nil {
			return err
		}
		if inReach(q, p.namespace) {
			found[p.scope] = p
		}
	}
	return rows.Err()
}

// inReach reports whether objects whose home is the namespace are in place for q.
func inReach(q memory.Query, namespace string) bool {
	home, err := ctxmcp.ParseNamespace(namespace)
	if err != nil {
		return false
	}
	if len(q.Projects) > 0 && home.Project != "" && !slices.Contains(q.Projects, home.Project) {
		return false
	}
	return q.Everywhere || slices.Contains(q.Namespaces, namespace) || q.Under != nil && q.Under.Covers(home)
}
