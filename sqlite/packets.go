package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

var _ packets.Store = (*Store)(nil)

// packetFilter is packets.Query.Match in SQL, but for how the rows are found.
const (
	packetFilter = `
  AND (:everywhere OR p.namespace IN (SELECT value FROM json_each(:namespaces)))
  AND (:user IS NULL OR p.user IS NULL OR p.user = :user)
  AND (:unbounded OR p.classification <= :clearance)
  AND (:projects IS NULL OR p.project IS NULL OR p.project IN (SELECT value FROM json_each(:projects)))
  AND (:ref IS NULL OR p.ref = :ref)
  AND (:trace IS NULL OR p.trace = :trace)
  AND (:object IS NULL OR EXISTS (
        SELECT 1 FROM packet_parts AS o WHERE o.tenant = p.tenant AND o.kind = 'object' AND o.id = :object AND o.ref = p.ref))
  AND (:before IS NULL OR p.created < :before)
  AND (NOT :erased OR p.erased = 1)
  AND (:behind IS NULL OR (p.created, p.ref) < (:behind, :behind_ref))
`

	packetOrder = `
ORDER BY p.created, p.ref, p.tenant
LIMIT CAST(:limit AS BIGINT)`
)

const (
	packetByRef = `
SELECT p.packet, p.erased
FROM packets AS p
WHERE p.tenant = :tenant AND p.ref = :ref` + packetFilter + packetOrder

	packetByTrace = `
SELECT p.packet, p.erased
FROM packets AS p
WHERE p.tenant = :tenant AND p.trace = :trace` + packetFilter + packetOrder

	packetsByHome = `
SELECT p.packet, p.erased
FROM packets AS p
WHERE p.tenant = :tenant AND p.namespace IN (SELECT value FROM json_each(:namespaces))` + packetFilter + packetOrder

	packetsErased = `
SELECT p.packet, p.erased
FROM packets AS p
WHERE p.erased = 1 AND (:any_tenant OR p.tenant = :tenant)` + packetFilter + packetOrder

	packetsAnywhere = `
SELECT p.packet, p.erased
FROM packets AS p
WHERE (:any_tenant OR p.tenant = :tenant)` + packetFilter + packetOrder

	packetsNewest = `
SELECT p.packet, p.erased
FROM packets AS p INDEXED BY packets_by_created
WHERE p.created <= coalesce(:behind, 9223372036854775807) AND (:any_tenant OR p.tenant = :tenant)` + packetFilter + `
ORDER BY p.created DESC, p.ref DESC, p.tenant DESC
LIMIT CAST(:limit AS BIGINT)`
)

// FindPackets implements packets.Store.
func (s *Store) FindPackets(ctx context.Context, q packets.Query) ([]packets.Record, error) {
	ctx = seeing(ctx, q.Tenant)
	if q.AnyTenant {
		ctx = seeingAll(ctx)
	}
	statement := packetsByHome
	behind, behindRef := behindMark(q.Behind)
	switch {
	case q.Newest:
		statement = packetsNewest
	case q.Erased:
		statement = packetsErased
	case q.AnyTenant:
		statement = packetsAnywhere
	case q.Ref != "":
		statement = packetByRef
	case q.Trace != "":
		statement = packetByTrace
	case q.Everywhere:
		statement = packetsAnywhere
	}
	rows, err := s.reads.QueryContext(ctx, statement, sql.Named("tenant", q.Tenant), sql.Named("namespaces", list(q.Namespaces)),
		sql.Named("everywhere", q.Everywhere), sql.Named("any_tenant", q.AnyTenant), sql.Named("unbounded", q.Unbounded), sql.Named("user", text(q.User)),
		sql.Named("clearance", q.Clearance.Rank()), sql.Named("projects", list(q.Projects)), sql.Named("ref", text(q.Ref)),
		sql.Named("trace", text(q.Trace)), sql.Named("object", text(q.Object)), sql.Named("before", open(q.Before)), sql.Named("erased", q.Erased), sql.Named("limit", atMost(q.Limit)),
		sql.Named("behind", behind), sql.Named("behind_ref", behindRef))
	if err != nil {
		return nil, wrap("find packets", err)
	}
	found, err := scanPackets(rows)
	return found, wrap("find packets", err)
}

