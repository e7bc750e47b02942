package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// sees is entities.View.Sees in SQL but for the place, for open versions of e.
const sees = `
  AND e.tx_end IS NULL
  AND e.tenant = :tenant
  AND e.classification <= :clearance
  AND (e.allow_roles IS NULL OR EXISTS (
        SELECT 1 FROM json_each(e.allow_roles) AS a WHERE a.value IN (SELECT value FROM json_each(:roles))))
  AND (e.deny_roles IS NULL OR NOT EXISTS (
        SELECT 1 FROM json_each(e.deny_roles) AS d WHERE d.value IN (SELECT value FROM json_each(:roles))))
`

// inPlace bounds e to the scopes of the view.
const inPlace = `
  AND e.scope IN (
    SELECT s.scope FROM json_each(:namespaces) AS n CROSS JOIN scopes AS s WHERE s.tenant = :tenant AND s.namespace = n.value)
`

// The ways to an entity. They avoid forms for which SQLite makes a temporary table, which takes longer than to find
// the rows: recursion, DISTINCT, and lists with a limit.
const (
	// entitiesByKey brings the last made of each scope and key only: a part of a name may be common.
	entitiesByKey = `
SELECT e.node, e.entity, e.tx_end
FROM json_each(:namespaces) AS n
CROSS JOIN scopes AS s
CROSS JOIN json_each(:keys) AS k
CROSS JOIN entity_keys AS b
CROSS JOIN entities AS e NOT INDEXED
WHERE s.tenant = :tenant AND s.namespace = n.value AND b.scope = s.scope AND b.key = k.value AND e.node = b.node AND b.node >= coalesce((
    SELECT c.node FROM entity_keys AS c WHERE c.scope = s.scope AND c.key = k.value ORDER BY c.node DESC LIMIT 1 OFFSET :most - 1), 0)` + sees

	entitiesByID = `
SELECT e.node, e.entity, e.tx_end
FROM json_each(:ids) AS k
CROSS JOIN entities AS e INDEXED BY sqlite_autoindex_entities_1
WHERE e.id = k.value` + sees + inPlace

	entitiesByParent = `
SELECT e.node, e.entity, e.tx_end
FROM json_each(:ids) AS k
CROSS JOIN entities AS e INDEXED BY entities_by_parent
WHERE e.into_id = k.value` + sees + inPlace

	// lastID sorts behind every id.
	lastID = "\U0010FFFF"

	// entitiesListed brings those of a person's own place, of the places within, and of the whole tenant.
	entitiesListed = `
SELECT e.node, e.entity, e.tx_end
FROM entities AS e INDEXED BY sqlite_autoindex_entities_1
CROSS JOIN scopes AS s
WHERE s.scope = e.scope AND e.into_id IS NULL AND e.id < :behind
  AND (s.namespace = '' OR s.namespace = 'user_' || :user OR substr(s.namespace, 1, length(:user) + 6) = 'user_' || :user || ':')
  AND (json_array_length(:projects) = 0 OR instr(':' || s.namespace, ':project_') = 0
    OR EXISTS (SELECT 1 FROM json_each(:projects) AS p WHERE instr(':' || s.namespace || ':', ':project_' || p.value || ':') > 0))
  AND (:key = '' OR instr(e.entity ->> '$.key', :key) > 0)` + sees + `
ORDER BY e.id DESC
LIMIT CAST(:limit AS BIGINT)`

	entityVersions = `
SELECT node, entity, tx_end
FROM entities
WHERE tenant = :tenant AND id = :id
`
	// objectsNaming brings the last objects of each entity, each as often as it names the entity.
	objectsNaming = `
SELECT m.object_id
FROM json_each(:ids) AS k
CROSS JOIN entity_references AS m
WHERE m.tenant = :tenant AND m.entity_id = k.value AND m.object_id >= coalesce((
    SELECT l.object_id
    FROM entity_references AS l
    WHERE l.tenant = :tenant AND l.entity_id = k.value
    ORDER BY l.object_id DESC
    LIMIT 1 OFFSET :rows), '')
`
	referencesOf = `
SELECT r.object_id, r.entity_id, r.purpose
FROM json_each(:objects) AS o
CROSS JOIN entity_references AS r INDEXED BY entity_references_by_object
WHERE r.tenant = :tenant AND r.object_id = o.value
`
)

// Lookup implements entities.Registry. Its steps share no snapshot, because a write waits for them: a merge between two of
// them is seen before or after, and a change's expectations are checked when it is applied.
func (s *Store) Lookup(ctx context.Context, q entities.Query) ([]entities.Entity, error) {
	ctx = seeing(ctx, q.Tenant)
	found, err := lookup(ctx, s.reads, q)
	return found, wrap("look up entities", err)
}

