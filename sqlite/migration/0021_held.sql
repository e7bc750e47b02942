-- The versions that are held, in the order in which they began: the newest of a scope are found, and those that a caller sees are
-- counted, without the rows.
CREATE INDEX versions_held ON versions (
  id >> 32, tx_start, object_type, classification, valid_from, valid_until, status, archived, version, allow_roles, deny_roles
) WHERE tx_end IS NULL;
