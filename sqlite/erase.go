package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/ctx-mcp/ctx-mcp/memory"
)

// eraseReviewReasons leaves the decisions on the reviews of an object, and takes the reasons: a person's words can quote it.
const eraseReviewReasons = `
UPDATE audit
SET detail = substr(detail, 1, instr(detail, ': ') - 1)
WHERE tenant = ? AND instr(' ' || object_id || ' ', ' ' || ? || ' ') > 0 AND action LIKE 'review.%' AND instr(detail, ': ') > 0`

// erase deletes an object: rows, index entries, vectors, results kept for repetitions, and the reasons for which it was forgotten before. Scrub then
// rids the files of their remains.
func (b *batch) erase(e memory.Erasure) error {
	if err := b.flush(); err != nil {
		return err
	}
	rows, err := b.tx.QueryContext(b.ctx, `
SELECT v.id, s.tenant, s.namespace, t.terms, length(t.terms) - length(replace(t.terms, ' ', '')) + (t.terms <> ''),
  v.session, v.object ->> 'author', v.object ->> 'key'
FROM versions AS v
JOIN texts AS t ON t.id = v.id
JOIN scopes AS s ON s.scope = v.id >> 32
WHERE v.tenant = ? AND v.object_id = ?
ORDER BY v.id`, e.Tenant, e.ObjectID)
	if err != nil {
		return err
	}
	defer rows.Close()
	type row struct {
		indexed
		key                     scopeKey
		words                   int64
		session, author, sealed sql.NullString // sealed: id of the key
	}
	var doomed []row
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.id, &r.key.tenant, &r.key.namespace, &r.terms, &r.words, &r.session, &r.author, &r.sealed); err != nil {
			return err
		}
		doomed = append(doomed, r)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, r := range doomed {
		sc, err := b.scope(r.key)
		if err != nil {
			return err
		}
		sc.documents--
		sc.length -= r.words
		if err := b.discount(sc, r.session.String, r.author.String, r.words); err != nil {
			return fmt.Errorf("row: %w", err)
		}
		if err := b.eraseRow(r.indexed); err != nil {
			return fmt.Errorf("row: %w", err)
		}
		if r.sealed.Valid {
			if err := b.exec(oweKey, r.sealed.String); err != nil {
				return fmt.Errorf("key: %w", err)
			}
		}
	}
	if err := b.exec(`DELETE FROM replays INDEXED BY replays_by_object WHERE tenant = ? AND object_id = ?`, e.Tenant, e.ObjectID); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	if err := b.exec(`UPDATE audit SET detail = '' WHERE tenant = ? AND object_id = ? AND action LIKE 'forget.%'`, e.Tenant, e.ObjectID); err != nil {
		return fmt.Errorf("reasons: %w", err)
	}
	if err := b.exec(eraseReviewReasons, e.Tenant, e.ObjectID); err != nil {
		return fmt.Errorf("reasons of reviews: %w", err)
	}
	if err := b.exec(`DELETE FROM experiences WHERE tenant = ? AND object_id = ?`, e.Tenant, e.ObjectID); err != nil {
		return fmt.Errorf("experiences: %w", err)
	}
	if err := b.forgetNames(e); err != nil {
		return fmt.Errorf("names: %w", err)
	}
	if err := b.erasePacketsOf(e); err != nil {
		return fmt.Errorf("packets: %w", err)
	}
	b.owes = true
	return nil
}

// discount takes an erased version out of the statistics of its session and its author. Places are not given out again.
func (b *batch) discount(sc *scope, session, author string, words int64) error {
	if err := b.exec(`UPDATE sessions SET documents = documents - 1, length = length - ? WHERE scope = ? AND session = ?`,
		words, sc.number, session); err != nil {
		return err
	}
	if err := b.exec(`UPDATE authors SET documents = documents - 1 WHERE scope = ? AND author = ?`, sc.number, author); err != nil {
		return err
	}
	return b.exec(`DELETE FROM authors WHERE scope = ? AND author = ? AND documents = 0`, sc.number, author)
}

func (b *batch) eraseRow(t indexed) error {
	if err := b.exec(`INSERT INTO search (search, rowid, terms) VALUES ('delete', ?, ?)`, t.id, t.terms); err != nil {
		return err
	}
	for _, statement := range []string{
		`DELETE FROM texts WHERE id = ?`, `DELETE FROM vectors WHERE id = ?`, `DELETE FROM versions WHERE id = ?`,
	} {
		if err := b.exec(statement, t.id); err != nil {
			return err
		}
	}
	return nil
}

// Replay implements memory.Store.
func (s *Store) Replay(ctx context.Context, key memory.Key) (*memory.Replay, error) {
	ctx = seeing(ctx, key.Tenant)
	rows, err := s.reads.QueryContext(ctx, `SELECT digest, object_id, result FROM replays WHERE tenant = ? AND user = ? AND name = ?`,
		key.Tenant, key.User, key.Name)
	if err != nil {
		return nil, wrap("read a kept result", err)
	}
	defer rows.Close()
	if !rows.Next() {
		return nil, wrap("read a kept result", rows.Err())
	}
	r := memory.Replay{Key: key}
	if err := rows.Scan(&r.Digest, &r.ObjectID, &r.Result); err != nil {
		return nil, wrap("read a kept result", err)
	}
	return &r, nil
}
