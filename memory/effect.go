package memory

import (
	"context"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/extract"
)

// deed is what an act of a new object does to an object that is held.
type deed struct {
	object ctxmcp.ContextObject
	act    extract.Act
}

// actsUpTo is the weakest authority whose words act on anything: what was retrieved states, and changes nothing.
const actsUpTo = ctxmcp.AuthorityInferred

// reading returns what the words of an object say, as far as they are heard: a caller that gives a claim or names what
// is superseded has said it all, and what was retrieved says nothing.
func reading(o ctxmcp.ContextObject, d Draft) extract.Reading {
	if !d.Claim.IsZero() || d.Supersedes != "" || o.Authority > actsUpTo {
		return extract.Reading{}
	}
	return extract.Read(o.Content)
}

// deeds returns what the plan's object does to what was said before.
func (s *writer) deeds(ctx context.Context, by ctxmcp.Caller, p *plan, reading extract.Reading) ([]deed, error) {
	if s.Options.IgnoreActs {
		return nil, nil
	}
	var deeds []deed
	for _, act := range reading.Acts {
		found, err := s.concerned(ctx, by, p.object, act, reading)
		if err != nil {
			return nil, err
		}
		for _, o := range found {
			if !slices.ContainsFunc(deeds, func(d deed) bool { return ctxmcp.KeyOf(d.object) == ctxmcp.KeyOf(o) }) {
				deeds = append(deeds, deed{o, act})
			}
		}
	}
	var err error
	p.object.Ending, err = s.isEnding(ctx, by, p.object, reading, len(deeds) > 0)
	return deeds, err
}

// Bounds of a text that only tells of an end: a longer one says more than that.
const (
	endingLength = 400 // bytes
	endingAsides = 1   // sentences that say something else
)

// isEnding reports whether an object says only that something is over, or why the end that was told just before came
// about. A thing done is an end only of a thing that was to be done.
func (s *writer) isEnding(ctx context.Context, by ctxmcp.Caller, o ctxmcp.ContextObject, r extract.Reading, effective bool) (bool, error) {
	states := slices.ContainsFunc(r.Stances, func(st extract.Stance) bool { return st.Form != extract.Acquired })
	if len(o.Content) > endingLength || r.Asides > endingAsides || states {
		return false, nil
	}
	for _, act := range r.Acts {
		if act.Kind == extract.Replaces || act.Weak && !effective {
			return false, nil
		}
	}
	if len(r.Acts) > 0 || !r.Continues {
		return len(r.Acts) > 0, nil
	}
	before, err := s.saidBefore(ctx, by, o)
	return len(before) > 0 && before[0].Ending, err
}

// carryOut closes what the deeds concern. What was ended or replaced stays true for the time before; what was withdrawn
// is held no longer for any time.
func (p *plan) carryOut(deeds []deed) {
	if p.status == Quarantine {
		return
	}
	from := ctxmcp.Interval{From: p.object.ValidFrom}
	for _, d := range deeds {
		o := d.object
		if slices.ContainsFunc(p.change.Close, func(c Closing) bool { return c.Key == ctxmcp.KeyOf(o) }) {
			continue
		}
		p.after(o.TxStart)
		p.change.Close = append(p.change.Close, Closing{
			Tenant: o.TenantID, Key: ctxmcp.KeyOf(o), TxEnd: p.object.TxStart,
			Closing: ctxmcp.Closing{Status: ctxmcp.Overridden, Reason: actReasons[d.act.Kind] + " (" + d.act.Form + ")"},
		})
		p.displaced = append(p.displaced, Displaced{o.ObjectID, ctxmcp.Overridden})
		p.status, p.reason = Superseded, "it changes what was held before"
		if d.act.Kind == extract.Withdraws {
			continue
		}
		for _, i := range o.Valid().Subtract(from) {
			p.change.Insert = append(p.change.Insert, part(o, i, o.ContradictionStatus))
		}
	}
	for i := range p.change.Insert {
		p.change.Insert[i].TxStart = p.object.TxStart
	}
}

// actReasons says why a version ended, by what the act was. The words are kept: append only.
var actReasons = map[extract.Kind]string{
	extract.Ends: "ended", extract.Replaces: "replaced", extract.Withdraws: "withdrawn",
}

// objects returns what the deeds concern.
func objects(deeds []deed) []ctxmcp.ContextObject {
	all := make([]ctxmcp.ContextObject, len(deeds))
	for i, d := range deeds {
		all[i] = d.object
	}
	return all
}
