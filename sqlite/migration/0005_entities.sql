-- The registry of entities: names as nodes, with versions that are immutable but for their end.

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

-- The search keys of open versions.
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
