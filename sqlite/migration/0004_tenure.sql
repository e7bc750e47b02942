ALTER TABLE versions ADD COLUMN due INTEGER;        -- microseconds; when its life may end, at the earliest; NULL: never by rule
ALTER TABLE versions ADD COLUMN last_used INTEGER;  -- microseconds; NULL: never
ALTER TABLE versions ADD COLUMN domains TEXT;       -- JSON array of the web domains it was learned from; NULL: none

UPDATE versions
SET due = tx_start
WHERE tx_end IS NULL AND (object ->> '$.layer' IN ('session', 'task') OR object ->> '$.decay_rule' IS NOT NULL
  OR valid_until IS NOT NULL AND coalesce(object ->> '$.retirement_rule', 'archive') <> 'archive');

CREATE INDEX versions_by_due ON versions (due) WHERE due IS NOT NULL AND tx_end IS NULL;

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

CREATE UNIQUE INDEX reviews_open ON reviews (tenant, namespace, kind, subjects) WHERE settled IS NULL;
