-- The keys that seal fields, themselves sealed under the key of the installation.
CREATE TABLE data_keys (
  one     INTEGER PRIMARY KEY CHECK (one = 1),
  wrapped BLOB NOT NULL
) STRICT;

-- How many actions of a session wait for a decision.
ALTER TABLE action_sessions ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;

CREATE INDEX action_sessions_waiting ON action_sessions (tenant, user) WHERE waiting > 0;
