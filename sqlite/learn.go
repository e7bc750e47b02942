package sqlite

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// checkEntities returns a CodeConflict Error unless everything that c counts on holds.
func (b *batch) checkEntities(c entities.Change) error {
	for _, e := range c.Expect {
		found, err := lookup(b.ctx, b.tx, e.Query)
		if err != nil {
			return errors.Join(errStore, err)
		}
		var open []string
		for _, n := range found {
			open = append(open, n.ID)
		}
		slices.Sort(open)
		if !slices.Equal(open, e.Open) {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "entities changed in between").WithHint("call again")
		}
	}
	closed := map[[2]string]int{}
	for _, cl := range c.Close {
		if err := b.expect(1, "entity "+cl.ID+" has changed in between",
			`SELECT count(*) FROM entities WHERE tenant = ? AND id = ? AND version = ? AND tx_end IS NULL`, cl.Tenant, cl.ID, cl.Version); err != nil {
			return err
		}
		closed[[2]string{cl.Tenant, cl.ID}] = 1
	}
	for _, e := range c.Insert {
		if err := b.expect(closed[[2]string{e.Tenant, e.ID}], "entity "+e.ID+" has such a version already",
			`SELECT count(*) FROM entities WHERE tenant = ? AND id = ? AND (version = ? OR tx_end IS NULL)`, e.Tenant, e.ID, e.Version); err != nil {
			return err
		}
	}
	return nil
}

// learn carries out a change that has been checked.
func (b *batch) learn(c entities.Change) error {
	for _, cl := range c.Close {
		if err := b.closeEntity(cl); err != nil {
			return fmt.Errorf("close: %w", err)
		}
	}
	for _, e := range c.Insert {
		if err := b.insertEntity(e); err != nil {
			return fmt.Errorf("insert: %w", err)
		}
	}
	if len(c.Mention) == 0 {
		return nil
	}
	var rows [][]string
	for _, r := range c.Mention {
		rows = append(rows, []string{r.Tenant, r.EntityID, r.ObjectID, string(r.Purpose)})
	}
	if err := b.exec(insertReferences, array(rows)); err != nil {
		return fmt.Errorf("refer: %w", err)
	}
	return nil
}

// closeEntity ends a version and takes it out of the index.
func (b *batch) closeEntity(cl entities.Closing) error {
	var node, scope int64
	var text []byte
	if err := b.tx.QueryRowContext(b.ctx, `SELECT node, scope, entity FROM entities WHERE tenant = ? AND id = ? AND version = ?`,
		cl.Tenant, cl.ID, cl.Version).Scan(&node, &scope, &text); err != nil {
		return err
	}
	e, err := decodeEntity(text, sql.NullInt64{})
	if err != nil {
		return err
	}
	if err := b.unindex(node, scope, e); err != nil {
		return err
	}
	return b.exec(`UPDATE entities SET tx_end = ? WHERE node = ?`, micros(cl.TxEnd), node)
}

func (b *batch) unindex(node, scope int64, e entities.Entity) error {
	for _, k := range e.SearchKeys() {
		if err := b.exec(`DELETE FROM entity_keys WHERE scope = ? AND key = ? AND node = ?`, scope, k, node); err != nil {
			return err
		}
	}
	return nil
}

const insertReferences = `
INSERT INTO entity_references (tenant, entity_id, object_id, purpose)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3
FROM json_each(?)
WHERE true
ON CONFLICT DO NOTHING
`

const insertEntityVersion = `
INSERT INTO entities (tenant, id, version, scope, classification, allow_roles, deny_roles, into_id, tx_end, entity)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)
RETURNING node
`

func (b *batch) insertEntity(e entities.Entity) error {
	sc, err := b.scope(scopeKey{e.Tenant, e.Home})
	if err != nil {
		return err
	}
	object, err := json.Marshal(e)
	if err != nil {
		return err
	}
	var node int64
	if err := b.tx.QueryRowContext(b.ctx, insertEntityVersion, e.Tenant, e.ID, e.Version, sc.number, e.Classification.Rank(),
		list(e.Permissions.AllowRoles), list(e.Permissions.DenyRoles), text(e.Into), string(object)).Scan(&node); err != nil {
		return err
	}
	return b.exec(`INSERT INTO entity_keys (scope, key, node) SELECT ?, value, ? FROM json_each(?)`, sc.number, node, array(e.SearchKeys()))
}

// forgetNames removes the entities that only an erased object named: the names are its content.
func (b *batch) forgetNames(e memory.Erasure) error {
	rows, err := b.tx.QueryContext(b.ctx, `
SELECT n.node, n.scope, n.entity
FROM (SELECT DISTINCT entity_id FROM entity_references WHERE tenant = :tenant AND object_id = :object) AS r
CROSS JOIN entities AS n INDEXED BY sqlite_autoindex_entities_1
WHERE n.tenant = :tenant AND n.id = r.entity_id AND NOT EXISTS (
  SELECT 1 FROM entity_references AS o WHERE o.tenant = :tenant AND o.entity_id = r.entity_id AND o.object_id <> :object)`,
		sql.Named("tenant", e.Tenant), sql.Named("object", e.ObjectID))
	if err != nil {
		return err
	}
	defer rows.Close()
	type row struct {
		node, scope int64
		entity      entities.Entity
	}
	var doomed []row
	for rows.Next() {
		var r row
		var text []byte
		if err := rows.Scan(&r.node, &r.scope, &text); err != nil {
			return err
		}
		if r.entity, err = decodeEntity(text, sql.NullInt64{}); err != nil {
			return err
		}
		doomed = append(doomed, r)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, r := range doomed {
		if err := b.unindex(r.node, r.scope, r.entity); err != nil {
			return err
		}
		if err := b.exec(`DELETE FROM entities WHERE node = ?`, r.node); err != nil {
			return err
		}
	}
	return b.exec(`DELETE FROM entity_references INDEXED BY entity_references_by_object WHERE tenant = ? AND object_id = ?`, e.Tenant, e.ObjectID)
}
