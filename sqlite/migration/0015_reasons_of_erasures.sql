-- The reasons for which an erased memory was forgotten may have its words. What the pages still hold of them goes with the next erasure,
-- which is owed.
UPDATE audit
SET detail = ''
WHERE action LIKE 'forget.%' AND (tenant, object_id) IN (SELECT tenant, object_id FROM audit WHERE action = 'forget.hard_delete');

INSERT INTO erasures DEFAULT VALUES;
