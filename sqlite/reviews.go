package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
)

// checkReviews returns a CodeConflict Error if c asks a question that is open already, or settles one that is not open.
func (b *batch) checkReviews(c memory.Change) error {
	for _, r := range c.Ask {
		if err := b.expect(0, "the same is under review already", `
SELECT count(*) FROM reviews
WHERE tenant = ? AND (id = ? OR namespace = ? AND kind = ? AND subjects = ? AND settled IS NULL)`,
			r.Tenant, r.ID, r.Namespace, string(r.Kind), array(r.Subjects)); err != nil {
			return err
		}
	}
	for _, e := range c.Settle {
		if err := b.expect(1, "review "+e.ID+" is not open", `SELECT count(*) FROM reviews WHERE tenant = ? AND id = ? AND settled IS NULL`,
			e.Tenant, e.ID); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) review(c memory.Change) error {
	for _, e := range c.Settle {
		if err := b.exec(`UPDATE reviews SET settled = ?, decision = ? WHERE tenant = ? AND id = ?`,
			micros(e.At), e.Decision, e.Tenant, e.ID); err != nil {
			return err
		}
	}
	for _, r := range c.Ask {
		if err := b.exec(`INSERT INTO reviews (tenant, id, namespace, kind, subjects, asked) VALUES (?, ?, ?, ?, ?, ?)`,
			r.Tenant, r.ID, r.Namespace, string(r.Kind), array(r.Subjects), micros(r.Asked)); err != nil {
			return err
		}
	}
	return nil
}

const openReviews = `
SELECT r.id, r.namespace, r.kind, r.subjects, r.asked
FROM reviews AS r
WHERE r.tenant = :tenant AND r.settled IS NULL
  AND (:ids IS NULL OR r.id IN (SELECT value FROM json_each(:ids)))
  AND (:subject IS NULL OR EXISTS (SELECT 1 FROM json_each(r.subjects) AS s WHERE s.value = :subject))
ORDER BY r.asked, r.id
`

// Reviews implements memory.Reviewer.
func (s *Store) Reviews(ctx context.Context, q memory.ReviewQuery) ([]memory.Review, error) {
	ctx = seeing(ctx, q.Tenant)
	rows, err := s.reads.QueryContext(ctx, openReviews,
		sql.Named("tenant", q.Tenant), sql.Named("ids", list(q.IDs)), sql.Named("subject", text(q.Subject)))
	if err != nil {
		return nil, wrap("find reviews", err)
	}
	defer rows.Close()
	var found []memory.Review
	for rows.Next() && (q.Limit == 0 || len(found) < q.Limit) {
		r := memory.Review{Tenant: q.Tenant}
		var kind, subjects string
		var asked int64
		if err := rows.Scan(&r.ID, &r.Namespace, &kind, &subjects, &asked); err != nil {
			return nil, wrap("find reviews", err)
		}
		if err := json.Unmarshal([]byte(subjects), &r.Subjects); err != nil {
			return nil, wrap("find reviews", ctxmcp.Errorf(ctxmcp.CodeInternal, "review %s cannot be read", r.ID).WithCause(err))
		}
		r.Kind, r.Asked = memory.ReviewKind(kind), instant(asked)
		if q.Match(r) {
			found = append(found, r)
		}
	}
	return found, wrap("find reviews", rows.Err())
}
