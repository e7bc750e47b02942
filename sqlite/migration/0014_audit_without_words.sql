-- The audit trail said of an artifact where it came from in full, which may be a question about a memory that is erased by now. The scheme
-- stays. What the pages still hold of the rest goes with the next erasure, which is owed.
UPDATE audit
SET detail = substr(detail, 1, instr(detail, ':') - 1)
WHERE action = 'put_artifact' AND instr(detail, ':') > 0;

INSERT INTO erasures DEFAULT VALUES;
