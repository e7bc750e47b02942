package sqlite

import "context"

// sightKey is the key of a Sight in a context.
type sightKey struct{}

// Sight is the part of the rows that a read is about. An engine that can keeps all others from it, so that a statement which forgets to name
// its tenant finds nothing of another one. The zero value sees no tenant's rows.
type Sight struct {
	Tenants []string
	All     bool // of the installation: the upkeep, the quotas, the log of receipts, and digests of bytes that tenants may share
}

// SightOf returns the sight of a read by its context.
func SightOf(ctx context.Context) Sight {
	s, _ := ctx.Value(sightKey{}).(Sight)
	return s
}

// seeing returns a context for reads of the rows of one tenant.
func seeing(ctx context.Context, tenant string) context.Context {
	return context.WithValue(ctx, sightKey{}, Sight{Tenants: []string{tenant}})
}

// seeingAll returns a context for reads across tenants.
func seeingAll(ctx context.Context) context.Context {
	return context.WithValue(ctx, sightKey{}, Sight{All: true})
}
