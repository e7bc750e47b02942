CREATE TABLE packets (
  seq            INTEGER PRIMARY KEY,
  tenant         TEXT NOT NULL,
  ref            TEXT NOT NULL,     -- sha256: and the digest of the canonical form, under which the blob is kept
  namespace      TEXT NOT NULL,     -- home
  user           TEXT,              -- of the home; NULL: none
  project        TEXT,              -- of the home; NULL: none
  trace          TEXT,              -- id of the trace; NULL: none
  classification INTEGER NOT NULL,  -- rank, 0 is public
  policy         TEXT,              -- digest of the policy, kept as a blob too; NULL: none
  created        INTEGER NOT NULL,  -- microseconds since 1970, UTC
  erased         INTEGER NOT NULL,  -- 1: its content went with one of its objects
  packet         TEXT NOT NULL,     -- JSON of the whole record
  UNIQUE (tenant, ref)
) STRICT;

CREATE INDEX packets_by_home ON packets (tenant, namespace, created, ref);

CREATE INDEX packets_by_trace ON packets (tenant, trace) WHERE trace IS NOT NULL;

CREATE INDEX packets_by_ref ON packets (ref);

CREATE INDEX packets_by_policy ON packets (policy) WHERE policy IS NOT NULL;

CREATE INDEX packets_by_created ON packets (created, ref);

CREATE INDEX packets_erased ON packets (created, ref) WHERE erased = 1;

CREATE TABLE packet_parts (
  tenant TEXT NOT NULL,
  kind   TEXT NOT NULL,  -- object, artifact: it was made of; derived: an artifact that was made of it
  id     TEXT NOT NULL,
  ref    TEXT NOT NULL,
  PRIMARY KEY (tenant, kind, id, ref)
) STRICT, WITHOUT ROWID;

CREATE INDEX packet_parts_by_ref ON packet_parts (tenant, ref, kind);

CREATE INDEX artifact_pins_by_holder ON artifact_pins (tenant, holder);
