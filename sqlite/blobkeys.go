package sqlite

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"time"

	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/sealed"
)

var _ sealed.Keys = (*KeyStore)(nil)

const (
	wantBlob = `
INSERT INTO blob_keys (name, key, digest, wanted)
VALUES (?, ?, ?, ?)
ON CONFLICT (name) DO UPDATE
SET wanted = max(wanted, excluded.wanted)
RETURNING name, key, digest, wanted
`
	findBlobs = `
SELECT name, key, digest, wanted
FROM blob_keys
WHERE name IN (SELECT value FROM json_each(?))
`
	unwantBlob = `
DELETE FROM blob_keys
WHERE name = ? AND wanted < ?
`
)

// Want implements sealed.Keys.
func (k *KeyStore) Want(ctx context.Context, name string, e sealed.Entry) (sealed.Entry, error) {
	held, err := k.entries(ctx, k.say.Want, name, base64.StdEncoding.EncodeToString(e.Key), e.Digest, micros(e.Wanted))
	return held[name], err
}

// Entries implements sealed.Keys.
func (k *KeyStore) Entries(ctx context.Context, names []string) (map[string]sealed.Entry, error) {
	return k.entries(ctx, k.say.Entries, array(names))
}

func (k *KeyStore) entries(ctx context.Context, statement string, args ...any) (map[string]sealed.Entry, error) {
	rows, err := k.db.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, keysUnusable(k.name, err)
	}
	found, err := readEntries(rows)
	return found, keysUnusable(k.name, err)
}

func readEntries(rows *sql.Rows) (map[string]sealed.Entry, error) {
	defer rows.Close()
	found := map[string]sealed.Entry{}
	for rows.Next() {
		var name, key string
		var wanted int64
		var e sealed.Entry
		err := rows.Scan(&name, &key, &e.Digest, &wanted)
		if err == nil {
			e.Wanted = time.UnixMicro(wanted)
			e.Key, err = base64.StdEncoding.DecodeString(key)
		}
		if err != nil {
			return nil, err
		}
		found[name] = e
	}
	return found, rows.Err()
}

// Unwant implements sealed.Keys.
func (k *KeyStore) Unwant(ctx context.Context, name string, before time.Time) (bool, error) {
	done, err := k.db.ExecContext(ctx, k.say.Unwant, name, micros(before))
	if err != nil {
		return false, keysUnusable(k.name, err)
	}
	if n, err := done.RowsAffected(); err != nil || n > 0 {
		return err == nil, keysUnusable(k.name, errors.Join(err, k.scour(ctx)))
	}
	held, err := k.Entries(ctx, []string{name})
	return len(held) == 0, err
}

// BlobNames returns the function that names the file of a digest's bytes, for a store with keys: a digest of it under their index key.
func (s *Store) BlobNames() func(digest string) string {
	return s.sealing.Load().blobName
}
