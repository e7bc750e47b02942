-- A second fence between tenants. Each transaction names the tenants whose rows it is about; other rows are not there for it. The owner of the tables
-- is not bound by it: it is for servers that connect as another role.

-- The tenants that a transaction is about. Once it has ended, its setting is an empty text on the connection, which names nobody.
CREATE FUNCTION tenants_seen() RETURNS TEXT[]
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT ARRAY(SELECT value FROM list_of(nullif(current_setting('ctx_mcp.tenants', true), ''))) $$;

-- Whether a transaction is about all tenants: the upkeep, and what they share.
CREATE FUNCTION all_seen() RETURNS BOOLEAN
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT coalesce(current_setting('ctx_mcp.all', true), '') = 'yes' $$;

-- Tokens have no fence: a token is looked up before it is known whose it is.
DO $$
DECLARE
  name TEXT;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'action_log', 'action_sessions', 'artifact_pins', 'artifacts', 'audit', 'entities', 'entity_references', 'experiences', 'packet_parts', 'packets',
    'prefixes', 'quota_use', 'receipt_sessions', 'receipts', 'replays', 'reviews', 'scopes', 'task_states', 'tool_answers', 'versions'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY of_tenant ON %I USING ((SELECT all_seen()) OR tenant = ANY ((SELECT tenants_seen())::text[]))', name);
  END LOOP;
END
$$;
