package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

var (
	_ artifacts.Index  = (*Store)(nil)
	_ artifacts.Keeper = (*Store)(nil)
)

// artifactFilter is artifacts.Query.Match in SQL, but for how the rows are found.
const (
	artifactFilter = `
  AND (:everywhere OR a.namespace IN (SELECT value FROM json_each(:namespaces))
    OR a.namespace = :owner OR a.namespace > :owner || ':' AND a.namespace < :owner || ';')
  AND (:ids IS NULL OR a.id IN (SELECT value FROM json_each(:ids)))
  AND (:unbounded OR a.classification <= :clearance)
  AND (:projects IS NULL OR a.project IS NULL OR a.project IN (SELECT value FROM json_each(:projects)))
  AND (:tasks IS NULL OR a.task IS NULL OR a.task IN (SELECT value FROM json_each(:tasks)))
  AND (:digest IS NULL OR a.digest IN (:digest, :name))
  AND (:task IS NULL OR a.task = :task)
  AND (:before IS NULL OR a.created < :before)
  AND (:behind IS NULL OR (a.created, a.id) < (:behind, :behind_id))`

	artifactOrder = `
ORDER BY a.created, a.id
LIMIT CAST(:limit AS BIGINT)`
)

const (
	artifactsByID = `
SELECT a.artifact
FROM artifacts AS a
WHERE a.tenant = :tenant AND a.id IN (SELECT value FROM json_each(:ids))` + artifactFilter + artifactOrder

	artifactsByHome = `
SELECT a.artifact
FROM artifacts AS a
WHERE a.tenant = :tenant AND a.namespace IN (SELECT value FROM json_each(:namespaces))` + artifactFilter + artifactOrder

	artifactsOfTenant = `
SELECT a.artifact
FROM artifacts AS a
WHERE a.tenant = :tenant` + artifactFilter + artifactOrder

	artifactsNewest = `
SELECT a.artifact
FROM artifacts AS a
WHERE a.tenant = :tenant` + artifactFilter + `
ORDER BY a.created DESC, a.id DESC
LIMIT CAST(:limit AS BIGINT)`
)

// FindArtifacts implements artifacts.Index.
func (s *Store) FindArtifacts(ctx context.Context, q artifacts.Query) ([]ctxmcp.Artifact, error) {
	ctx = seeing(ctx, q.Tenant)
	statement := artifactsByHome
	switch {
	case q.Newest:
		statement = artifactsNewest
	case len(q.IDs) > 0:
		statement = artifactsByID
	case q.Everywhere || q.Owner != "":
		statement = artifactsOfTenant
	}
	behind, behindID := behindMark(q.Behind)
	z := s.sealing.Load()
	rows, err := s.reads.QueryContext(ctx, statement, sql.Named("tenant", q.Tenant), sql.Named("namespaces", list(q.Namespaces)),
		sql.Named("everywhere", q.Everywhere), sql.Named("unbounded", q.Unbounded), sql.Named("clearance", q.Clearance.Rank()),
		sql.Named("projects", list(q.Projects)), sql.Named("tasks", list(q.Tasks)), sql.Named("ids", list(q.IDs)),
		sql.Named("digest", text(q.Digest)), sql.Named("name", z.blobName(q.Digest)), sql.Named("task", text(q.Task)), sql.Named("before", open(q.Before)), sql.Named("limit", atMost(q.Limit)),
		sql.Named("owner", text(ctxmcp.Scope{User: q.Owner}.Namespace())), sql.Named("behind", behind), sql.Named("behind_id", behindID))
	if err != nil {
		return nil, wrap("find artifacts", err)
	}
	found, err := z.artifacts(ctx, rows)
	return found, wrap("find artifacts", err)
}

// behindMark returns the parameters of a mark: NULL and nothing where there is none.
func behindMark(m *artifacts.Mark) (created any, id string) {
	if m == nil {
		return nil, ""
	}
	return micros(m.Created), m.ID
}

