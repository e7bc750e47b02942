package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// askAgain is the time that an object waits for a person's confirmation before it is looked at again.
const askAgain = 30 * 24 * time.Hour

// end is the reason why the life of an object is over. The words are written into the history: append only.
type end string

const (
	faded        end = "faded"
	expired      end = "expired"
	sessionEnded end = "session ended"
	taskEnded    end = "task ended"
)

// retirements maps each rule to its function, which adds the end of an object to the change.
var retirements = map[ctxmcp.RetirementRule]func(s *keeper, ctx context.Context, c *Change, o ctxmcp.ContextObject, why end, at time.Time) error{
	ctxmcp.Archive:                 (*keeper).retireArchive,
	ctxmcp.HardDelete:              (*keeper).retireErase,
	ctxmcp.DemoteToArchival:        (*keeper).retireDemote,
	ctxmcp.TriggerUserConfirmation: (*keeper).retireAsk,
}

// Sweep retires objects that have had their time, at most limit versions: those whose confidence has faded below their
// threshold, those of a session or a task that is over, and those that have expired under a rule that does more than archive.
// An object that a user keeps saying or confirms lives on. The cost grows with the versions that are due, not with all.
func (s *keeper) Sweep(ctx context.Context, limit int) (Swept, error) {
	swept := Swept{ByRule: map[ctxmcp.RetirementRule]int{}}
	err := s.commit(ctx, func() (*Change, error) {
		clear(swept.ByRule)
		now := s.now()
		due, err := s.Store.Due(ctx, now, limit)
		if err != nil {
			return nil, fmt.Errorf("find what is due: %w", err)
		}
		swept.More = len(due) == limit
		if len(due) > 0 { // one tenant at a time: a change of several would wait for the writers of each
			first := due[0].TenantID
			all := len(due)
			due = slices.DeleteFunc(due, func(o ctxmcp.ContextObject) bool { return o.TenantID != first })
			swept.More = swept.More || len(due) < all
		}
		c := &Change{}
		erased := map[string]bool{}
		for _, o := range due {
			if erased[o.TenantID+" "+o.ObjectID] {
				continue
			}
			rule := cmp.Or(o.RetirementRule, ctxmcp.Archive)
			why, next, err := s.over(ctx, o, now)
			if err != nil {
				return nil, err
			}
			if why == "" {
				c.Postpone = append(c.Postpone, Postponement{o.TenantID, ctxmcp.KeyOf(o), next})
				continue
			}
			at := later(now, []ctxmcp.ContextObject{o})
			if err := retirements[rule](s, ctx, c, o, why, at); err != nil {
				return nil, err
			}
			c.Unconfirmed = append(c.Unconfirmed, Confirmation{o.TenantID, o.ObjectID, o.LastConfirmed})
			if rule != ctxmcp.TriggerUserConfirmation {
				if err := s.docket.askAboutConflicting(ctx, c, []ctxmcp.ContextObject{o}, at); err != nil {
					return nil, err
				}
			}
			erased[o.TenantID+" "+o.ObjectID] = rule == ctxmcp.HardDelete
			swept.ByRule[rule]++
		}
		if len(due) == 0 {
			return nil, nil
		}
		return c, nil
	})
	return swept, err
}

// over returns why the life of o is over, or "" and when to look again: the zero time for never.
func (s *keeper) over(ctx context.Context, o ctxmcp.ContextObject, now time.Time) (end, time.Time, error) {
	next := o.FadesAt()
	if o.Faded(now) {
		return faded, next, nil
	}
	if !next.IsZero() && !next.After(now) {
		next = now.Add(time.Minute) // the two differ by rounding
	}
	if o.SupersessionLink == "" && cmp.Or(o.RetirementRule, ctxmcp.Archive) != ctxmcp.Archive && !o.ValidUntil.IsZero() {
		ends, err := s.lastEnd(ctx, o)
		if err != nil || !ends.IsZero() && !ends.After(now) {
			return expired, next, err
		}
		next = earlier(next, ends)
	}
	lasts := layers[o.Layer].ends(s.options())
	if lasts == 0 {
		return "", next, nil
	}
	written, err := s.Store.LastWrite(ctx, o.TenantID, o.Home().Namespace())
	if err != nil {
		return "", next, fmt.Errorf("find the last write: %w", err)
	}
	if o.LastConfirmed.After(written) {
		written = o.LastConfirmed
	}
	if ends := written.Add(lasts); ends.After(now) {
		return "", earlier(next, ends), nil
	}
	if o.Layer == ctxmcp.TaskLayer {
		return taskEnded, next, nil
	}
	return sessionEnded, next, nil
}

