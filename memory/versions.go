package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// versions returns every version of an object of the caller's, wherever it lives. It returns CodeNotFound if the caller
// can see none.
func (s *Core) versions(ctx context.Context, by ctxmcp.Caller, id string) ([]ctxmcp.ContextObject, error) {
	q := ownedBy(by)
	q.ObjectIDs, q.EveryVersion, q.Archived = []string{id}, true, true
	all, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find %s: %w", id, err)
	}
	if len(all) == 0 {
		return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no such object: %s", ctxmcp.Clip(id, ctxmcp.MaxIDLength)).
			WithHint("ids come from remember, recall and memory_history")
	}
	return all, nil
}

// lineage returns every version of the facts that the objects belong to.
func (s *Core) lineage(ctx context.Context, by ctxmcp.Caller, objects []ctxmcp.ContextObject) ([]ctxmcp.ContextObject, error) {
	if len(objects) == 0 {
		return nil, nil
	}
	q := ownedBy(by)
	q.EveryVersion, q.Archived = true, true
	for _, o := range objects {
		q.FactIDs = append(q.FactIDs, o.FactID)
	}
	lineage, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find versions: %w", err)
	}
	return lineage, nil
}

// openOf returns the versions that the system still holds.
func openOf(versions []ctxmcp.ContextObject) []ctxmcp.ContextObject {
	return slices.DeleteFunc(slices.Clone(versions), func(v ctxmcp.ContextObject) bool { return !v.TxEnd.IsZero() })
}

// ended is the error for an object without an open version. Its hint names the object to use instead.
func (s *Core) ended(ctx context.Context, by ctxmcp.Caller, id string, versions []ctxmcp.ContextObject) *ctxmcp.Error {
	last := versions[len(versions)-1]
	reason := "no reason is kept"
	if last.Closing != nil {
		reason = last.Closing.Reason
	}
	e := ctxmcp.Errorf(ctxmcp.CodeConflict, "object %s has ended at %s (%s)", id, last.TxEnd.Format(time.RFC3339Nano), reason)
	if link := last.LinkNow(); link != "" {
		said, _ := s.successor(ctx, by, link)
		return e.WithHint("%s", said)
	}
	return e.WithHint("memory_history shows its versions")
}

// successor names the object that took the place of another, and the remedy for who wants to replace it. The caller may see that object no longer.
func (s *Core) successor(ctx context.Context, by ctxmcp.Caller, link string) (said, remedy string) {
	if _, err := s.versions(ctx, by, link); ctxmcp.CodeOf(err) == ctxmcp.CodeNotFound {
		return "the object that took its place is erased", "remember it anew, without supersedes"
	}
	return fmt.Sprintf("object %s took its place", link), "supersede that one"
}

// later returns an instant of transaction time after every version's beginning: now, unless the clock was set back.
func later(now time.Time, versions []ctxmcp.ContextObject) time.Time {
	for _, v := range versions {
		if !v.TxStart.Before(now) {
			now = v.TxStart.Add(time.Microsecond)
		}
	}
	return now
}

// begin returns when the claim of o began: with the earliest version of its object.
func begin(o ctxmcp.ContextObject, lineage []ctxmcp.ContextObject) time.Time {
	from := o.ValidFrom
	for _, v := range lineage {
		if v.ObjectID == o.ObjectID && v.ValidFrom.Before(from) {
			from = v.ValidFrom
		}
	}
	return from
}

// part returns o for a part of its valid time.
func part(o ctxmcp.ContextObject, i ctxmcp.Interval, status ctxmcp.ContradictionStatus) ctxmcp.ContextObject {
	o.ValidFrom, o.ValidUntil, o.ContradictionStatus = i.From, i.To, status
	o.TxEnd, o.Closing = time.Time{}, nil
	return o
}

// overlap returns the parts of the pieces that lie in i.
func overlap(pieces []ctxmcp.Interval, i ctxmcp.Interval) []ctxmcp.Interval {
	var shared []ctxmcp.Interval
	for _, piece := range pieces {
		if piece.Overlaps(i) {
			shared = append(shared, piece.Intersect(i))
		}
	}
	return shared
}

func subtract(pieces []ctxmcp.Interval, i ctxmcp.Interval) []ctxmcp.Interval {
	var rest []ctxmcp.Interval
	for _, p := range pieces {
		rest = append(rest, p.Subtract(i)...)
	}
	return rest
}

// reissue closes a version and returns it as it is to be inserted again.
func reissue(c *Change, o ctxmcp.ContextObject, at time.Time, closing ctxmcp.Closing) ctxmcp.ContextObject {
	c.Close = append(c.Close, Closing{o.TenantID, ctxmcp.KeyOf(o), at, closing})
	o.TxStart, o.TxEnd, o.Closing = at, time.Time{}, nil
	return o
}

// renumber gives inserted versions the numbers after the last of their facts. lineage holds every version of these.
func renumber(insert, lineage []ctxmcp.ContextObject) {
	last := map[string]int{}
	for _, v := range lineage {
		last[v.FactID] = max(last[v.FactID], v.Version)
	}
	for i := range insert {
		last[insert[i].FactID]++
		insert[i].Version = last[insert[i].FactID]
	}
}

// contradictedStatuses lists the statuses of objects that are held and not recalled because something contradicts them.
var contradictedStatuses = []ctxmcp.ContradictionStatus{ctxmcp.Quarantined, ctxmcp.Disputed}

// contradicted reports whether o is held and contradicted.
func contradicted(o ctxmcp.ContextObject) bool {
	return slices.Contains(contradictedStatuses, o.ContradictionStatus)
}

func quarantined(o ctxmcp.ContextObject) bool { return o.ContradictionStatus == ctxmcp.Quarantined }
