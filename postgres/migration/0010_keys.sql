-- The content of versions may be sealed under keys that lie elsewhere.

-- The store of keys that belongs to the database.
CREATE TABLE key_store (
  one  BIGINT PRIMARY KEY CHECK (one = 1),
  mark TEXT COLLATE "C" NOT NULL  -- digest under its index key
);

-- Keys of erased versions, until they are destroyed.
CREATE TABLE owed_keys (
  id TEXT COLLATE "C" PRIMARY KEY
);
