package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/stdlib"

	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

// keyStatements are those of a table of keys. Servers that start side by side make it one after the other, and one whose role may not make tables finds it.
var keyStatements = sqlite.KeyStatements{
	Make: `
DO $$
BEGIN
  IF to_regclass('object_keys') IS NOT NULL AND to_regclass('blob_keys') IS NOT NULL THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('ctx-mcp keys ' || current_schema(), 0));
  CREATE TABLE IF NOT EXISTS object_keys (id TEXT COLLATE "C" PRIMARY KEY, key TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS blob_keys (
    name   TEXT COLLATE "C" PRIMARY KEY,
    key    TEXT NOT NULL,
    digest TEXT NOT NULL,
    wanted BIGINT NOT NULL  -- by a writer, last; in microseconds
  );
END
$$`,
	Keep: `
INSERT INTO object_keys (id, key)
SELECT value ->> 0, value ->> 1
FROM json_array_elements($1::json)
ON CONFLICT DO NOTHING`,
	Find: `
SELECT id, key
FROM object_keys
WHERE id = ANY (ARRAY(SELECT json_array_elements_text($1::json)))`,
	Destroy: `
DELETE FROM object_keys
WHERE id = ANY (ARRAY(SELECT json_array_elements_text($1::json)))`,
	Want: `
INSERT INTO blob_keys (name, key, digest, wanted)
VALUES ($1, $2, $3, $4)
ON CONFLICT (name) DO UPDATE
SET wanted = greatest(blob_keys.wanted, excluded.wanted)
RETURNING name, key, digest, wanted`,
	Entries: `
SELECT name, key, digest, wanted
FROM blob_keys
WHERE name = ANY (ARRAY(SELECT json_array_elements_text($1::json)))`,
	Unwant: `
DELETE FROM blob_keys
WHERE name = $1 AND wanted < $2`,
}

// OpenKeys opens the keys of versions and of blobs in a database of their own, by an address as Open takes it. It returns CodeInvalid for a text that is no
// address, and CodeUnavailable if the database cannot be used.
func OpenKeys(ctx context.Context, address string) (*sqlite.KeyStore, error) {
	c, err := config(address)
	if err != nil {
		return nil, err
	}
	db := stdlib.OpenDB(*c)
	db.SetMaxOpenConns(writers)
	db.SetMaxIdleConns(writers)
	return sqlite.KeysOver(ctx, db, Name(address), keyStatements)
}
