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

CREATE TABLE action_sessions (
  tenant  TEXT NOT NULL,
  user    TEXT NOT NULL,
  session TEXT NOT NULL,
  last    INTEGER NOT NULL,  -- seq of the last record
  until   INTEGER NOT NULL,  -- microseconds; the log is removed then
  PRIMARY KEY (tenant, user, session)
) STRICT, WITHOUT ROWID;

CREATE INDEX action_sessions_by_until ON action_sessions (until);
