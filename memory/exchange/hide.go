package exchange

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// hide redacts every free text of o and reports whether it found something; pass tells whether that failed. Hiding twice changes nothing more.
func hide(o *ctxmcp.ContextObject, pass *redact.Pass) bool {
	some := false
	redacted := func(t *string) {
		hidden, found := pass.Text(*t)
		some = some || len(found) > 0
		*t = hidden
	}
	for _, t := range texts(o) {
		redacted(t)
	}
	hideClaim(o, redacted)
	return some
}

// texts lists the free texts of o but for its claim. The rest are ids and words of a vocabulary.
func texts(o *ctxmcp.ContextObject) []*string {
	list := []*string{&o.Content, &o.Author, &o.WhyItMatters, &o.BehavioralImplication, &o.SourceOrigin, &o.UpdatePath}
	for i := range o.Aliases {
		list = append(list, &o.Aliases[i])
	}
	if o.Closing != nil {
		list = append(list, &o.Closing.Reason)
	}
	return list
}

// hideClaim redacts the parts of the claim each by itself and then as a whole, which can tell more: a value may be a
// secret because of its predicate. A normalized_claim that is the claim's own stays so.
func hideClaim(o *ctxmcp.ContextObject, redacted func(*string)) {
	own := o.NormalizedClaim == o.Claim.String()
	for _, part := range []*string{&o.Claim.Subject, &o.Claim.Predicate, &o.Claim.Value} {
		redacted(part)
	}
	if own {
		o.NormalizedClaim = o.Claim.String()
	}
	redacted(&o.NormalizedClaim)
	if parts := strings.Split(o.NormalizedClaim, " | "); own && len(parts) == 3 {
		o.Claim = ctxmcp.Claim{Subject: parts[0], Predicate: parts[1], Value: parts[2]}
	}
}
