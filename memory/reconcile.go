package memory

import (
	"cmp"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// reconcile reconciles the new object with the claims that conflict with it. It fills the plan with the versions to close and
// to insert; the new object's pieces come first and have no id yet.
//
// Only the time that two claims share is contested. The claims are taken from the highest authority down; the next one does
// not contest the time that one of them takes. The rest of a displaced valid time stays true and is inserted again; a claim
// still begins where it first began, not where such a rest of it does.
func (p *plan) reconcile(conflicting []ctxmcp.ContextObject, d Draft, lineage []ctxmcp.ContextObject) error {
	c := reconciliation{plan: p, free: []ctxmcp.Interval{p.object.Valid()}}
	slices.SortStableFunc(conflicting, func(a, b ctxmcp.ContextObject) int { return cmp.Compare(a.Authority, b.Authority) })
	for _, r := range conflicting {
		forced := r.ObjectID == d.Supersedes
		if err := p.mayReplace(r); forced && err != nil {
			return err
		}
		if r.ContradictionStatus == ctxmcp.Disputed && !forced {
			continue
		}
		ruling := ruling{newHolds, ctxmcp.Overridden, "superseded"}
		if !forced {
			ruling = arbitrate(dispute{p.object, r, begin(r, lineage), !d.ValidFrom.IsZero(), p.object.TxStart, p.alike(r)})
		}
		if shared := overlap(c.free, r.Valid()); len(shared) > 0 {
			if ruling.verdict == newHolds {
				p.standFor(r)
			}
			c.apply(ruling, r, shared)
		} else if joins := overlap(c.contested, r.Valid()); len(joins) > 0 && ruling.verdict == neither {
			c.quarantine(r, joins)
		}
	}
	return c.finish()
}

// standFor lets the new object stand as high as the held one that it takes the place of: a system of record that brings a claim up
// to date speaks with the authority of whoever named it, so that nothing that stands lower undoes it.
func (p *plan) standFor(r ctxmcp.ContextObject) {
	if r.Authority.Outranks(p.object.Authority) {
		p.object.Authority, p.object.UpdatePath = r.Authority, cmp.Or(p.object.UpdatePath, r.UpdatePath)
	}
}

// reconciliation is a plan while its object is reconciled with one conflicting claim after another.
type reconciliation struct {
	*plan
	free        []ctxmcp.Interval      // of the new object, where nothing contests it
	contested   []ctxmcp.Interval      // where nobody can decide
	marked      []ctxmcp.ContextObject // its pieces that lost, or that nobody can decide on
	rest        []ctxmcp.ContextObject // versions of conflicting claims to insert again
	why         string                 // it lost
	open        []string               // objects in a true contradiction with it
	cutBy       string                 // object that cut its valid time short
	quarantined int                    // conflicting claims no stronger than it that are quarantined already
}

func (c *reconciliation) apply(ruling ruling, r ctxmcp.ContextObject, shared []ctxmcp.Interval) {
	switch ruling.verdict {
	case newHolds:
		c.displace(r, shared, ruling.mark)
	case heldHolds:
		c.lose(ruling.mark, r, shared)
		if c.why == "" && ruling.mark != "" {
			c.why = "it contradicts object " + r.ObjectID + ": " + ruling.reason
		}
	case neither:
		c.lose(ctxmcp.Quarantined, r, shared)
		c.contested = append(c.contested, shared...)
		c.quarantine(r, shared)
	}
	if quarantined(r) && !r.Authority.Outranks(c.object.Authority) {
		c.quarantined++
	}
	if ruling.verdict == heldHolds && quarantined(r) && alike(r.Claim, c.object.Claim) && !slices.Contains(c.open, r.ObjectID) {
		c.open = append(c.open, r.ObjectID) // it takes a side in an open conflict
	}
}

// quarantine quarantines a conflicting claim for the time that nobody can decide on.
func (c *reconciliation) quarantine(r ctxmcp.ContextObject, shared []ctxmcp.Interval) {
	c.displace(r, shared, ctxmcp.Quarantined)
	for _, i := range shared {
		c.rest = append(c.rest, part(r, i, ctxmcp.Quarantined))
	}
	if !slices.Contains(c.open, r.ObjectID) {
		c.open = append(c.open, r.ObjectID)
	}
}

// lose takes the shared time from the new object, which keeps it under a mark, or not at all.
func (c *reconciliation) lose(mark ctxmcp.ContradictionStatus, r ctxmcp.ContextObject, shared []ctxmcp.Interval) {
	c.free, c.cutBy = subtract(c.free, r.Valid()), r.ObjectID
	for _, i := range shared {
		if mark != "" {
			c.marked = append(c.marked, part(c.object, i, mark))
		}
	}
}

// mostQuarantined bounds the claims that a slot keeps quarantined and that stand no higher than a new one: a source that keeps
// contradicting must not make every later write slow.
const mostQuarantined = 30

// finish fills the plan with the versions to insert and the status of the new object. A piece that another object cut short
// links to it. It returns CodeTooLarge for one more contradiction where many are set aside.
func (c *reconciliation) finish() error {
	if c.quarantined >= mostQuarantined && len(c.free) == 0 {
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "%d claims that contradict what is held are set aside in this slot already", c.quarantined).
			WithHint("review or forget them; memory_history of the claim's subject shows them")
	}
	for _, i := range c.free {
		o := part(c.object, i, ctxmcp.Clean)
		if !i.To.Equal(c.object.ValidUntil) {
			o.SupersessionLink = c.cutBy
		}
		c.change.Insert = append(c.change.Insert, o)
	}
	c.change.Insert = append(append(c.change.Insert, c.marked...), c.rest...)
	for i := range c.change.Insert {
		c.change.Insert[i].TxStart = c.object.TxStart
	}
	cut := len(c.free) > 1 || len(c.free) == 1 && !c.free[0].To.Equal(c.object.ValidUntil)
	switch {
	case len(c.open) > 0:
		c.status = Quarantine
		c.reason = "it contradicts object " + c.open[0] + ", and nothing tells which holds: neither is recalled until that is reviewed"
		c.contradicts = c.open
	case c.why != "":
		c.status, c.reason = Quarantine, c.why+"; it is kept, and not recalled"
	case len(c.displaced) > 0:
		c.status, c.reason = Superseded, "it replaces what was held before"
	case cut:
		c.reason = "new for the time before what is already held"
	}
	return nil
}

// displace closes a conflicting claim under its new mark, and keeps its rest outside the shared time.
func (c *reconciliation) displace(r ctxmcp.ContextObject, shared []ctxmcp.Interval, mark ctxmcp.ContradictionStatus) {
	c.after(r.TxStart)
	c.change.Close = append(c.change.Close, Closing{
		Tenant: r.TenantID, Key: ctxmcp.KeyOf(r), TxEnd: c.object.TxStart, Closing: ctxmcp.Closing{Status: mark, Reason: closingReasons[mark]},
	})
	if d := (Displaced{r.ObjectID, r.Content, mark}); !c.holdsUntil(r) && !slices.Contains(c.displaced, d) {
		c.displaced = append(c.displaced, d)
	}
	left := []ctxmcp.Interval{r.Valid()}
	for _, i := range shared {
		left = subtract(left, i)
	}
	for _, i := range left {
		c.rest = append(c.rest, part(r, i, r.ContradictionStatus))
	}
}

// closingReasons maps the new status of a version to the reason for which it ended.
var closingReasons = map[ctxmcp.ContradictionStatus]string{
	ctxmcp.Overridden: "superseded", ctxmcp.Disputed: "disputed", ctxmcp.Quarantined: "contradicted",
}
