-- The changes of the last hour, each by a name that no other one ever gets. The number of a transaction is no such name: a database that crashed hands out
-- again the numbers of the transactions that it lost.
CREATE TABLE commits (
  name UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  lost BOOLEAN NOT NULL DEFAULT false,  -- whoever asked for it first found that it was not there
  made TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
);

-- Names the change that a transaction makes. Now and then it drops the names of long ago: nobody asks for one an hour later.
CREATE FUNCTION name_change() RETURNS TEXT
LANGUAGE plpgsql
AS $$
DECLARE
  given UUID;
BEGIN
  IF pg_current_xact_id()::text::bigint % 1024 = 0 THEN
    DELETE FROM commits WHERE name IN (SELECT name FROM commits WHERE made < clock_timestamp() - interval '1 hour' FOR UPDATE SKIP LOCKED);
  END IF;
  INSERT INTO commits DEFAULT VALUES RETURNING name INTO given;
  RETURN given;
END
$$;
