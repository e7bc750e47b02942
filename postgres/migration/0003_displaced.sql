-- The versions that were ended by an object, by its id.
CREATE INDEX versions_by_link ON versions (text_at(closing, 'supersession_link')) WHERE text_at(closing, 'supersession_link') IS NOT NULL;
