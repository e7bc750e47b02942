package postgres

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Binding tells whether row-level security keeps the tenants apart for a role.
type Binding struct {
	Role string
	Open []string // tables with a tenant and without row-level security
	Past []string // the ways in which the role gets past it, such as "it owns the tables"; none: it is bound
}

// ways are the reasons for which a role is not bound.
const ways = `
SELECT current_user::text,
  coalesce((
    SELECT string_agg(c.relname::text, ' ' ORDER BY c.relname) FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attname = 'tenant' AND NOT c.relrowsecurity), ''),
  r.rolsuper, r.rolbypassrls,
  EXISTS (
    SELECT 1 FROM pg_class AS c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relrowsecurity AND NOT c.relforcerowsecurity
      AND pg_has_role(c.relowner, 'USAGE'))
FROM pg_roles AS r
WHERE r.rolname = current_user`

// BindingAt asks the database at an address about the role of that address. It returns CodeUnavailable if it cannot be asked.
func BindingAt(ctx context.Context, address string) (Binding, error) {
	c, err := config(address)
	if err != nil {
		return Binding{}, err
	}
	db, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return Binding{}, unusable(address, err)
	}
	var b Binding
	var open string
	var past [3]bool
	err = db.QueryRow(ctx, ways).Scan(&b.Role, &open, &past[0], &past[1], &past[2])
	if err := errors.Join(err, db.Close(ctx)); err != nil {
		return Binding{}, unusable(address, err)
	}
	b.Open = strings.Fields(open)
	for i, way := range []string{"it is a superuser", "it has BYPASSRLS", "it owns the tables"} {
		if past[i] {
			b.Past = append(b.Past, way)
		}
	}
	return b, nil
}
