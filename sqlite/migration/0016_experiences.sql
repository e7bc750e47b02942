-- What came of a memory for one user: it ranks a little higher or lower for that user later.
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
