-- The versions that were ended by an object, by its id.
CREATE INDEX versions_by_link ON versions (closing ->> 'supersession_link') WHERE closing ->> 'supersession_link' IS NOT NULL;
