ALTER TABLE versions ADD COLUMN source_kind TEXT;  -- of the object; NULL: an older server wrote it

UPDATE versions
SET source_kind = object ->> 'source_kind';

-- The versions that were derived from others, which are few.
CREATE INDEX versions_derived ON versions (id) WHERE object ->> 'derived_from' IS NOT NULL;
