-- The versions that were changed or erased after their insertion, the last 4,096 of them: by its number, copies in memory follow each change,
-- whichever process made it.
CREATE TABLE touched (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id  INTEGER NOT NULL  -- of the version
) STRICT;

CREATE TRIGGER versions_touched AFTER UPDATE ON versions BEGIN
  INSERT INTO touched (id) VALUES (new.id);
  DELETE FROM touched WHERE seq <= (SELECT max(seq) FROM touched) - 4096;
END;

CREATE TRIGGER versions_gone AFTER DELETE ON versions BEGIN
  INSERT INTO touched (id) VALUES (old.id);
  DELETE FROM touched WHERE seq <= (SELECT max(seq) FROM touched) - 4096;
END;
