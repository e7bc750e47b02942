package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// setAside lists what is held and not recalled because something contradicts it.
var setAside = []ctxmcp.ContradictionStatus{ctxmcp.Quarantined, ctxmcp.Disputed}

// reinstate makes versions clean again. Each gets only the time that no other clean claim of its slot holds by then: a
// decision about one conflict decides no other.
func (s *Service) reinstate(ctx context.Context, by ctxmcp.Caller, c *Change, versions []ctxmcp.ContextObject, at time.Time) error {
	return s.reinstateAs(ctx, by, c, versions, versions, at)
}

// reinstateAs closes the versions and inserts, for each, the one of the same place in anew, clean.
func (s *Service) reinstateAs(ctx context.Context, by ctxmcp.Caller, c *Change, versions, anew []ctxmcp.ContextObject, at time.Time) error {
	line, err := s.line(ctx, by, versions)
	if err != nil {
		return err
	}
	first := len(c.Insert)
	for i, v := range versions {
		free, cutBy, err := s.unclaimed(ctx, c, anew[i], versions)
		if err != nil {
			return err
		}
		c.Close = append(c.Close, Closing{v.TenantID, ctxmcp.KeyOf(v), at, ctxmcp.Closing{Status: v.ContradictionStatus, Reason: "review: it holds"}})
		for _, interval := range free {
			o := part(anew[i], interval, ctxmcp.Clean)
			o.TxStart = at
			switch {
			case o.ValidUntil.IsZero():
				o.SupersessionLink = ""
			case !o.ValidUntil.Equal(anew[i].ValidUntil):
				o.SupersessionLink = cutBy
			}
			c.Insert = append(c.Insert, o)
		}
	}
	renumber(c.Insert[first:], append(line, c.Insert[:first]...))
	return nil
}

// unclaimed returns the time of o in which no clean claim of its slot says otherwise, but for those of the versions
// themselves, and what claims the rest. It makes the change depend on that.
func (s *Service) unclaimed(ctx context.Context, c *Change, o ctxmcp.ContextObject, versions []ctxmcp.ContextObject) (free []ctxmcp.Interval, cutBy string, err error) {
	free = []ctxmcp.Interval{o.Valid()}
	if o.Claim.IsZero() || s.coexists(o.Claim) {
		return free, "", nil
	}
	q := slotQuery(o, ctxmcp.Clean)
	clean, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, "", fmt.Errorf("find what holds in the slot: %w", err)
	}
	c.Expect = append(c.Expect, Expectation{q, keys(clean)})
	for _, held := range clean {
		own := slices.ContainsFunc(versions, func(v ctxmcp.ContextObject) bool { return v.ObjectID == held.ObjectID })
		if !own && !alike(held.Claim, o.Claim) {
			free, cutBy = subtract(free, held.Valid()), held.ObjectID
		}
	}
	return free, cutBy, nil
}

// slotQuery returns the query for what lives in the slot of o with one of the statuses, whoever may see it.
func slotQuery(o ctxmcp.ContextObject, statuses ...ctxmcp.ContradictionStatus) Query {
	return Query{Tenant: o.TenantID, Namespaces: []string{o.Home().Namespace()}, Unrestricted: true, Slots: []string{o.Claim.Slot()},
		Statuses: statuses}
}
