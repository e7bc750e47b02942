-- Writers lock their tenants; they used to lock all tenants at once. The lock that all of them had is shared from here on: a server of the version
-- before, and a change of all tenants, still take it alone.

-- Locks the tenants of a list, in the order of their digests, or all of them if there is no list, and returns the number of the transaction. A
-- transaction whose client is gone ends by itself, and gives its locks back.
CREATE FUNCTION begin_writing(tenants TEXT) RETURNS TEXT
LANGUAGE plpgsql
AS $$
DECLARE
  lock BIGINT;
BEGIN
  PERFORM set_config('lock_timeout', '30s', true), set_config('idle_in_transaction_session_timeout', '30s', true);
  IF tenants IS NULL THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('ctx-mcp writers ' || current_schema(), 0));
  ELSE
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('ctx-mcp writers ' || current_schema(), 0));
    FOR lock IN
      SELECT DISTINCT hashtextextended('ctx-mcp tenant ' || current_schema() || ' ' || value, 0) AS digest FROM list_of(tenants) ORDER BY digest
    LOOP
      PERFORM pg_advisory_xact_lock(lock);
    END LOOP;
  END IF;
  RETURN pg_current_xact_id()::text;
END
$$;

-- Locks something that the writers of all tenants add to.
CREATE FUNCTION lock_shared(what TEXT) RETURNS VOID
LANGUAGE sql
AS $$ SELECT pg_advisory_xact_lock(hashtextextended('ctx-mcp shared ' || current_schema() || ' ' || what, 0)) $$;
