package inmem

import (
	"context"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

var _ packets.Store = (*Store)(nil)

// FindPackets implements packets.Store.
func (s *Store) FindPackets(_ context.Context, q packets.Query) ([]packets.Record, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return selected(s.packets, q.Match, copyRecord, q.Sort), nil
}

func copyRecord(r packets.Record) packets.Record {
	r.Objects, r.Artifacts, r.Derived = slices.Clone(r.Objects), slices.Clone(r.Artifacts), slices.Clone(r.Derived)
	return r
}

// ApplyPackets implements packets.Store.
func (s *Store) ApplyPackets(_ context.Context, c packets.Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range c.Insert {
		for _, id := range r.Objects {
			if !slices.ContainsFunc(s.rows, func(o ctxmcp.ContextObject) bool { return o.TenantID == r.Tenant && o.ObjectID == id }) {
				return packets.Vanished()
			}
		}
	}
	fresh := s.fresh(c.Insert)
	if err := s.room(packets.Claims(fresh)); err != nil {
		return err
	}
	for _, r := range fresh {
		s.packets = append(s.packets, copyRecord(r))
	}
	s.moveOn(c.Insert)
	s.pin(c.Pins)
	for _, k := range c.Remove {
		s.packets = slices.DeleteFunc(s.packets, func(r packets.Record) bool { return r.Tenant == k.Tenant && r.Ref == k.Ref })
		s.pins = slices.DeleteFunc(s.pins, func(p artifacts.Pin) bool { return p.Tenant == k.Tenant && p.Holder == packets.Holder(k.Ref) })
	}
	s.audit = append(s.audit, c.Audit...)
	return nil
}

// moveOn gives packets that are held the instant at which they were made again.
func (s *Store) moveOn(made []packets.Record) {
	for _, r := range made {
		for i := range s.packets {
			if held := &s.packets[i]; held.Tenant == r.Tenant && held.Ref == r.Ref && !held.Erased && r.Created.After(held.Created) {
				held.Created = r.Created
			}
		}
	}
}

// fresh returns the records that are not held, each once.
func (s *Store) fresh(records []packets.Record) []packets.Record {
	var fresh []packets.Record
	for _, r := range records {
		same := func(held packets.Record) bool { return held.Tenant == r.Tenant && held.Ref == r.Ref }
		if !slices.ContainsFunc(s.packets, same) && !slices.ContainsFunc(fresh, same) {
			fresh = append(fresh, r)
		}
	}
	return fresh
}

// pin keeps pins, of one holder on one artifact the last.
func (s *Store) pin(pins []artifacts.Pin) {
	for _, p := range pins {
		s.pins = slices.DeleteFunc(s.pins, func(held artifacts.Pin) bool {
			return held.Tenant == p.Tenant && held.Artifact == p.Artifact && held.Holder == p.Holder
		})
		s.pins = append(s.pins, p)
	}
}

// erasePackets marks the packets made of an object, directly or through artifacts, and removes these artifacts.
func (s *Store) erasePackets(e memory.Erasure) {
	doomed := func(r packets.Record, gone []string) bool {
		return slices.Contains(r.Objects, e.ObjectID) ||
			slices.ContainsFunc(r.Artifacts, func(id string) bool { return slices.Contains(gone, id) })
	}
	var gone, holders []string
	for more := true; more; {
		more = false
		for i, r := range s.packets {
			if r.Tenant != e.Tenant || slices.Contains(holders, packets.Holder(r.Ref)) || !doomed(r, gone) {
				continue
			}
			s.packets[i].Erased, more = true, true
			gone, holders = append(gone, r.DerivedIDs()...), append(holders, packets.Holder(r.Ref))
		}
	}
	s.artifacts = slices.DeleteFunc(s.artifacts, func(a ctxmcp.Artifact) bool { return a.TenantID == e.Tenant && slices.Contains(gone, a.ID) })
	s.pins = slices.DeleteFunc(s.pins, func(p artifacts.Pin) bool {
		return p.Tenant == e.Tenant && (slices.Contains(gone, p.Artifact) || slices.Contains(holders, p.Holder))
	})
}

// CrowdedPackets implements packets.Store.
func (s *Store) CrowdedPackets(_ context.Context, most int) ([]artifacts.Home, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	count := map[artifacts.Home]int{}
	var crowded []artifacts.Home
	for _, r := range s.packets {
		h := artifacts.Home{Tenant: r.Tenant, Namespace: r.Home.Namespace()}
		if count[h]++; count[h] == most+1 {
			crowded = append(crowded, h)
		}
	}
	slices.SortFunc(crowded, artifacts.CompareHomes)
	return crowded, nil
}

// holdsPacket reports whether the digest names a packet that is held, or the policy of one.
func (s *Store) holdsPacket(digest string) bool {
	return slices.ContainsFunc(s.packets, func(r packets.Record) bool { return r.Ref == digest && !r.Erased || r.PolicyDigest == digest })
}