// lastEnd returns when the last open piece of the object ends: the zero time if one does not.
func (s *keeper) lastEnd(ctx context.Context, o ctxmcp.ContextObject) (time.Time, error) {
	pieces, err := s.Store.Find(ctx, Query{Tenant: o.TenantID, Everywhere: true, Unrestricted: true, Archived: true, ObjectIDs: []string{o.ObjectID}})
	if err != nil {
		return time.Time{}, fmt.Errorf("find its pieces: %w", err)
	}
	last := o.ValidUntil
	for _, p := range pieces {
		if p.ValidUntil.IsZero() {
			return time.Time{}, nil
		}
		if p.ValidUntil.After(last) {
			last = p.ValidUntil
		}
	}
	return last, nil
}

func (s *keeper) retireArchive(_ context.Context, c *Change, o ctxmcp.ContextObject, why end, at time.Time) error {
	c.Close = append(c.Close, Closing{o.TenantID, ctxmcp.KeyOf(o), at, ctxmcp.Closing{Status: o.ContradictionStatus, Reason: string(why)}})
	c.Audit = append(c.Audit, retired(o, ctxmcp.Archive, why, at))
	return nil
}

func (s *keeper) retireErase(_ context.Context, c *Change, o ctxmcp.ContextObject, why end, at time.Time) error {
	c.Erase = append(c.Erase, Erasure{o.TenantID, o.ObjectID})
	c.Audit = append(c.Audit, retired(o, ctxmcp.HardDelete, why, at))
	return nil
}

func (s *keeper) retireDemote(ctx context.Context, c *Change, o ctxmcp.ContextObject, why end, at time.Time) error {
	q := Query{Tenant: o.TenantID, Everywhere: true, Unrestricted: true, FactIDs: []string{o.FactID}, EveryVersion: true, Archived: true}
	lineage, err := s.Store.Find(ctx, q)
	if err != nil {
		return fmt.Errorf("find versions: %w", err)
	}
	next := reissue(c, o, at, ctxmcp.Closing{Status: o.ContradictionStatus, Reason: string(why)})
	next.Archived = true
	lineage = append(lineage, c.Insert...) // an earlier piece of the same sweep
	inserted := []ctxmcp.ContextObject{next}
	renumber(inserted, lineage)
	c.Insert = append(c.Insert, inserted...)
	c.Audit = append(c.Audit, retired(o, ctxmcp.DemoteToArchival, why, at))
	return nil
}

// retireAsk asks once: an open review goes on, and the object waits.
func (s *keeper) retireAsk(ctx context.Context, c *Change, o ctxmcp.ContextObject, why end, at time.Time) error {
	c.Postpone = append(c.Postpone, Postponement{o.TenantID, ctxmcp.KeyOf(o), at.Add(askAgain)})
	asked := len(c.Ask)
	if err := s.docket.askOnce(ctx, c, Review{Tenant: o.TenantID, Namespace: o.Home().Namespace(), Kind: ConfirmationReview,
		Subjects: []string{o.ObjectID}, Asked: at}); err != nil || len(c.Ask) == asked {
		return err
	}
	c.Audit = append(c.Audit, retired(o, ctxmcp.TriggerUserConfirmation, why, at))
	return nil
}

func retired(o ctxmcp.ContextObject, rule ctxmcp.RetirementRule, why end, at time.Time) Event {
	return Event{At: at, Tenant: o.TenantID, User: o.UserID, Action: "retire." + string(rule), ObjectID: o.ObjectID, Detail: string(why)}
}
