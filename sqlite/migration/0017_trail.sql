-- The lines of the audit trail of one person, the latest first.
CREATE INDEX audit_by_person ON audit (tenant, user);
