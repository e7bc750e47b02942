-- Touches of several tenants are committed in any order, so that the last number says nothing of those before it. Copies in memory follow each scope by
-- its own numbers, which have the order of the commits: a scope has one writer at a time. A writer drops old touches of its own scopes alone, and waits
-- for no other tenant's.
CREATE INDEX touched_by_scope ON touched ((id >> 32), seq);

CREATE OR REPLACE FUNCTION touch_version() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
  touched_id BIGINT := coalesce(new.id, old.id);
  number     BIGINT;
BEGIN
  INSERT INTO touched (id) VALUES (touched_id) RETURNING seq INTO number;
  DELETE FROM touched WHERE id >> 32 = touched_id >> 32 AND seq <= number - 4096;
  RETURN NULL;
END
$$;
