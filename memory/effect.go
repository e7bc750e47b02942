package memory

import (
	"context"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/memory/extract"
)

// effect is an act of a new object on an object that is held.
type effect struct {
	object ctxmcp.ContextObject
	act    extract.Act
	said   *change.Reading // of the object's words; nil: it was not read yet
}

// reading returns the reading of the object's words.
func (e effect) reading() *change.Reading {
	if e.said == nil {
		return change.Read(change.Of(e.object))
	}
	return e.said
}

// actsUpTo is the weakest authority whose words act on anything: a retrieved text states, and changes nothing.
const actsUpTo = ctxmcp.AuthorityInferred

// reading returns the reading of an object's words, as far as they count: a caller that gives a claim or names the object that
// is superseded has said it all, and a retrieved text says nothing.
func reading(o ctxmcp.ContextObject, d Draft) extract.Reading {
	if !d.Claim.IsZero() || d.Supersedes != "" || o.Authority > actsUpTo {
		return extract.Reading{}
	}
	return extract.Read(o.Content)
}

// effects returns the effects of the plan's object on objects that were said before.
func (s *writer) effects(ctx context.Context, by ctxmcp.Caller, p *plan, reading extract.Reading) ([]effect, error) {
	if s.Options.IgnoreActs {
		return nil, nil
	}
	var effects []effect
	for _, act := range reading.Acts {
		found, err := s.matchTarget(ctx, by, p.object, act, reading)
		if err != nil {
			return nil, err
		}
		for _, o := range found {
			if !slices.ContainsFunc(effects, func(d effect) bool { return ctxmcp.KeyOf(d.object) == ctxmcp.KeyOf(o) }) {
				effects = append(effects, effect{object: o, act: act})
			}
		}
	}
	var err error
	p.object.Ending, err = s.isEnding(ctx, by, p.object, reading, len(effects) > 0)
	return effects, err
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

// carryOut closes the objects of the effects. One that was ended or replaced stays true for the time before; one that was
// withdrawn is held no longer for any time.
func (p *plan) carryOut(effects []effect) {
	if p.status == Quarantine {
		return
	}
	from := ctxmcp.Interval{From: p.object.ValidFrom}
	for _, d := range effects {
		o := d.object
		if slices.ContainsFunc(p.change.Close, func(c Closing) bool { return c.Key == ctxmcp.KeyOf(o) }) {
			continue
		}
		p.after(o.TxStart)
		p.change.Close = append(p.change.Close, Closing{
			Tenant: o.TenantID, Key: ctxmcp.KeyOf(o), TxEnd: p.object.TxStart,
			Closing: ctxmcp.Closing{Status: ctxmcp.Overridden, Reason: actReasons[d.act.Kind] + " (" + d.act.Form + ")"},
		})
		if !p.holdsUntil(o) {
			p.displaced = append(p.displaced, Displaced{o.ObjectID, o.Content, ctxmcp.Overridden})
			p.status, p.reason = Superseded, "it changes what was held before"
		}
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

// actReasons maps the kind of an act to the reason for which a version ended. The words are kept: append only.
var actReasons = map[extract.Kind]string{
	extract.Ends: "ended", extract.Replaces: "replaced", extract.Withdraws: "withdrawn",
}

// objects returns the objects of the effects.
func objects(effects []effect) []ctxmcp.ContextObject {
	all := make([]ctxmcp.ContextObject, len(effects))
	for i, d := range effects {
		all[i] = d.object
	}
	return all
}
