package memory

import (
	"context"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// Restore takes back that an object was displaced, or retired on request: the time that it lost last is its own again, as far as no other claim of its
// slot holds it. The object that displaced it stays.
//
// It returns CodeNotFound for an object that the caller cannot see, CodeConflict for one that was not displaced or whose
// time another claim holds, and CodeDenied for a caller that cannot decide for a user, or not on this object.
func (s *reviewer) Restore(ctx context.Context, by ctxmcp.Caller, id string) (Settled, error) {
	if by.Authority > ctxmcp.AuthorityUser {
		return Settled{}, ctxmcp.Errorf(ctxmcp.CodeDenied, "to restore a memory is for the user to decide").
			WithHint("ask the user to decide it with ctx-mcp review restore")
	}
	id, err := s.fullID(ctx, by, id)
	if err != nil {
		return Settled{}, err
	}
	err = s.commit(ctx, func() (*Change, error) {
		versions, err := s.versions(ctx, by, id)
		if err != nil {
			return nil, err
		}
		for _, v := range versions {
			if err := mayEnd(by, v); err != nil {
				return nil, err
			}
		}
		return s.planRestore(ctx, by, id, versions)
	})
	if err != nil {
		return Settled{}, err
	}
	return Settled{ID: id, Decision: "restore", Effect: "it is held again, as it was before"}, nil
}

func (s *reviewer) planRestore(ctx context.Context, by ctxmcp.Caller, id string, versions []ctxmcp.ContextObject) (*Change, error) {
	lost, rest := lastLoss(versions)
	if len(lost) == 0 {
		return nil, ctxmcp.Errorf(ctxmcp.CodeConflict, "object %s was not displaced", id).
			WithHint("memory_history shows what became of it")
	}
	lineage, err := s.lineage(ctx, by, versions)
	if err != nil {
		return nil, err
	}
	at := later(s.now(), versions)
	c := &Change{Audit: []Event{{At: at, Tenant: by.Tenant, User: by.User, Action: "restore", ObjectID: id}}}
	for _, v := range lost {
		free, cutBy, err := s.docket.unclaimed(ctx, c, v, versions)
		if err != nil {
			return nil, err
		}
		if cutBy != "" {
			return nil, ctxmcp.Errorf(ctxmcp.CodeConflict, "object %s holds in its place", cutBy).WithHint("forget that one first")
		}
		for _, i := range free {
			o := part(v, i, ctxmcp.Clean)
			if v.Closing.Reason == string(Retire) {
				o.ContradictionStatus = v.ContradictionStatus // it was held with it
			}
			o.TxStart, o.SupersessionLink = at, ""
			c.Insert = append(c.Insert, o)
		}
	}
	for _, v := range rest {
		c.Close = append(c.Close, Closing{v.TenantID, ctxmcp.KeyOf(v), at, ctxmcp.Closing{Status: v.ContradictionStatus, Reason: "restored"}})
	}
	renumber(c.Insert, lineage)
	c.Confirm = []Confirmation{{by.Tenant, id, at}}
	s.outcomes(by, c, WasConfirmed, at, id)
	return c, nil
}

// lastLoss returns the versions that were displaced last, and the rest of them.
func lastLoss(versions []ctxmcp.ContextObject) (lost, rest []ctxmcp.ContextObject) {
	var at time.Time
	for _, v := range versions {
		displaced := v.Closing != nil && v.Closing.Link != "" && v.Closing.Link != v.ObjectID
		retired := v.Closing != nil && v.Closing.Reason == string(Retire)
		if (displaced || retired) && v.TxEnd.After(at) {
			at = v.TxEnd
		}
	}
	for _, v := range versions {
		switch {
		case at.IsZero():
		case v.TxEnd.Equal(at):
			lost = append(lost, v)
		case v.TxEnd.IsZero():
			rest = append(rest, v)
		}
	}
	if slices.ContainsFunc(rest, func(v ctxmcp.ContextObject) bool { return !v.TxStart.Equal(at) }) {
		return nil, nil // it went on since: there is no way back to before
	}
	return lost, rest
}
