-- One vector for each model that a process is configured with, so that two processes with different models do not undo each
-- other's work; numbered by change, so that a copy in memory can follow.
ALTER TABLE vectors RENAME TO vectors_before;
DROP INDEX vectors_by_model;

CREATE TABLE vectors (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,  -- of the change that wrote it
  id        INTEGER NOT NULL,                   -- of the version
  model     TEXT NOT NULL,
  dimension INTEGER NOT NULL,                   -- 0: the model refuses the version
  vector    BLOB NOT NULL,                      -- float32, little endian, unit length
  UNIQUE (id, model)
) STRICT;

CREATE INDEX vectors_by_scope ON vectors (model, id >> 32, seq);
CREATE INDEX vectors_refused ON vectors (model) WHERE dimension = 0;

INSERT INTO vectors (id, model, dimension, vector)
SELECT id, model, dimension, vector
FROM vectors_before
ORDER BY id;

DROP TABLE vectors_before;
