package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"time"

	"github.com/ctx-mcp/ctx-mcp/trail"
)

var _ trail.Store = (*Store)(nil)

const trailEvents = `
SELECT seq, at, tenant, user, action, object_id, detail
FROM audit INDEXED BY audit_by_person
WHERE tenant = :tenant AND user = :user
  AND (:action = '' OR action = :action OR substr(action, 1, length(:action) + 1) = :action || '.' AND instr(:action, '.') = 0)
  AND (:object = '' OR instr(' ' || object_id || ' ', ' ' || :object || ' ') > 0 AND instr(:object, ' ') = 0)
  AND (:from IS NULL OR at >= :from)
  AND (:until IS NULL OR at < :until)
  AND seq < :before
ORDER BY seq DESC
LIMIT CAST(:limit AS BIGINT)`

// Events implements trail.Store.
func (s *Store) Events(ctx context.Context, q trail.Query) ([]trail.Entry, error) {
	ctx = seeing(ctx, q.Tenant)
	rows, err := s.reads.QueryContext(ctx, trailEvents, sql.Named("tenant", q.Tenant), sql.Named("user", q.User), sql.Named("action", q.Action),
		sql.Named("object", q.Object), sql.Named("from", open(q.From)), sql.Named("until", open(q.Until)), sql.Named("before", cmp.Or(q.Before, math.MaxInt64)),
		sql.Named("limit", q.Limit))
	if err != nil {
		return nil, wrap("read the audit trail", err)
	}
	defer rows.Close()
	var all []trail.Entry
	for rows.Next() {
		var e trail.Entry
		var at int64
		if err := rows.Scan(&e.Seq, &at, &e.Tenant, &e.User, &e.Action, &e.ObjectID, &e.Detail); err != nil {
			return nil, wrap("read the audit trail", err)
		}
		e.At = time.UnixMicro(at).UTC()
		all = append(all, e)
	}
	return all, wrap("read the audit trail", rows.Err())
}
