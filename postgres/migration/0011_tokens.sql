-- The fence around tokens. A token is looked up before it is known whose it is: the transaction names the token in place of a tenant, with a colon, which no
-- tenant has. A transaction that names nobody sees tokens too, because servers of the release before look them up in one.
ALTER TABLE tokens ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON tokens USING (
  (SELECT all_seen())
  OR tenant = ANY ((SELECT tenants_seen())::text[])
  OR 'token:' || id = ANY ((SELECT tenants_seen())::text[])
  OR (SELECT cardinality(tenants_seen()) > 0 AND '' = ALL (tenants_seen()))
);