// scanPackets reads rows of a record and of the changes since.
func scanPackets(rows *sql.Rows) ([]packets.Record, error) {
	defer rows.Close()
	var found []packets.Record
	for rows.Next() {
		var body []byte
		var r packets.Record
		var erased bool
		if err := rows.Scan(&body, &erased); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(body, &r); err != nil {
			return nil, fmt.Errorf("read a packet's row: %w", err)
		}
		r.Erased = erased
		found = append(found, r)
	}
	return found, rows.Err()
}

const (
	heldObjects = `
SELECT count(DISTINCT object_id)
FROM versions
WHERE tenant = ? AND object_id IN (SELECT value FROM json_each(?))`

	heldPacket = `
SELECT EXISTS (SELECT 1 FROM packets WHERE tenant = ? AND ref = ?)`
	insertPacket = `
INSERT INTO packets (tenant, ref, namespace, user, project, trace, classification, policy, created, erased, packet)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, ref) DO UPDATE
SET created = excluded.created, packet = json_set(packets.packet, '$.created', json_extract(excluded.packet, '$.created'))
WHERE excluded.created > packets.created AND packets.erased = 0`
	insertPart = `
INSERT INTO packet_parts (tenant, kind, id, ref)
SELECT ?, ?, value, ?
FROM json_each(?)
WHERE true
ON CONFLICT DO NOTHING`
	deletePacket = `
DELETE FROM packets
WHERE tenant = ? AND ref = ?`
	deleteParts = `
DELETE FROM packet_parts
WHERE tenant = ? AND ref = ?`
	deletePinsOf = `
DELETE FROM artifact_pins
WHERE tenant = ? AND holder = ?`
)

// ApplyPackets implements packets.Store.
func (s *Store) ApplyPackets(ctx context.Context, c packets.Change) error {
	return s.do(ctx, operation{
		check:   func(b *batch) error { return b.checkPackets(c) },
		write:   func(b *batch) error { return b.writePackets(c) },
		tenants: func() []string { return tenantsOfPackets(c) },
	})
}

func (b *batch) checkPackets(c packets.Change) error {
	for _, r := range c.Insert {
		var held int
		if err := b.tx.QueryRowContext(b.ctx, heldObjects, r.Tenant, list(r.Objects)).Scan(&held); err != nil {
			return errors.Join(errStore, err)
		}
		if held != len(r.Objects) {
			return packets.Vanished()
		}
	}
	fresh, err := b.fresh(c.Insert)
	if err != nil {
		return errors.Join(errStore, err)
	}
	return b.room(packets.Claims(fresh))
}

// fresh returns the records that are not held, each once.
func (b *batch) fresh(records []packets.Record) ([]packets.Record, error) {
	var fresh []packets.Record
	for _, r := range records {
		var held bool
		if err := b.tx.QueryRowContext(b.ctx, heldPacket, r.Tenant, r.Ref).Scan(&held); err != nil {
			return nil, err
		}
		if !held && !slices.ContainsFunc(fresh, func(o packets.Record) bool { return o.Tenant == r.Tenant && o.Ref == r.Ref }) {
			fresh = append(fresh, r)
		}
	}
	return fresh, nil
}

