-- The keys that seal fields, themselves sealed under the key of the installation.
CREATE TABLE data_keys (
  one     INTEGER PRIMARY KEY CHECK (one = 1),
  wrapped BLOB NOT NULL
) STRICT;