func lookup(ctx context.Context, db querier, q entities.Query) (_ []entities.Entity, err error) {
	view := []any{
		sql.Named("tenant", q.Tenant), sql.Named("namespaces", array(q.Namespaces)), sql.Named("roles", array(q.Roles)),
		sql.Named("clearance", q.Clearance.Rank()),
	}
	found := map[int64]entities.Entity{}
	by := func(statement string, more ...any) error {
		return nodes(ctx, db, found, statement, append(slices.Clone(view), more...))
	}
	if len(q.Keys) > 0 {
		err = by(entitiesByKey, sql.Named("keys", array(q.Keys)), sql.Named("most", entities.MostByKey))
	}
	if err == nil && len(q.IDs) > 0 {
		err = by(entitiesByID, sql.Named("ids", array(q.IDs)))
	}
	if err == nil && !q.Alone {
		err = family(found, by)
	}
	return slices.SortedFunc(maps.Values(found), entities.Compare), err
}

// family adds to found the nodes that its nodes are merged into, and those that are merged into these, step by step.
func family(found map[int64]entities.Entity, by func(statement string, more ...any) error) error {
	asked := map[string]bool{}
	for {
		have := map[string]bool{}
		for _, e := range found {
			have[e.ID] = true
		}
		var parents, children []string
		for _, e := range found {
			if e.Into != "" && !have[e.Into] && !asked[e.Into] {
				parents = append(parents, e.Into)
				asked[e.Into] = true
			}
			if !asked["<"+e.ID] {
				children = append(children, e.ID)
				asked["<"+e.ID] = true
			}
		}
		if len(parents)+len(children) == 0 {
			return nil
		}
		if len(parents) > 0 {
			if err := by(entitiesByID, sql.Named("ids", array(parents))); err != nil {
				return err
			}
		}
		if err := by(entitiesByParent, sql.Named("ids", array(children))); err != nil {
			return err
		}
	}
}

// nodes adds to found the entities that a statement selects.
func nodes(ctx context.Context, db querier, found map[int64]entities.Entity, statement string, args []any) error {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var node int64
		var text []byte
		var end sql.NullInt64
		if err := rows.Scan(&node, &text, &end); err != nil {
			return err
		}
		if _, held := found[node]; held {
			continue
		}
		e, err := decodeEntity(text, end)
		if err != nil {
			return err
		}
		found[node] = e
	}
	return rows.Err()
}

func decodeEntity(text []byte, end sql.NullInt64) (entities.Entity, error) {
	var e entities.Entity
	if err := json.Unmarshal(text, &e); err != nil {
		return e, fmt.Errorf("read entity: %w", err)
	}
	if end.Valid {
		e.TxEnd = instant(end.Int64)
	}
	return e, nil
}

// List implements entities.Registry.
func (s *Store) List(ctx context.Context, l entities.Listing) ([]entities.Entity, error) {
	ctx = seeing(ctx, l.Tenant)
	found := map[int64]entities.Entity{}
	err := nodes(ctx, s.reads, found, entitiesListed, []any{sql.Named("tenant", l.Tenant), sql.Named("user", l.User), sql.Named("roles", array(l.Roles)),
		sql.Named("clearance", l.Clearance.Rank()), sql.Named("projects", array(l.Projects)), sql.Named("key", l.Key), sql.Named("behind", cmp.Or(l.Behind, lastID)),
		sql.Named("limit", l.Limit)})
	if err != nil {
		return nil, wrap("list entities", err)
	}
	return slices.SortedFunc(maps.Values(found), func(a, b entities.Entity) int { return strings.Compare(b.ID, a.ID) }), nil
}

// Versions implements entities.Registry.
func (s *Store) Versions(ctx context.Context, tenant, id string) ([]entities.Entity, error) {
	ctx = seeing(ctx, tenant)
	found := map[int64]entities.Entity{}
	err := nodes(ctx, s.reads, found, entityVersions, []any{sql.Named("tenant", tenant), sql.Named("id", id)})
	if err != nil {
		return nil, wrap("read versions of an entity", err)
	}
	return slices.SortedFunc(maps.Values(found), func(a, b entities.Entity) int { return a.Version - b.Version }), nil
}

// purposes is how many references one memory has to an entity, at most.
const purposes = 4

// Together implements entities.Registry.
func (s *Store) Together(ctx context.Context, tenant string, ids []string, most int) ([]entities.Reference, error) {
	ctx = seeing(ctx, tenant)
	out := []entities.Reference{}
	var objects []string
	err := scanAll(ctx, s.reads, objectsNaming, []any{sql.Named("tenant", tenant), sql.Named("ids", array(ids)), sql.Named("rows", purposes*most)},
		func(scan func(...any) error) error {
			objects = append(objects, "")
			return scan(&objects[len(objects)-1])
		})
	if err != nil {
		return nil, wrap("read references", err)
	}
	slices.Sort(objects)
	objects = slices.Compact(objects)
	objects = objects[max(0, len(objects)-most):]
	err = scanAll(ctx, s.reads, referencesOf, []any{sql.Named("tenant", tenant), sql.Named("objects", array(objects))},
		func(scan func(...any) error) error {
			r := entities.Reference{Tenant: tenant}
			err := scan(&r.ObjectID, &r.EntityID, &r.Purpose)
			out = append(out, r)
			return err
		})
	slices.SortFunc(out, entities.CompareReferences)
	return out, wrap("read references", err)
}

// scanAll calls each for every row of a statement.
func scanAll(ctx context.Context, db querier, statement string, args []any, each func(scan func(...any) error) error) error {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
