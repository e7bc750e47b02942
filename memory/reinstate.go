package memory

import (
	"context"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// reinstate makes versions clean again. Each gets only the time that no other clean claim of its slot holds by then: a
// decision about one conflict decides no other.
func (s *reviewer) reinstate(ctx context.Context, by ctxmcp.Caller, c *Change, versions []ctxmcp.ContextObject, at time.Time) error {
	return s.reinstateAs(ctx, by, c, versions, versions, at)
}

// reinstateAs closes the versions and inserts, for each, the one of the same place in anew, clean.
func (s *reviewer) reinstateAs(ctx context.Context, by ctxmcp.Caller, c *Change, versions, anew []ctxmcp.ContextObject, at time.Time) error {
	lineage, err := s.lineage(ctx, by, versions)
	if err != nil {
		return err
	}
	first := len(c.Insert)
	for i, v := range versions {
		free, cutBy, err := s.docket.unclaimed(ctx, c, anew[i], versions)
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
	renumber(c.Insert[first:], append(lineage, c.Insert[:first]...))
	return nil
}
