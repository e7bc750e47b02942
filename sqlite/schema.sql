-- The schema of a fresh database, which all migrations add up to. It is generated: go test -tags sqlite_fts5 ./sqlite -run TestSchema -update

CREATE TABLE action_log (
  tenant  TEXT NOT NULL,
  user    TEXT NOT NULL,
  session TEXT NOT NULL,
  seq     INTEGER NOT NULL,  -- from 1, without gaps
  kind    TEXT NOT NULL,     -- start, message, action, result or end
  at      INTEGER NOT NULL,  -- microseconds since 1970, UTC
  body    BLOB NOT NULL,     -- JSON; without secrets
  PRIMARY KEY (tenant, user, session, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER action_log_counted AFTER INSERT ON action_log BEGIN
  INSERT INTO quota_use (tenant, quota, used)
  VALUES (new.tenant, 'action_bytes', length(new.body))
  ON CONFLICT DO UPDATE SET used = used + excluded.used;
END;

CREATE TRIGGER action_log_discounted AFTER DELETE ON action_log BEGIN
  UPDATE quota_use
  SET used = used - length(old.body)
  WHERE tenant = old.tenant AND quota = 'action_bytes';
END;

CREATE TABLE action_sessions (
  tenant  TEXT NOT NULL,
  user    TEXT NOT NULL,
  session TEXT NOT NULL,
  last    INTEGER NOT NULL,  -- seq of the last record
  until   INTEGER NOT NULL, waiting INTEGER NOT NULL DEFAULT 0,  -- microseconds; the log is removed then
  PRIMARY KEY (tenant, user, session)
) STRICT, WITHOUT ROWID;

CREATE INDEX action_sessions_by_until ON action_sessions (until);

CREATE TRIGGER action_sessions_counted AFTER INSERT ON action_sessions BEGIN
  INSERT INTO quota_use (tenant, quota, used)
  VALUES (new.tenant, 'action_sessions', 1)
  ON CONFLICT DO UPDATE SET used = used + excluded.used;
END;

CREATE TRIGGER action_sessions_discounted AFTER DELETE ON action_sessions BEGIN
  UPDATE quota_use
  SET used = used - 1
  WHERE tenant = old.tenant AND quota = 'action_sessions';
END;

CREATE INDEX action_sessions_waiting ON action_sessions (tenant, user) WHERE waiting > 0;

CREATE TABLE artifact_pins (
  tenant   TEXT NOT NULL,
  artifact TEXT NOT NULL,
  holder   TEXT NOT NULL,  -- what refers to it, such as task:search-1
  until    INTEGER,        -- microseconds; NULL: for ever
  PRIMARY KEY (tenant, artifact, holder)
) STRICT, WITHOUT ROWID;

CREATE INDEX artifact_pins_by_holder ON artifact_pins (tenant, holder);

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

CREATE INDEX artifacts_by_digest ON artifacts (digest);

CREATE INDEX artifacts_by_home ON artifacts (tenant, namespace, created, id);

CREATE INDEX artifacts_by_raw_digest ON artifacts (raw_digest) WHERE raw_digest IS NOT NULL;

CREATE TRIGGER artifacts_counted AFTER INSERT ON artifacts BEGIN
  INSERT INTO quota_use (tenant, quota, used)
  VALUES (new.tenant, 'artifact_bytes', (new.artifact ->> '$.size_bytes') + coalesce(new.artifact ->> '$.raw_size_bytes', 0) + 1024)
  ON CONFLICT DO UPDATE SET used = used + excluded.used;
END;

CREATE TRIGGER artifacts_discounted AFTER DELETE ON artifacts BEGIN
  UPDATE quota_use
  SET used = used - ((old.artifact ->> '$.size_bytes') + coalesce(old.artifact ->> '$.raw_size_bytes', 0) + 1024)
  WHERE tenant = old.tenant AND quota = 'artifact_bytes';
END;

CREATE TABLE audit (
  seq       INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,  -- microseconds
  tenant    TEXT NOT NULL,
  user      TEXT NOT NULL,
  action    TEXT NOT NULL,
  object_id TEXT NOT NULL,
  detail    TEXT NOT NULL      -- never content
) STRICT;

CREATE INDEX audit_by_person ON audit (tenant, user);

CREATE TABLE authors (
  scope     INTEGER NOT NULL,
  author    TEXT NOT NULL,
  documents INTEGER NOT NULL,  -- versions by the author
  PRIMARY KEY (scope, author)
) STRICT, WITHOUT ROWID;

CREATE TABLE data_keys (
  one     INTEGER PRIMARY KEY CHECK (one = 1),
  wrapped BLOB NOT NULL
) STRICT;

CREATE TABLE entities (
  node           INTEGER PRIMARY KEY,  -- of the version, in the order in which they were made
  tenant         TEXT NOT NULL,
  id             TEXT NOT NULL,
  version        INTEGER NOT NULL,
  scope          INTEGER NOT NULL,     -- of its home
  classification INTEGER NOT NULL,     -- rank, 0 is public
  allow_roles    TEXT,                 -- JSON array; NULL: any role
  deny_roles     TEXT,                 -- JSON array; NULL: none
  into_id        TEXT,                 -- what it is merged into; NULL: it is not
  tx_end         INTEGER,              -- microseconds; NULL: still
  entity         TEXT NOT NULL,        -- JSON of the version as it was inserted
  UNIQUE (tenant, id, version)
) STRICT;

CREATE INDEX entities_by_parent ON entities (into_id) WHERE into_id IS NOT NULL AND tx_end IS NULL;

CREATE TABLE entity_keys (
  scope INTEGER NOT NULL,
  key   TEXT NOT NULL,
  node  INTEGER NOT NULL,
  PRIMARY KEY (scope, key, node)
) STRICT, WITHOUT ROWID;

CREATE TABLE entity_references (
  tenant    TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  object_id TEXT NOT NULL,  -- that names the entity
  purpose   TEXT NOT NULL,
  PRIMARY KEY (tenant, entity_id, object_id, purpose)
) STRICT, WITHOUT ROWID;

CREATE INDEX entity_references_by_object ON entity_references (tenant, object_id);

CREATE TABLE erasures (
  seq INTEGER PRIMARY KEY AUTOINCREMENT  -- of an erasure that is committed, while the files may still hold what it erased
) STRICT;

CREATE TABLE experiences (
  tenant    TEXT NOT NULL,
  object_id TEXT NOT NULL,
  user      TEXT NOT NULL,
  shown     INTEGER NOT NULL,  -- times
  confirmed INTEGER NOT NULL,  -- times
  corrected INTEGER NOT NULL,  -- times
  forgotten INTEGER NOT NULL,  -- times
  score     REAL NOT NULL,     -- at last; it halves every 30 days
  last      INTEGER NOT NULL,  -- microseconds
  PRIMARY KEY (tenant, object_id, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE key_store (
  one  INTEGER PRIMARY KEY CHECK (one = 1),
  mark TEXT NOT NULL  -- digest under its index key
) STRICT;

CREATE TABLE owed_keys (
  id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE packet_parts (
  tenant TEXT NOT NULL,
  kind   TEXT NOT NULL,  -- object, artifact: it was made of; derived: an artifact that was made of it
  id     TEXT NOT NULL,
  ref    TEXT NOT NULL,
  PRIMARY KEY (tenant, kind, id, ref)
) STRICT, WITHOUT ROWID;

CREATE INDEX packet_parts_by_ref ON packet_parts (tenant, ref, kind);

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

CREATE INDEX packets_by_created ON packets (created, ref);

CREATE INDEX packets_by_home ON packets (tenant, namespace, created, ref);

CREATE INDEX packets_by_policy ON packets (policy) WHERE policy IS NOT NULL;

CREATE INDEX packets_by_ref ON packets (ref);

CREATE INDEX packets_by_trace ON packets (tenant, trace) WHERE trace IS NOT NULL;

CREATE TRIGGER packets_counted AFTER INSERT ON packets BEGIN
  INSERT INTO quota_use (tenant, quota, used)
  VALUES (new.tenant, 'packets', 1)
  ON CONFLICT DO UPDATE SET used = used + excluded.used;
END;

CREATE TRIGGER packets_discounted AFTER DELETE ON packets BEGIN
  UPDATE quota_use
  SET used = used - 1
  WHERE tenant = old.tenant AND quota = 'packets';
END;

CREATE INDEX packets_erased ON packets (created, ref) WHERE erased = 1;

CREATE TABLE prefixes (
  tenant    TEXT NOT NULL,
  namespace TEXT NOT NULL,     -- of the session
  digest    TEXT NOT NULL,     -- of what else begins the prompt
  saved     INTEGER NOT NULL,  -- microseconds
  prefix    TEXT NOT NULL,     -- JSON: ids and versions, without content
  PRIMARY KEY (tenant, namespace, digest)
) STRICT, WITHOUT ROWID;

CREATE INDEX prefixes_by_age ON prefixes (saved);

CREATE TABLE quota_use (
  tenant TEXT NOT NULL,
  quota  TEXT NOT NULL,     -- memories, artifact_bytes, action_sessions, action_bytes, packets or reviews
  used   INTEGER NOT NULL,  -- things, or bytes
  PRIMARY KEY (tenant, quota)
) STRICT, WITHOUT ROWID;

CREATE TABLE receipt_end (
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  size     INTEGER NOT NULL,
  frontier BLOB NOT NULL,        -- hashes of the largest complete subtrees
  at       INTEGER NOT NULL,     -- microseconds, of the last receipt
  key_id   TEXT NOT NULL,
  head     TEXT NOT NULL         -- signed note
) STRICT;

CREATE TABLE receipt_hashes (
  number INTEGER PRIMARY KEY,    -- as golang.org/x/mod/sumdb/tlog numbers them
  hash   BLOB NOT NULL           -- 32 bytes
) STRICT;

CREATE TABLE receipt_sessions (
  tenant   TEXT NOT NULL,
  user     TEXT NOT NULL,
  session  TEXT NOT NULL,
  size     INTEGER NOT NULL,
  frontier BLOB NOT NULL,
  closed   INTEGER NOT NULL,     -- 1: it has its receipt
  PRIMARY KEY (tenant, user, session)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE replays (
  tenant    TEXT NOT NULL,
  user      TEXT NOT NULL,
  name      TEXT NOT NULL,  -- the idempotency key
  digest    TEXT NOT NULL,  -- of the request
  object_id TEXT NOT NULL,
  result    TEXT NOT NULL,  -- JSON, without content
  PRIMARY KEY (tenant, user, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX replays_by_object ON replays (tenant, object_id);

CREATE TABLE reviews (
  seq       INTEGER PRIMARY KEY,
  tenant    TEXT NOT NULL,
  id        TEXT NOT NULL,
  namespace TEXT NOT NULL,  -- home of what it is about
  kind      TEXT NOT NULL,
  subjects  TEXT NOT NULL,  -- JSON array of ids
  asked     INTEGER NOT NULL,  -- microseconds
  settled   INTEGER,           -- microseconds; NULL: it is open
  decision  TEXT,              -- set with settled
  UNIQUE (tenant, id)
) STRICT;

CREATE TRIGGER reviews_counted AFTER INSERT ON reviews WHEN new.settled IS NULL BEGIN
  INSERT INTO quota_use (tenant, quota, used)
  VALUES (new.tenant, 'reviews', 1)
  ON CONFLICT DO UPDATE SET used = used + excluded.used;
END;

CREATE TRIGGER reviews_discounted AFTER UPDATE OF settled ON reviews WHEN old.settled IS NULL AND new.settled IS NOT NULL BEGIN
  UPDATE quota_use
  SET used = used - 1
  WHERE tenant = old.tenant AND quota = 'reviews';
END;

CREATE UNIQUE INDEX reviews_open ON reviews (tenant, namespace, kind, subjects) WHERE settled IS NULL;

CREATE TABLE scopes (
  scope     INTEGER PRIMARY KEY,  -- the high bits of versions.id
  tenant    TEXT NOT NULL,
  namespace TEXT NOT NULL,        -- home of the objects in it
  last_seq  INTEGER NOT NULL,     -- last low 32 bits given out
  documents INTEGER NOT NULL,     -- versions in it
  length    INTEGER NOT NULL,     -- their terms, in all
  UNIQUE (tenant, namespace)
) STRICT;

CREATE VIRTUAL TABLE search USING fts5 (terms, content='texts', content_rowid='id', tokenize='ascii');

CREATE TABLE sessions (
  scope         INTEGER NOT NULL,
  session       TEXT NOT NULL,
  last_position INTEGER NOT NULL,  -- last one given out
  documents     INTEGER NOT NULL,  -- versions in it
  length        INTEGER NOT NULL,  -- their terms, in all
  PRIMARY KEY (scope, session)
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

CREATE TABLE texts (
  id    INTEGER PRIMARY KEY,  -- of the version
  terms TEXT NOT NULL         -- of its content, separated by spaces
) STRICT;

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

CREATE TABLE tool_answers (
  tenant    TEXT NOT NULL,
  namespace TEXT NOT NULL,
  call      TEXT NOT NULL,
  digest    TEXT NOT NULL,     -- of the result after redaction
  at        INTEGER NOT NULL,  -- microseconds
  PRIMARY KEY (tenant, namespace, call)
) STRICT, WITHOUT ROWID;

CREATE TABLE touched (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id  INTEGER NOT NULL  -- of the version
) STRICT;

CREATE TABLE vectors (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,  -- of the change that wrote it
  id        INTEGER NOT NULL,                   -- of the version
  model     TEXT NOT NULL,
  dimension INTEGER NOT NULL,                   -- 0: the model refuses the version
  vector    BLOB NOT NULL,                      -- float32, little endian, unit length
  UNIQUE (id, model)
) STRICT;

CREATE INDEX vectors_by_scope ON vectors (model, id >> 32, seq);

CREATE INDEX vectors_refused ON vectors (model) WHERE dimension = 0;

CREATE TABLE versions (
  id             INTEGER PRIMARY KEY,  -- scope << 32 | sequence
  tenant         TEXT NOT NULL,
  object_id      TEXT NOT NULL,
  version        INTEGER NOT NULL,
  fact_id        TEXT NOT NULL,
  slot           TEXT,                 -- of the claim; NULL: no claim
  subject        TEXT,                 -- of the claim, normalised
  content_key    TEXT NOT NULL,        -- digest of the normalised content
  object_type    TEXT NOT NULL,
  classification INTEGER NOT NULL,     -- rank, 0 is public
  allow_roles    TEXT,                 -- JSON array; NULL: any role
  deny_roles     TEXT,                 -- JSON array; NULL: none
  status         TEXT NOT NULL,        -- contradiction status when the version began
  archived       INTEGER NOT NULL,     -- 0 or 1
  valid_from     INTEGER NOT NULL,     -- microseconds since 1970, UTC
  valid_until    INTEGER,              -- microseconds; NULL: still
  tx_start       INTEGER NOT NULL,     -- microseconds
  tx_end         INTEGER,              -- microseconds; NULL: still
  closing        TEXT,                 -- JSON: how the version ended; set with tx_end
  last_confirmed INTEGER NOT NULL,     -- microseconds
  session        TEXT,                 -- in which it was said; NULL: none
  position       INTEGER NOT NULL,     -- place in its session within the scope, from 1; 0: no session
  object         TEXT NOT NULL, due INTEGER, last_used INTEGER, domains TEXT, source_kind TEXT,        -- JSON of the whole object as it was inserted
  UNIQUE (tenant, object_id, version)
) STRICT;

CREATE INDEX versions_by_content ON versions (content_key);

CREATE INDEX versions_by_due ON versions (due) WHERE due IS NOT NULL AND tx_end IS NULL;

CREATE INDEX versions_by_fact ON versions (fact_id);

CREATE INDEX versions_by_link ON versions (closing ->> 'supersession_link') WHERE closing ->> 'supersession_link' IS NOT NULL;

CREATE INDEX versions_by_place ON versions (session, position) WHERE session IS NOT NULL;

CREATE INDEX versions_by_slot ON versions (slot, subject) WHERE slot IS NOT NULL;

CREATE INDEX versions_by_subject ON versions (subject) WHERE subject IS NOT NULL;

CREATE TRIGGER versions_counted AFTER INSERT ON versions BEGIN
  INSERT INTO quota_use (tenant, quota, used)
  VALUES (new.tenant, 'memories', 1)
  ON CONFLICT DO UPDATE SET used = used + excluded.used;
END;

CREATE INDEX versions_derived ON versions (id) WHERE object ->> 'derived_from' IS NOT NULL;

CREATE TRIGGER versions_discounted AFTER DELETE ON versions BEGIN
  UPDATE quota_use
  SET used = used - 1
  WHERE tenant = old.tenant AND quota = 'memories';
END;

CREATE TRIGGER versions_gone AFTER DELETE ON versions BEGIN
  INSERT INTO touched (id) VALUES (old.id);
  DELETE FROM touched WHERE seq <= (SELECT max(seq) FROM touched) - 4096;
END;

CREATE INDEX versions_held ON versions (
  id >> 32, tx_start, object_type, classification, valid_from, valid_until, status, archived, version, allow_roles, deny_roles
) WHERE tx_end IS NULL;

CREATE INDEX versions_standing ON versions (object_type, id)
WHERE tx_end IS NULL AND object_type IN ('policy_rule', 'tool_schema', 'actionable_constraint', 'preference');

CREATE TRIGGER versions_touched AFTER UPDATE ON versions BEGIN
  INSERT INTO touched (id) VALUES (new.id);
  DELETE FROM touched WHERE seq <= (SELECT max(seq) FROM touched) - 4096;
END;
