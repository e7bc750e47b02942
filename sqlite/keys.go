package sqlite

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/ctx-mcp/ctx-mcp"
)

const (
	findMark = `
SELECT mark
FROM key_store
WHERE one = 1
`
	insertMark = `
INSERT INTO key_store (one, mark)
VALUES (1, ?)
ON CONFLICT DO NOTHING
`
	owedKeys = `
SELECT id
FROM owed_keys
`
	oweKey     = `INSERT INTO owed_keys (id) VALUES (?) ON CONFLICT DO NOTHING`
	settleKeys = `DELETE FROM owed_keys WHERE id IN (SELECT value FROM json_each(?))`
)

// Keyed reports whether the store needs keys: it was used with them before.
func (s *Store) Keyed(ctx context.Context) (bool, error) {
	mark, err := findMarkIn(ctx, s.reads)
	return mark != "", wrap("look for the mark of the keys", err)
}

func findMarkIn(ctx context.Context, db rowQuerier) (mark string, err error) {
	err = db.QueryRowContext(ctx, findMark).Scan(&mark)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return mark, err
}

// UseKeys has sealed versions opened, and new ones sealed if seal is set. It is called before the first use, and destroys the keys that erasures before
// left. The store closes the keys when it is closed, if they can be. It returns CodeUnavailable for the keys of another store.
func (s *Store) UseKeys(ctx context.Context, keys Keys, seal bool) error {
	was, err := findMarkIn(ctx, s.reads)
	if err != nil {
		return wrap("look for the mark of the keys", err)
	}
	index, err := indexOf(ctx, keys, was == "")
	if err != nil {
		return err
	}
	mark := markOf(index)
	if was == "" {
		if _, err := s.writes.ExecContext(ctx, insertMark, mark); err != nil {
			return wrap("keep the mark of the keys", err)
		}
		if was, err = findMarkIn(ctx, s.reads); err != nil {
			return wrap("look for the mark of the keys", err)
		}
	}
	if was != mark {
		return foreignKeys()
	}
	s.sealing.Store(&sealing{keys: keys, index: index, writes: seal})
	s.destroyOwed(ctx)
	return nil
}

// Keys returns the keys of the store, or nil.
func (s *Store) Keys() Keys {
	if z := s.sealing.Load(); z != nil {
		return z.keys
	}
	return nil
}

// UseKeys has sealed versions opened. It returns CodeUnavailable for the keys of another store.
func (r *Reading) UseKeys(ctx context.Context, keys Keys) error {
	was, err := findMarkIn(ctx, r.db)
	if err != nil || was == "" {
		return err
	}
	index, err := indexOf(ctx, keys, false)
	if err != nil {
		return err
	}
	if was != markOf(index) {
		return foreignKeys()
	}
	r.sealing = &sealing{keys: keys, index: index}
	return nil
}

// indexOf returns the key of the digests, which is made if it may be new.
func indexOf(ctx context.Context, keys Keys, fresh bool) ([]byte, error) {
	for range 2 {
		found, err := keys.Find(ctx, []string{indexKey})
		if err != nil || found[indexKey] != nil {
			return found[indexKey], err
		}
		if !fresh {
			return nil, foreignKeys()
		}
		index := make([]byte, keySize)
		rand.Read(index) // which never fails
		if err := keys.Keep(ctx, map[string][]byte{indexKey: index}); err != nil {
			return nil, err
		}
	}
	return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the keys that were kept are gone").WithHint("check erasure.keys")
}

// markOf returns the digest by which a database knows its keys.
func markOf(index []byte) string { return hex.EncodeToString(mac(index, "ctx-mcp keys")[:16]) }

func foreignKeys() error {
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the keys are not those of this store").
		WithHint("set erasure.keys to the place where they were, or restore them from their own backup; nothing was changed")
}

// destroyOwed destroys the keys of versions whose erasure is committed. The next erasure or start destroys those that it could not.
func (s *Store) destroyOwed(ctx context.Context) {
	if s.sealing.Load() == nil {
		return
	}
	if err := contained(func() error { return s.payKeys(ctx) }); err != nil {
		s.logger.Error("keys of erased memories may still be there; the next erasure or start destroys them", "error", err)
	}
}

func (s *Store) payKeys(ctx context.Context) error {
	rows, err := s.writes.QueryContext(ctx, owedKeys)
	if err != nil {
		return err
	}
	ids, err := textsOf(rows)
	if err != nil || len(ids) == 0 {
		return err
	}
	if err := s.sealing.Load().keys.Destroy(ctx, ids); err != nil {
		return err
	}
	_, err = s.writes.ExecContext(ctx, settleKeys, array(ids))
	return err
}

// textsOf returns the only column of the rows.
func textsOf(rows *sql.Rows) (all []string, err error) {
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, rows.Err()
}

// closeKeys closes the keys.
func (s *Store) closeKeys() error {
	if s.sealing.Load() == nil {
		return nil
	}
	if c, ok := s.sealing.Load().keys.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Unopened returns how many sealed versions have no key, of all that are sealed: the keys were destroyed, as of versions that came back with an old backup
// of the database, or have been lost.
func (s *Store) Unopened(ctx context.Context) (gone, sealed int, err error) {
	if s.sealing.Load() == nil {
		return 0, 0, nil
	}
	ctx = seeingAll(ctx)
	for after := int64(-1); ; {
		ids, last, err := s.keysBehind(ctx, after)
		if err != nil || len(ids) == 0 {
			return gone, sealed, wrap("look for keys", err)
		}
		found, err := s.sealing.Load().keys.Find(ctx, ids)
		if err != nil {
			return 0, 0, err
		}
		sealed, gone, after = sealed+len(ids), gone+len(ids)-len(found), last
	}
}

const sealedBehind = `
SELECT v.id, v.object ->> 'key'
FROM versions AS v NOT INDEXED
WHERE v.id > :after AND v.object ->> 'key' IS NOT NULL
ORDER BY v.id
LIMIT 1000
`

// keysBehind returns the ids of the keys of the next sealed versions behind a row id, and the last row id.
func (s *Store) keysBehind(ctx context.Context, after int64) (ids []string, last int64, err error) {
	rows, err := s.reads.QueryContext(ctx, sealedBehind, sql.Named("after", after))
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&last, &id); err != nil {
			return nil, 0, fmt.Errorf("read the id of a key: %w", err)
		}
		ids = append(ids, id)
	}
	return ids, last, rows.Err()
}
