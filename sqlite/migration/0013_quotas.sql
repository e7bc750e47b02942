-- How much each tenant holds of what is bounded by a quota. Triggers keep it in the transaction that changes what it counts, so that
-- no statement can forget it.
CREATE TABLE quota_use (
  tenant TEXT NOT NULL,
  quota  TEXT NOT NULL,     -- memories, artifact_bytes, action_sessions, action_bytes, packets or reviews
  used   INTEGER NOT NULL,  -- things, or bytes
  PRIMARY KEY (tenant, quota)
) STRICT, WITHOUT ROWID;

INSERT INTO quota_use (tenant, quota, used)
SELECT tenant, 'memories', count(*)
FROM versions
GROUP BY tenant;

CREATE TRIGGER versions_counted AFTER INSERT ON versions BEGIN
  INSERT INTO quota_use (tenant, quota, used)
  VALUES (new.tenant, 'memories', 1)
  ON CONFLICT DO UPDATE SET used = used + excluded.used;
END;

CREATE TRIGGER versions_discounted AFTER DELETE ON versions BEGIN
  UPDATE quota_use
  SET used = used - 1
  WHERE tenant = old.tenant AND quota = 'memories';
END;

INSERT INTO quota_use (tenant, quota, used)
SELECT tenant, 'artifact_bytes', sum((artifacts.artifact ->> '$.size_bytes') + coalesce(artifacts.artifact ->> '$.raw_size_bytes', 0) + 1024)
FROM artifacts
GROUP BY tenant;

CREATE TRIGGER artifacts_counted AFTER INSERT ON artifacts BEGIN
  INSERT INTO quota_use (tenant, quota, used)
  VALUES (new.tenant, 'artifact_bytes', (new.artifact ->> '$.size_bytes') + coalesce(new.artifact ->> '$.raw_size_bytes', 0) + 1024)
  ON CONFLICT DO UPDATE SET used = used + excluded.used;
END;

CREATE TRIGGER artifacts_discounted AFTER DELETE ON artifacts BEGIN
  UPDATE quota_use
  SET used = used - ((old.artifact ->> '$.size_bytes') + coalesce(old.artifact ->> '$.raw_size_bytes', 0) + 1024)
  WHERE tenant = old.tenant AND quota = 'artifact_bytes';
END;

INSERT INTO quota_use (tenant, quota, used)
SELECT tenant, 'action_sessions', count(*)
FROM action_sessions
GROUP BY tenant;

CREATE TRIGGER action_sessions_counted AFTER INSERT ON action_sessions BEGIN
  INSERT INTO quota_use (tenant, quota, used)
  VALUES (new.tenant, 'action_sessions', 1)
  ON CONFLICT DO UPDATE SET used = used + excluded.used;
END;

CREATE TRIGGER action_sessions_discounted AFTER DELETE ON action_sessions BEGIN
  UPDATE quota_use
  SET used = used - 1
  WHERE tenant = old.tenant AND quota = 'action_sessions';
END;

INSERT INTO quota_use (tenant, quota, used)
SELECT tenant, 'action_bytes', sum(length(action_log.body))
FROM action_log
GROUP BY tenant;

CREATE TRIGGER action_log_counted AFTER INSERT ON action_log BEGIN
  INSERT INTO quota_use (tenant, quota, used)
  VALUES (new.tenant, 'action_bytes', length(new.body))
  ON CONFLICT DO UPDATE SET used = used + excluded.used;
END;

CREATE TRIGGER action_log_discounted AFTER DELETE ON action_log BEGIN
  UPDATE quota_use
  SET used = used - length(old.body)
  WHERE tenant = old.tenant AND quota = 'action_bytes';
END;

INSERT INTO quota_use (tenant, quota, used)
SELECT tenant, 'packets', count(*)
FROM packets
GROUP BY tenant;

CREATE TRIGGER packets_counted AFTER INSERT ON packets BEGIN
  INSERT INTO quota_use (tenant, quota, used)
  VALUES (new.tenant, 'packets', 1)
  ON CONFLICT DO UPDATE SET used = used + excluded.used;
END;

CREATE TRIGGER packets_discounted AFTER DELETE ON packets BEGIN
  UPDATE quota_use
  SET used = used - 1
  WHERE tenant = old.tenant AND quota = 'packets';
END;

-- Of the reviews those count that are open.
INSERT INTO quota_use (tenant, quota, used)
SELECT tenant, 'reviews', count(*)
FROM reviews
WHERE settled IS NULL
GROUP BY tenant;

CREATE TRIGGER reviews_counted AFTER INSERT ON reviews WHEN new.settled IS NULL BEGIN
  INSERT INTO quota_use (tenant, quota, used)
  VALUES (new.tenant, 'reviews', 1)
  ON CONFLICT DO UPDATE SET used = used + excluded.used;
END;

CREATE TRIGGER reviews_discounted AFTER UPDATE OF settled ON reviews WHEN old.settled IS NULL AND new.settled IS NOT NULL BEGIN
  UPDATE quota_use
  SET used = used - 1
  WHERE tenant = old.tenant AND quota = 'reviews';
END;
