package sqlite

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp"
)

// KeysFileName is the name of the file of keys in its folder.
const KeysFileName = "ctx-keys.db"

// KeyStore keeps the keys of versions and of blobs in a database of their own. It is safe for concurrent use, also by several processes.
type KeyStore struct {
	db   *sql.DB
	name string
	say  KeyStatements
}

// KeyStatements are the statements of a KeyStore. Lists are parameters in JSON.
type KeyStatements struct {
	Make    string // makes the tables unless they are there
	Keep    string // inserts pairs of id and key, and leaves an id alone that is there
	Find    string // selects id and key of a list of ids
	Destroy string // deletes a list of ids
	Want    string // inserts name, key, digest and time of a blob, or sets the time of the one that is there; selects its key, digest and time
	Entries string // selects name, key, digest and time of a list of names
	Unwant  string // deletes a name if its time is before another
	Scour   string // removes deleted content from the files; empty: the operator does
}

const (
	makeKeys = `
CREATE TABLE IF NOT EXISTS object_keys (id TEXT PRIMARY KEY, key TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS blob_keys (
  name   TEXT PRIMARY KEY,
  key    TEXT NOT NULL,
  digest TEXT NOT NULL,
  wanted INTEGER NOT NULL  -- by a writer, last; in microseconds
) STRICT, WITHOUT ROWID;
`
	keepKeys = `
INSERT INTO object_keys (id, key)
SELECT value ->> 0, value ->> 1
FROM json_each(?)
WHERE true
ON CONFLICT DO NOTHING
`
	findKeys = `
SELECT id, key
FROM object_keys
WHERE id IN (SELECT value FROM json_each(?))
`
	destroyKeys = `
DELETE FROM object_keys
WHERE id IN (SELECT value FROM json_each(?))
`
)

// OpenKeys opens the keys in a folder, which it makes if there is none. Both can be read by their owner only. It returns CodeUnavailable if the
// file cannot be used.
func OpenKeys(ctx context.Context, dir string) (*KeyStore, error) {
	path := filepath.Join(dir, KeysFileName)
	if err := errors.Join(os.MkdirAll(dir, 0o700), keepSpillsIn(dir), touch(path)); err != nil {
		return nil, unusable(path, err)
	}
	q := url.Values{ // no write-ahead log, which would keep destroyed keys
		"_journal_mode":  {"DELETE"},
		"_synchronous":   {"FULL"},
		"_busy_timeout":  {fmt.Sprint(busyTimeout.Milliseconds())},
		"_secure_delete": {"on"},
		"_pragma":        {"secure_delete(on)"},
		"_txlock":        {"immediate"},
	}
	db, err := sql.Open(libraryName, "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+q.Encode())
	if err != nil {
		return nil, unusable(path, err)
	}
	db.SetMaxOpenConns(1)
	return KeysOver(ctx, db, path, KeyStatements{Make: makeKeys, Keep: keepKeys, Find: findKeys, Destroy: destroyKeys,
		Want: wantBlob, Entries: findBlobs, Unwant: unwantBlob, Scour: rewrite})
}

// KeysOver returns the keys in a database, in which it makes their table if there is none. The name is for messages. It closes the database if it
// returns an error, which has CodeUnavailable.
func KeysOver(ctx context.Context, db *sql.DB, name string, say KeyStatements) (*KeyStore, error) {
	if _, err := db.ExecContext(ctx, say.Make); err != nil {
		return nil, errors.Join(keysUnusable(name, err), db.Close())
	}
	return &KeyStore{db, name, say}, nil
}

// Keep implements Keys.
func (k *KeyStore) Keep(ctx context.Context, keys map[string][]byte) error {
	var pairs [][2]string
	for id, key := range keys {
		pairs = append(pairs, [2]string{id, base64.StdEncoding.EncodeToString(key)})
	}
	if len(pairs) == 0 {
		return nil
	}
	_, err := k.db.ExecContext(ctx, k.say.Keep, array(pairs))
	return keysUnusable(k.name, err)
}

// Find implements Keys.
func (k *KeyStore) Find(ctx context.Context, ids []string) (map[string][]byte, error) {
	rows, err := k.db.QueryContext(ctx, k.say.Find, array(ids))
	if err != nil {
		return nil, keysUnusable(k.name, err)
	}
	defer rows.Close()
	found := make(map[string][]byte, len(ids))
	for rows.Next() {
		var id, text string
		if err := rows.Scan(&id, &text); err != nil {
			return nil, keysUnusable(k.name, err)
		}
		if found[id], err = base64.StdEncoding.DecodeString(text); err != nil {
			return nil, fmt.Errorf("read the key %s: %w", id, err)
		}
	}
	return found, keysUnusable(k.name, rows.Err())
}

// Destroy implements Keys.
func (k *KeyStore) Destroy(ctx context.Context, ids []string) error {
	_, err := k.db.ExecContext(ctx, k.say.Destroy, array(ids))
	if err == nil {
		err = k.scour(ctx)
	}
	return keysUnusable(k.name, err)
}

// scour removes deleted keys from the files.
func (k *KeyStore) scour(ctx context.Context) error {
	if k.say.Scour == "" {
		return nil
	}
	_, err := k.db.ExecContext(ctx, k.say.Scour)
	return err
}

// Close closes the database of the keys.
func (k *KeyStore) Close() error { return k.db.Close() }

func keysUnusable(name string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "cannot use the keys in %s", name).WithCause(err).
		WithHint("check erasure.keys, and that its server or folder can be used")
}
