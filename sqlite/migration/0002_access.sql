CREATE TABLE tokens (
  id        TEXT PRIMARY KEY,   -- public: it is in the token's text, beside the secret
  name      TEXT NOT NULL,      -- for people
  tenant    TEXT NOT NULL,
  user      TEXT NOT NULL,
  roles     TEXT,               -- JSON array; NULL: none
  projects  TEXT,               -- JSON array; NULL: any
  clearance TEXT NOT NULL,      -- word of the most sensitive class
  authority INTEGER NOT NULL,   -- most it may assert, 0 to 4; less is more
  created   INTEGER NOT NULL,   -- microseconds since 1970, UTC
  expires   INTEGER,            -- microseconds; NULL: never
  revoked   INTEGER,            -- microseconds; NULL: it is not
  digest    BLOB NOT NULL       -- SHA-256 of the secret, 32 bytes
) STRICT, WITHOUT ROWID;
