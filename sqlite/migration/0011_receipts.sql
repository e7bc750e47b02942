-- What was decided, in order, and never changed.
CREATE TABLE receipts (
  idx      INTEGER PRIMARY KEY,  -- from 0, without gaps
  tenant   TEXT NOT NULL,        -- empty: of the log itself
  user     TEXT NOT NULL,        -- empty: of the log itself
  session  TEXT NOT NULL,        -- empty: of the log itself
  id       TEXT NOT NULL,
  envelope TEXT NOT NULL,        -- DSSE, canonical JSON
  private  BLOB,                 -- canonical JSON, sealed if the store is
  UNIQUE (tenant, user, session, id)
) STRICT;

-- The hashes of the log's Merkle tree, for proofs.
CREATE TABLE receipt_hashes (
  number INTEGER PRIMARY KEY,    -- as golang.org/x/mod/sumdb/tlog numbers them
  hash   BLOB NOT NULL           -- 32 bytes
) STRICT;

-- Where the log ends.
CREATE TABLE receipt_end (
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  size     INTEGER NOT NULL,
  frontier BLOB NOT NULL,        -- hashes of the largest complete subtrees
  at       INTEGER NOT NULL,     -- microseconds, of the last receipt
  key_id   TEXT NOT NULL,
  head     TEXT NOT NULL         -- signed note
) STRICT;

-- Where the receipts of each session end.
CREATE TABLE receipt_sessions (
  tenant   TEXT NOT NULL,
  user     TEXT NOT NULL,
  session  TEXT NOT NULL,
  size     INTEGER NOT NULL,
  frontier BLOB NOT NULL,
  closed   INTEGER NOT NULL,     -- 1: it has its receipt
  PRIMARY KEY (tenant, user, session)
) STRICT, WITHOUT ROWID;
