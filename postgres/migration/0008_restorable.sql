-- Two indexes use this function. Its body is bound to the functions of its schema when it is made: pg_restore makes the indexes of a backup without a
-- search path, where a body of text would not find them.
CREATE OR REPLACE FUNCTION text_at(document TEXT, VARIADIC path TEXT[]) RETURNS TEXT
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN kept(readable(document) #>> path);
