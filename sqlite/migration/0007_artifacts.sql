CREATE TABLE artifacts (
  seq            INTEGER PRIMARY KEY,
  tenant         TEXT NOT NULL,
  id             TEXT NOT NULL,
  namespace      TEXT NOT NULL,     -- home
  project        TEXT,              -- of the home; NULL: none
  task           TEXT,              -- to which it belongs; NULL: none
  classification INTEGER NOT NULL,  -- rank, 0 is public
  digest         TEXT NOT NULL,     -- SHA-256 of the bytes, in hexadecimal
  raw_digest     TEXT,              -- of the encrypted original; NULL: none is kept
  created        INTEGER NOT NULL,  -- microseconds since 1970, UTC
  artifact       TEXT NOT NULL,     -- JSON of the whole reference
  UNIQUE (tenant, id)
) STRICT;

CREATE INDEX artifacts_by_home ON artifacts (tenant, namespace, created, id);

CREATE INDEX artifacts_by_digest ON artifacts (digest);

CREATE INDEX artifacts_by_raw_digest ON artifacts (raw_digest) WHERE raw_digest IS NOT NULL;

CREATE TABLE artifact_pins (
  tenant   TEXT NOT NULL,
  artifact TEXT NOT NULL,
  holder   TEXT NOT NULL,  -- what refers to it, such as task:search-1
  until    INTEGER,        -- microseconds; NULL: for ever
  PRIMARY KEY (tenant, artifact, holder)
) STRICT, WITHOUT ROWID;

CREATE TABLE tool_answers (
  tenant    TEXT NOT NULL,
  namespace TEXT NOT NULL,
  call      TEXT NOT NULL,
  digest    TEXT NOT NULL,     -- of the result after redaction
  at        INTEGER NOT NULL,  -- microseconds
  PRIMARY KEY (tenant, namespace, call)
) STRICT, WITHOUT ROWID;

CREATE TABLE task_states (
  tenant    TEXT NOT NULL,
  id        TEXT NOT NULL,
  namespace TEXT NOT NULL,     -- home
  version   INTEGER NOT NULL,
  saved     INTEGER NOT NULL,  -- microseconds
  state     TEXT NOT NULL,     -- JSON of the whole version
  PRIMARY KEY (tenant, id, namespace, version)
) STRICT, WITHOUT ROWID;
