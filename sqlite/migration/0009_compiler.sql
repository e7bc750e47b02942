CREATE TABLE prefixes (
  tenant    TEXT NOT NULL,
  namespace TEXT NOT NULL,     -- of the session
  digest    TEXT NOT NULL,     -- of what else begins the prompt
  saved     INTEGER NOT NULL,  -- microseconds
  prefix    TEXT NOT NULL,     -- JSON: ids and versions, without content
  PRIMARY KEY (tenant, namespace, digest)
) STRICT, WITHOUT ROWID;

CREATE INDEX prefixes_by_age ON prefixes (saved);

CREATE INDEX versions_standing ON versions (object_type, id)
WHERE tx_end IS NULL AND object_type IN ('policy_rule', 'tool_schema', 'actionable_constraint', 'preference');
