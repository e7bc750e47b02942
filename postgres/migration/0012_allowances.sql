-- The messages of callers, where a rate bounds them on all servers together. Unlogged: a crash of the database forgets them.
CREATE UNLOGGED TABLE allowances (
  tenant TEXT COLLATE "C" NOT NULL,
  "user" TEXT COLLATE "C" NOT NULL,
  due    DOUBLE PRECISION NOT NULL,  -- when all that was taken is earned again, in seconds of the clock of the database
  PRIMARY KEY (tenant, "user")
);
ALTER TABLE allowances ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON allowances USING ((SELECT all_seen()) OR tenant = ANY ((SELECT tenants_seen())::text[]));

-- Gives messages back, and takes at most those that are wanted out of a bucket that holds burst of them and earns one each `every` seconds: the generic
-- cell rate algorithm (ITU-T I.371). Where it takes none, wait is the time until there is one, in seconds.
CREATE FUNCTION take_messages(of_tenant TEXT, of_user TEXT, every DOUBLE PRECISION, burst BIGINT, want BIGINT, back BIGINT,
  OUT granted BIGINT, OUT wait DOUBLE PRECISION)
LANGUAGE plpgsql
AS $$
DECLARE
  held    DOUBLE PRECISION;
  instant DOUBLE PRECISION;
  used    DOUBLE PRECISION;
BEGIN
  PERFORM set_config('ctx_mcp.tenants', json_build_array(of_tenant)::text, true);
  LOOP
    SELECT due INTO held FROM allowances WHERE tenant = of_tenant AND "user" = of_user FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO allowances (tenant, "user", due) VALUES (of_tenant, of_user, 0) ON CONFLICT DO NOTHING;
  END LOOP;
  instant := extract(epoch FROM clock_timestamp());
  held := greatest(held - back * every, instant);
  used := (held - instant) / every;
  granted := greatest(0, least(want, floor(burst - used + 0.000001)::bigint));
  wait := CASE WHEN granted = 0 THEN (used + 1 - burst) * every ELSE 0 END;
  UPDATE allowances SET due = held + granted * every WHERE tenant = of_tenant AND "user" = of_user;
END
$$;

-- Drops the callers who have all their messages.
CREATE FUNCTION forget_allowances() RETURNS VOID
LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM set_config('ctx_mcp.all', 'yes', true);
  DELETE FROM allowances WHERE due < extract(epoch FROM clock_timestamp());
END
$$;
