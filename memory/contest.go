package memory

import (
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
)

// contest reconciles the new object with its rivals. It fills the plan with the versions to close and to insert; the new
// object's pieces come first and have no id yet. supersedes is the id of the rival that the caller named; line holds
// every version of the rivals.
//
// Authority decides first: what is outranked never displaces. Between equals the claim that begins later holds from then
// on, whenever it was recorded, so that a backdated correction and a late arrival both land where they belong. What is
// left of a displaced valid time stays true and is inserted again; a claim still begins where it first began, not where
// such a rest of it does.
func (p *plan) contest(rivals []ctxmcp.ContextObject, supersedes string, line []ctxmcp.ContextObject) error {
	pieces := []ctxmcp.Interval{p.object.Valid()}
	var remainders []ctxmcp.ContextObject
	for _, r := range rivals {
		forced := r.ObjectID == supersedes
		if !forced && !overlapsAny(pieces, r.Valid()) {
			continue
		}
		switch {
		case r.Authority.Outranks(p.object.Authority):
			if forced {
				return outranked(r)
			}
			p.quarantine(r)
			return nil
		case forced, p.object.Authority.Outranks(r.Authority), !p.object.ValidFrom.Before(begin(r, line)):
			remainders = append(remainders, p.displace(r, pieces)...)
		default:
			pieces = subtract(pieces, r.Valid())
		}
	}
	for _, piece := range pieces {
		o := p.object
		o.ValidFrom, o.ValidUntil = piece.From, piece.To
		p.change.Insert = append(p.change.Insert, o)
	}
	p.change.Insert = append(p.change.Insert, remainders...)
	p.settle(len(pieces))
	return nil
}

// begin returns when the claim of o began: with the earliest version of its object.
func begin(o ctxmcp.ContextObject, line []ctxmcp.ContextObject) time.Time {
	from := o.ValidFrom
	for _, v := range line {
		if v.ObjectID == o.ObjectID && v.ValidFrom.Before(from) {
			from = v.ValidFrom
		}
	}
	return from
}

// displace closes a rival and returns what is left of it outside the pieces, as versions to insert.
func (p *plan) displace(r ctxmcp.ContextObject, pieces []ctxmcp.Interval) []ctxmcp.ContextObject {
	p.after(r.TxStart)
	p.change.Close = append(p.change.Close, Closing{
		Tenant: r.TenantID, Key: KeyOf(r), TxEnd: p.object.TxStart,
		Closing: ctxmcp.Closing{Status: ctxmcp.Overridden, Reason: "superseded"},
	})
	if d := (Displaced{r.ObjectID, ctxmcp.Overridden}); !slices.Contains(p.displaced, d) {
		p.displaced = append(p.displaced, d)
	}
	left := []ctxmcp.Interval{r.Valid()}
	for _, piece := range pieces {
		left = subtract(left, piece)
	}
	var rest []ctxmcp.ContextObject
	for _, i := range left {
		o := r
		o.ValidFrom, o.ValidUntil, o.TxStart, o.TxEnd, o.Closing = i.From, i.To, p.object.TxStart, time.Time{}, nil
		rest = append(rest, o)
	}
	return rest
}

// after moves the plan's transaction time past t, so that no version ends before it began, even if the clock stood still
// or was set back.
func (p *plan) after(t time.Time) {
	if p.object.TxStart.After(t) {
		return
	}
	p.object.TxStart = t.Add(time.Microsecond)
	for i := range p.change.Close {
		p.change.Close[i].TxEnd = p.object.TxStart
	}
}

// quarantine stores the new object beside a rival that outranks it, out of every recall.
func (p *plan) quarantine(r ctxmcp.ContextObject) {
	p.object.ContradictionStatus = ctxmcp.Quarantined
	p.change.Close, p.displaced = nil, nil
	p.change.Insert = []ctxmcp.ContextObject{p.object}
	p.status = Quarantine
	p.reason = "it contradicts object " + r.ObjectID + ", which stands on higher authority; it is kept, and not recalled"
}

// settle says what became of the new object.
func (p *plan) settle(pieces int) {
	for i := range p.change.Insert {
		p.change.Insert[i].TxStart = p.object.TxStart
	}
	switch {
	case len(p.displaced) > 0:
		p.status, p.reason = Superseded, "it replaces what was held before"
	case pieces > 1 || pieces == 1 && !p.change.Insert[0].ValidUntil.Equal(p.object.ValidUntil):
		p.reason = "new for the time before what is already held"
	}
}

// outranked is the answer to a request to replace what stands on higher authority.
func outranked(r ctxmcp.ContextObject) error {
	return ctxmcp.Errorf(ctxmcp.CodeDenied, "object %s stands on higher authority than this source", r.ObjectID).
		WithHint("if the user said so, set source.kind to user_statement; otherwise ask the user")
}

func overlapsAny(pieces []ctxmcp.Interval, i ctxmcp.Interval) bool {
	for _, p := range pieces {
		if p.Overlaps(i) {
			return true
		}
	}
	return false
}

func subtract(pieces []ctxmcp.Interval, i ctxmcp.Interval) []ctxmcp.Interval {
	var rest []ctxmcp.Interval
	for _, p := range pieces {
		rest = append(rest, p.Subtract(i)...)
	}
	return rest
}
