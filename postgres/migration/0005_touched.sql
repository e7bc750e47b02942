-- The versions that were changed or erased after their insertion, the last 4,096 of them: by its number, copies in memory follow each change,
-- whichever process made it.
CREATE TABLE touched (
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id  BIGINT NOT NULL  -- of the version
);

CREATE FUNCTION touch_version() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO touched (id) VALUES (coalesce(new.id, old.id));
  DELETE FROM touched WHERE seq <= (SELECT max(seq) FROM touched) - 4096;
  RETURN NULL;
END
$$;

CREATE TRIGGER versions_touched AFTER UPDATE OR DELETE ON versions
FOR EACH ROW EXECUTE FUNCTION touch_version();
