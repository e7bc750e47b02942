package sqlite

import (
	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

// only returns the tenants of an operation on the rows of one. The empty name stands for the rows that belong to no tenant: tokens and keys.
func only(tenant string) func() []string { return func() []string { return []string{tenant} } }

// owners returns a tenant of each of some values.
func owners[T any](tenants []string, all []T, of func(T) string) []string {
	for _, one := range all {
		tenants = append(tenants, of(one))
	}
	return tenants
}

// tenantsOf returns the tenants whose rows a change counts on or touches.
func tenantsOf(c memory.Change) (all []string) {
	all = owners(all, c.Expect, func(e memory.Expectation) string { return e.Query.Tenant })
	all = owners(all, c.Close, func(cl memory.Closing) string { return cl.Tenant })
	all = owners(all, c.Insert, func(o ctxmcp.ContextObject) string { return o.TenantID })
	all = owners(all, c.Confirm, func(f memory.Confirmation) string { return f.Tenant })
	all = owners(all, c.Unconfirmed, func(f memory.Confirmation) string { return f.Tenant })
	all = owners(all, c.Mark, func(m memory.Marking) string { return m.Tenant })
	all = owners(all, c.Use, func(u memory.Use) string { return u.Tenant })
	all = owners(all, c.Postpone, func(p memory.Postponement) string { return p.Tenant })
	all = owners(all, c.Ask, func(r memory.Review) string { return r.Tenant })
	all = owners(all, c.Settle, func(s memory.Settlement) string { return s.Tenant })
	all = owners(all, c.Erase, func(e memory.Erasure) string { return e.Tenant })
	all = owners(all, c.Vectors, func(v memory.Vector) string { return v.Tenant })
	all = owners(all, c.Audit, tenantOfEvent)
	if c.Replay != nil {
		all = append(all, c.Replay.Key.Tenant)
	}
	return append(all, tenantsOfEntities(c.Entities)...)
}

func tenantsOfEntities(c entities.Change) (all []string) {
	all = owners(all, c.Expect, func(e entities.Expectation) string { return e.Query.Tenant })
	all = owners(all, c.Close, func(cl entities.Closing) string { return cl.Tenant })
	all = owners(all, c.Insert, func(e entities.Entity) string { return e.Tenant })
	return owners(all, c.Mention, func(r entities.Reference) string { return r.Tenant })
}

// tenantsOfArtifacts returns the tenants whose rows a change of artifacts counts on or touches.
func tenantsOfArtifacts(c artifacts.Change) (all []string) {
	all = owners(all, c.Insert, func(a ctxmcp.Artifact) string { return a.TenantID })
	all = owners(all, c.Remove, func(k artifacts.Key) string { return k.Tenant })
	all = owners(all, c.Answers, func(a artifacts.Answer) string { return a.Tenant })
	all = owners(all, c.Pins, func(p artifacts.Pin) string { return p.Tenant })
	return owners(all, c.Audit, tenantOfEvent)
}

// tenantsOfPackets returns the tenants whose rows a change of packets counts on or touches.
func tenantsOfPackets(c packets.Change) (all []string) {
	all = owners(all, c.Insert, func(r packets.Record) string { return r.Tenant })
	all = owners(all, c.Pins, func(p artifacts.Pin) string { return p.Tenant })
	all = owners(all, c.Remove, func(k packets.Key) string { return k.Tenant })
	return owners(all, c.Audit, tenantOfEvent)
}

func tenantOfEvent(e ctxmcp.Event) string { return e.Tenant }
