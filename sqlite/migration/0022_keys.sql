-- The content of versions may be sealed under keys that lie elsewhere.

-- The store of keys that belongs to the database.
CREATE TABLE key_store (
  one  INTEGER PRIMARY KEY CHECK (one = 1),
  mark TEXT NOT NULL  -- digest under its index key
) STRICT;

-- Keys of erased versions, until they are destroyed.
CREATE TABLE owed_keys (
  id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