func (b *batch) writePackets(c packets.Change) error {
	for _, r := range c.Insert {
		body, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if err := b.exec(insertPacket, r.Tenant, r.Ref, r.Home.Namespace(), text(r.Home.User), text(r.Home.Project), text(r.Trace),
			r.Classification.Rank(), text(r.PolicyDigest), micros(r.Created), r.Erased, string(body)); err != nil {
			return fmt.Errorf("insert packet: %w", err)
		}
		for kind, ids := range map[string][]string{"object": r.Objects, "artifact": r.Artifacts, "derived": r.DerivedIDs()} {
			if err := b.exec(insertPart, r.Tenant, kind, r.Ref, list(ids)); err != nil {
				return fmt.Errorf("insert parts: %w", err)
			}
		}
	}
	for _, p := range c.Pins {
		if err := b.exec(insertPin, p.Tenant, p.Artifact, p.Holder, open(p.Until)); err != nil {
			return fmt.Errorf("pin: %w", err)
		}
	}
	for _, k := range c.Remove {
		if err := errors.Join(b.exec(deletePacket, k.Tenant, k.Ref), b.exec(deleteParts, k.Tenant, k.Ref),
			b.exec(deletePinsOf, k.Tenant, packets.Holder(k.Ref))); err != nil {
			return fmt.Errorf("remove packet: %w", err)
		}
	}
	return b.audit(c.Audit...)
}

// doomed are the packets that were made of an object, or of an artifact that was derived from one of these.
const doomed = `doomed(ref) AS (
  SELECT ref FROM packet_parts WHERE tenant = :tenant AND kind = 'object' AND id = :object
  UNION
  SELECT made.ref
  FROM doomed
  JOIN packet_parts AS child ON child.tenant = :tenant AND child.ref = doomed.ref AND child.kind = 'derived'
  JOIN packet_parts AS made ON made.tenant = :tenant AND made.kind = 'artifact' AND made.id = child.id
)`

// derivatives are the artifacts that were made of doomed packets.
const derivatives = `(
  SELECT part.id
  FROM doomed
  JOIN packet_parts AS part ON part.tenant = :tenant AND part.ref = doomed.ref AND part.kind = 'derived')`

const (
	oweDerived = `
WITH RECURSIVE ` + doomed + `
INSERT INTO owed_keys (id)
SELECT artifact ->> 'key'
FROM artifacts
WHERE tenant = :tenant AND id IN ` + derivatives + ` AND artifact ->> 'key' IS NOT NULL
ON CONFLICT DO NOTHING`
	eraseDerived = `
WITH RECURSIVE ` + doomed + `
DELETE FROM artifacts
WHERE tenant = :tenant AND id IN ` + derivatives
	eraseDerivedPins = `
WITH RECURSIVE ` + doomed + `
DELETE FROM artifact_pins
WHERE tenant = :tenant AND artifact IN ` + derivatives
	erasePins = `
WITH RECURSIVE ` + doomed + `
DELETE FROM artifact_pins
WHERE tenant = :tenant AND holder IN (SELECT 'packet:' || ref FROM doomed)`
	erasePackets = `
WITH RECURSIVE ` + doomed + `
UPDATE packets
SET erased = 1
WHERE tenant = :tenant AND ref IN (SELECT ref FROM doomed)`
)

// erasePacketsOf deletes the artifacts that were made of an object and marks its packets as erased. The keeper of the blobs removes theirs
// afterwards.
func (b *batch) erasePacketsOf(e memory.Erasure) error {
	for _, statement := range []string{oweDerived, eraseDerived, eraseDerivedPins, erasePins, erasePackets} {
		if err := b.exec(statement, sql.Named("tenant", e.Tenant), sql.Named("object", e.ObjectID)); err != nil {
			return err
		}
	}
	return nil
}

const crowdedPackets = `
SELECT tenant, namespace
FROM packets
GROUP BY tenant, namespace
HAVING count(*) > ?
ORDER BY tenant, namespace`

// CrowdedPackets implements packets.Store.
func (s *Store) CrowdedPackets(ctx context.Context, most int) ([]artifacts.Home, error) {
	homes, err := s.homes(ctx, crowdedPackets, most)
	return homes, wrap("count packets", err)
}

// homes reads rows of a tenant and a namespace.
func (s *Store) homes(ctx context.Context, statement string, args ...any) ([]artifacts.Home, error) {
	ctx = seeingAll(ctx)
	rows, err := s.reads.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []artifacts.Home
	for rows.Next() {
		var h artifacts.Home
		if err := rows.Scan(&h.Tenant, &h.Namespace); err != nil {
			return nil, err
		}
		found = append(found, h)
	}
	return found, rows.Err()
}
