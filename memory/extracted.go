package memory

import (
	"cmp"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/change"
	"github.com/ctx-mcp/ctx-mcp/memory/extract"
)

// propose attaches the claim that the object's text makes, if the caller gave none, the text says nothing else, and the form
// of the claim is sure enough. Nothing is invented: most texts make no such claim.
func (s *writer) propose(o *ctxmcp.ContextObject, r extract.Reading) {
	if len(r.Stances) != 1 || len(r.Acts) > 0 || r.Asides > 0 || r.Stances[0].Confidence < *s.options().MinClaim {
		return
	}
	st := r.Stances[0]
	if st.Subject == extract.Speaker {
		st.Subject = cmp.Or(o.Author, o.UserID)
	}
	c := ctxmcp.Claim{Subject: st.Subject, Predicate: st.Predicate, Value: st.Value}
	if blank(c.Subject) || blank(c.Predicate) || blank(c.Value) {
		return
	}
	o.Claim, o.NormalizedClaim, o.ClaimExtracted = c, c.String(), true
	o.ConfidenceScore = min(o.ConfidenceScore, st.Confidence)
}

// changesPart reports whether the words of the plan's object change a part of a held one, another part of which holds on.
func (p *plan) changesPart(held ctxmcp.ContextObject) bool {
	_, partly := change.Touched(change.Read(change.Of(held)), p.reading())
	return partly
}

// reconcilable returns the conflicting claims that the plan's object may be reconciled with. A claim that was read from a
// text, on either side, only ever gives way to one that began later and stands no lower: it never holds its text back, and
// never contests a claim that a caller made in so many words. Where another part of its text holds on, it is not given up for the one that changes.
func (p *plan) reconcilable(conflicting []ctxmcp.ContextObject) []ctxmcp.ContextObject {
	return slices.DeleteFunc(slices.Clone(conflicting), func(r ctxmcp.ContextObject) bool {
		if !p.object.ClaimExtracted && !r.ClaimExtracted {
			return false
		}
		later := r.ValidFrom.Before(p.object.ValidFrom) && !r.Authority.Outranks(p.object.Authority)
		return !later || p.object.ClaimExtracted && !r.ClaimExtracted || alike(r.Claim, p.object.Claim) || r.ClaimExtracted && p.changesPart(r)
	})
}
