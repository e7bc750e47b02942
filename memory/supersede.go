package memory

import (
	"cmp"
	"context"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// target returns the open versions of the object that the draft supersedes, and the draft at the home of that object
// unless it names a home of its own.
func (s *writer) target(ctx context.Context, by ctxmcp.Caller, d Draft, now time.Time) ([]ctxmcp.ContextObject, Draft, error) {
	if d.Supersedes == "" {
		return nil, d, nil
	}
	versions, err := s.versions(ctx, by, d.Supersedes)
	if err != nil {
		return nil, d, err
	}
	open := openOf(versions)
	if len(open) == 0 {
		return nil, d, s.ended(ctx, by, d.Supersedes, versions)
	}
	if err := operatorsOnly(by, open[0]); err != nil {
		return nil, d, err
	}
	home := open[0].Home()
	if d.Level == "" {
		d.Level = open[0].Layer
		if d.Level.Bound(d.Scope) != home {
			d.Scope = home
		}
	}
	if d.level().Bound(d.Scope) != home {
		return nil, d, ctxmcp.Errorf(ctxmcp.CodeInvalid, "object %s lives in %s, not in %s", d.Supersedes,
			home.Namespace(), d.level().Bound(d.Scope).Namespace()).
			WithHint("leave level out to replace it where it lives")
	}
	return open, d, s.current(ctx, by, versions, ctxmcp.Interval{From: d.validFrom(now), To: ctxmcp.Instant(d.ValidUntil)})
}

// current returns CodeConflict if the object has been replaced for all of the time that is to be claimed anew: its rest is
// its past, and to replace that would leave two truths for the present.
func (s *writer) current(ctx context.Context, by ctxmcp.Caller, versions []ctxmcp.ContextObject, claimed ctxmcp.Interval) error {
	link := ""
	for _, o := range versions {
		if o.TxEnd.IsZero() && o.Valid().Overlaps(claimed) {
			return nil
		}
		link = cmp.Or(o.LinkNow(), link)
	}
	if link == "" {
		return nil
	}
	said, remedy := s.successor(ctx, by, link)
	return ctxmcp.Errorf(ctxmcp.CodeConflict, "object %s has been replaced", versions[0].ObjectID).WithHint("%s: %s", said, remedy)
}