// decodeRows reads rows of one column of JSON.
func decodeRows[T any](rows *sql.Rows) ([]T, error) {
	defer rows.Close()
	var found []T
	for rows.Next() {
		var body []byte
		if err := rows.Scan(&body); err != nil {
			return nil, err
		}
		var v T
		if err := json.Unmarshal(body, &v); err != nil {
			return nil, fmt.Errorf("read a row: %w", err)
		}
		found = append(found, v)
	}
	return found, rows.Err()
}

const (
	countArtifact = `
SELECT count(*)
FROM artifacts
WHERE tenant = ? AND id = ?`
	answerOf = `
SELECT digest
FROM tool_answers
WHERE tenant = ? AND namespace = ? AND call = ?`

	insertArtifact = `
INSERT INTO artifacts (tenant, id, namespace, project, task, classification, digest, raw_digest, created, artifact)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	oweArtifact = `
INSERT INTO owed_keys (id)
SELECT artifact ->> 'key'
FROM artifacts
WHERE tenant = ? AND id = ? AND artifact ->> 'key' IS NOT NULL
ON CONFLICT DO NOTHING`
	deleteArtifact = `
DELETE FROM artifacts
WHERE tenant = ? AND id = ?`
	deletePins = `
DELETE FROM artifact_pins
WHERE tenant = ? AND artifact = ?`
	insertAnswer = `
INSERT INTO tool_answers (tenant, namespace, call, digest, at)
VALUES (?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING`
	insertEvent = `
INSERT INTO audit (at, tenant, user, action, object_id, detail)
VALUES (?, ?, ?, ?, ?, ?)`
)

// ApplyArtifacts implements artifacts.Index.
func (s *Store) ApplyArtifacts(ctx context.Context, c artifacts.Change) error {
	keys, err := s.sealing.Load().newKeys(ctx, len(c.Insert)) // before the rows: a key is never missing
	if err != nil {
		return err
	}
	err = s.do(ctx, operation{
		check:   func(b *batch) error { return b.checkArtifacts(c) },
		write:   func(b *batch) error { b.under = keys; return b.writeArtifacts(c) },
		tenants: func() []string { return tenantsOfArtifacts(c) },
	})
	if err == nil && len(c.Remove) > 0 {
		s.sealing.Load().drop()
		s.destroyOwed(context.WithoutCancel(ctx))
	}
	return err
}

func (b *batch) checkArtifacts(c artifacts.Change) error {
	seen := map[artifacts.Key]bool{}
	for _, a := range c.Insert {
		taken := "there is an artifact " + a.ID + " already"
		if k := (artifacts.Key{Tenant: a.TenantID, ID: a.ID}); seen[k] {
			return ctxmcp.Errorf(ctxmcp.CodeConflict, "%s", taken)
		} else {
			seen[k] = true
		}
		if err := b.expect(0, taken, countArtifact, a.TenantID, a.ID); err != nil {
			return err
		}
	}
	for _, a := range c.Answers {
		var held string
		err := b.tx.QueryRowContext(b.ctx, answerOf, a.Tenant, a.Namespace, a.CallID).Scan(&held)
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return errors.Join(errStore, err)
		case held != a.Digest:
			return artifacts.Answered(a.CallID)
		}
	}
	return b.room(c.Claims())
}

func (b *batch) writeArtifacts(c artifacts.Change) error {
	for i, a := range c.Insert {
		w, err := b.sealing.writtenArtifact(a, b.keyOf(i))
		if err != nil {
			return err
		}
		if err := b.exec(insertArtifact, a.TenantID, a.ID, a.Home.Namespace(), text(a.Home.Project), text(a.Task),
			a.Classification.Rank(), w.digest, text(w.rawDigest), micros(a.Created), w.artifact); err != nil {
			return fmt.Errorf("insert artifact: %w", err)
		}
	}
	for _, k := range c.Remove {
		if err := errors.Join(b.exec(oweArtifact, k.Tenant, k.ID), b.exec(deleteArtifact, k.Tenant, k.ID), b.exec(deletePins, k.Tenant, k.ID)); err != nil {
			return fmt.Errorf("remove artifact: %w", err)
		}
	}
	for _, p := range c.Pins {
		if err := b.exec(insertPin, p.Tenant, p.Artifact, p.Holder, open(p.Until)); err != nil {
			return fmt.Errorf("pin: %w", err)
		}
	}
	for _, a := range c.Answers {
		if err := b.exec(insertAnswer, a.Tenant, a.Namespace, a.CallID, a.Digest, micros(a.At)); err != nil {
			return fmt.Errorf("record answer: %w", err)
		}
	}
	return b.audit(c.Audit...)
}

func (b *batch) audit(events ...ctxmcp.Event) error {
	for _, e := range events {
		if err := b.exec(insertEvent, micros(e.At), e.Tenant, e.User, e.Action, e.ObjectID, e.Detail); err != nil {
			return fmt.Errorf("audit: %w", err)
		}
	}
	return nil
}

const (
	crowdedHomes = `
SELECT tenant, namespace
FROM artifacts
GROUP BY tenant, namespace
HAVING count(*) > ?
ORDER BY tenant, namespace`
	heldArtifacts = `
SELECT id
FROM artifacts
WHERE tenant = :tenant AND namespace = :namespace AND (:before IS NULL OR created < :before)
ORDER BY created, id`
	pinnedArtifacts = `
SELECT DISTINCT artifact
FROM artifact_pins
WHERE tenant = ? AND artifact IN (SELECT value FROM json_each(?)) AND (until IS NULL OR until > ?)`
	holdsDigest = `
SELECT EXISTS (SELECT 1 FROM artifacts WHERE digest IN (:digest, :name))
  OR EXISTS (SELECT 1 FROM artifacts WHERE raw_digest IN (:digest, :name))
  OR EXISTS (SELECT 1 FROM packets WHERE ref = 'sha256:' || :digest AND NOT erased)
  OR EXISTS (SELECT 1 FROM packets WHERE policy = 'sha256:' || :digest)`
)

// CrowdedHomes implements artifacts.Keeper.
func (s *Store) CrowdedHomes(ctx context.Context, most int) ([]artifacts.Home, error) {
	crowded, err := s.homes(ctx, crowdedHomes, most)
	return crowded, wrap("count artifacts", err)
}

// HeldIn implements artifacts.Keeper.
func (s *Store) HeldIn(ctx context.Context, h artifacts.Home, before time.Time) ([]string, error) {
	rows, err := s.reads.QueryContext(seeing(ctx, h.Tenant), heldArtifacts,
		sql.Named("tenant", h.Tenant), sql.Named("namespace", h.Namespace), sql.Named("before", open(before)))
	if err != nil {
		return nil, wrap("list the artifacts of a home", err)
	}
	ids, err := textsOf(rows)
	return ids, wrap("list the artifacts of a home", err)
}

// Pinned implements artifacts.Keeper.
func (s *Store) Pinned(ctx context.Context, tenant string, ids []string, at time.Time) (map[string]bool, error) {
	ctx = seeing(ctx, tenant)
	rows, err := s.reads.QueryContext(ctx, pinnedArtifacts, tenant, list(ids), micros(at))
	if err != nil {
		return nil, wrap("find pins", err)
	}
	defer rows.Close()
	pinned := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, wrap("find pins", err)
		}
		pinned[id] = true
	}
	return pinned, wrap("find pins", rows.Err())
}

// HoldsDigest implements artifacts.Keeper.
func (s *Store) HoldsDigest(ctx context.Context, digest string) (held bool, err error) {
	ctx = seeingAll(ctx)
	err = s.reads.QueryRowContext(ctx, holdsDigest, sql.Named("digest", digest), sql.Named("name", s.sealing.Load().blobName(digest))).Scan(&held)
	return held, wrap("look for a digest", err)
}
