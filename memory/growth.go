package memory

import (
	"maps"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/quota"
)

// Claims returns the amounts that c would add to the holdings of its tenants. A change that stores no version that is recalled,
// because it forgets, archives, confirms or settles, claims nothing: it can always be made. Its growth is bounded by earlier
// claims, for an archived version takes the place of another, and of one memory one question of a kind is open.
func (c Change) Claims() []quota.Claim {
	type growth struct{ inserted, recalled, closed, asked int64 }
	of := map[string]*growth{}
	at := func(tenant string) *growth {
		if of[tenant] == nil {
			of[tenant] = &growth{}
		}
		return of[tenant]
	}
	for _, o := range c.Insert {
		at(o.TenantID).inserted++
		if !o.Archived {
			at(o.TenantID).recalled++
		}
	}
	for _, cl := range c.Close {
		at(cl.Tenant).closed++
	}
	for _, r := range c.Ask {
		at(r.Tenant).asked++
	}
	for _, e := range c.Settle {
		at(e.Tenant).asked--
	}
	var claims []quota.Claim
	for _, tenant := range slices.Sorted(maps.Keys(of)) {
		g := of[tenant]
		if g.recalled == 0 {
			continue
		}
		claims = append(claims,
			quota.Claim{Tenant: tenant, Name: quota.Memories, Add: g.inserted, Correct: g.closed > 0},
			quota.Claim{Tenant: tenant, Name: quota.Reviews, Add: g.asked})
	}
	return claims
}
