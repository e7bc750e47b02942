CREATE TABLE erasures (
  seq INTEGER PRIMARY KEY AUTOINCREMENT  -- of an erasure that is committed, while the files may still hold what it erased
) STRICT;
