-- The browsers that any server has let in to the pages. A cookie that the browser alone has opens what is sealed.
CREATE TABLE visits (
  name   TEXT COLLATE "C" PRIMARY KEY,  -- digest of the cookie
  sealed BYTEA NOT NULL,
  seen   BIGINT NOT NULL                -- in microseconds
);
CREATE INDEX visits_by_seen ON visits (seen);
