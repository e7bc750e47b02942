package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/ctx-mcp/ctx-mcp/memory"
)

const (
	findExperience = `
SELECT shown, confirmed, corrected, forgotten, score, last
FROM experiences
WHERE tenant = ? AND object_id = ? AND user = ?`
	// An object that is gone by now has none.
	keepExperience = `
INSERT INTO experiences (tenant, object_id, user, shown, confirmed, corrected, forgotten, score, last)
SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?
WHERE EXISTS (SELECT 1 FROM versions AS v WHERE v.tenant = ? AND v.object_id = ?)
ON CONFLICT (tenant, object_id, user) DO UPDATE SET shown = excluded.shown, confirmed = excluded.confirmed, corrected = excluded.corrected,
  forgotten = excluded.forgotten, score = excluded.score, last = excluded.last`
	findExperiences = `
SELECT e.object_id, e.shown, e.confirmed, e.corrected, e.forgotten, e.score, e.last
FROM json_each(:objects) AS o
CROSS JOIN experiences AS e
WHERE e.tenant = :tenant AND e.object_id = o.value AND e.user = :user`
)

// use writes when an object was shown last, and its user's experience with it.
func (b *batch) use(u memory.Use) error {
	if u.Outcome == "" || u.Outcome == memory.WasShown {
		if err := b.exec(useObject, micros(u.At), u.Tenant, u.ObjectID); err != nil {
			return err
		}
	}
	if u.Outcome == "" || u.User == "" {
		return nil
	}
	var e memory.Experience
	var last int64
	err := b.tx.QueryRowContext(b.ctx, findExperience, u.Tenant, u.ObjectID, u.User).
		Scan(&e.Shown, &e.Confirmed, &e.Corrected, &e.Forgotten, &e.Score, &last)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return errors.Join(errStore, err)
	}
	e.Last = instant(last)
	e = e.With(u.Outcome, u.At)
	return b.exec(keepExperience, u.Tenant, u.ObjectID, u.User, e.Shown, e.Confirmed, e.Corrected, e.Forgotten, e.Score, micros(e.Last),
		u.Tenant, u.ObjectID)
}

// Experiences implements memory.Learner.
func (s *Store) Experiences(ctx context.Context, tenant, user string, objects []string) (map[string]memory.Experience, error) {
	ctx = seeing(ctx, tenant)
	rows, err := s.reads.QueryContext(ctx, findExperiences,
		sql.Named("objects", array(objects)), sql.Named("tenant", tenant), sql.Named("user", user))
	if err != nil {
		return nil, wrap("find experiences", err)
	}
	defer rows.Close()
	found := map[string]memory.Experience{}
	for rows.Next() {
		var id string
		var e memory.Experience
		var last int64
		if err := rows.Scan(&id, &e.Shown, &e.Confirmed, &e.Corrected, &e.Forgotten, &e.Score, &last); err != nil {
			return nil, wrap("find experiences", err)
		}
		e.Last = instant(last)
		found[id] = e
	}
	return found, wrap("find experiences", rows.Err())
}
