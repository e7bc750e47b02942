package actions

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// scopeExpansion is the seed's rule: no declared scope, no finding. A scope names tools, or the first word of their names.
func scopeExpansion(v *view) []ctxmcp.Finding {
	scope := v.start.Request.ExpectedScope
	if len(scope) == 0 {
		return nil
	}
	for _, c := range v.calls {
		if !slices.ContainsFunc(scope, func(s string) bool { return covers(s, c.Tool) }) {
			return finds(saidOutOfScope, c.Tool, strings.Join(scope, ", "))
		}
	}
	return nil
}

// covers reports whether a word of a scope stands for the tool: "crm" for crm, crm_query and crm.query.
func covers(scope, tool string) bool {
	scope, tool = strings.ToLower(scope), strings.ToLower(tool)
	rest, ok := strings.CutPrefix(tool, scope)
	return ok && (rest == "" || strings.IndexByte("_-./:", rest[0]) >= 0)
}

// classificationEscalation is the seed's rule: the highest class accessed is above what the request expects. Where neither the request nor the
// action says a class there is no evidence: what is not known would be above everything, always.
func classificationEscalation(v *view) []ctxmcp.Finding {
	expected := v.start.Request.ExpectedClassification
	if expected == "" {
		if v.declared == "" {
			return nil
		}
		expected = ctxmcp.PublicData
	}
	top := v.tally.top()
	for _, c := range v.calls {
		top = highest(top, v.opts.classify(c.Tool, v.declared))
	}
	if top == "" || top.Rank() <= expected.Rank() {
		return nil
	}
	return finds(saidClass, string(top), string(expected))
}

// unusualSequence finds an action that reaches out, that the user did not ask for, and that comes right after a read.
func unusualSequence(v *view) []ctxmcp.Finding {
	last, read := v.known.LastRead()
	if !read || v.known.Delegates() {
		return nil
	}
	for _, c := range v.calls {
		if v.known.Unrequested(c) {
			return finds(saidUnasked, c.Tool, last)
		}
	}
	return nil
}

// drift compares the mean distance, this action included, with the threshold of the configuration. Requests and actions share few words in any
// case, so a distance in words says something only where it jumps within the session.
func drift(v *view) []ctxmcp.Finding {
	mean := v.mean()
	if mean <= *v.opts.DriftThreshold || v.start.Distance == lexical && !v.jumped() {
		return nil
	}
	return finds(saidDrift, hundredths(mean), v.start.Distance, hundredths(*v.opts.DriftThreshold))
}

const (
	jumpActions = 3    // the latest, which are compared with those before; there are as many of these at least
	jumpHeight  = 0.25 // by which their mean is above that of those before
)

// jumped reports whether the latest actions, this one included, are much farther from the request than those before.
func (v *view) jumped() bool {
	n := v.tally.actions + 1 - jumpActions
	if n < jumpActions || len(v.entries) < jumpActions-1 {
		return false
	}
	latest := v.distance
	for _, e := range v.entries[len(v.entries)-(jumpActions-1):] {
		latest += e.Distance
	}
	before := v.tally.distance + v.distance - latest
	return latest/jumpActions-before/float64(n) >= jumpHeight
}

// longChain warns of a long chain.
func longChain(v *view) []ctxmcp.Finding {
	if n := v.tally.actions + 1; n > v.opts.ChainWarning {
		return finds(saidLong, strconv.Itoa(n), strconv.Itoa(v.opts.ChainWarning))
	}
	return nil
}

// endlessChain finds a chain over its limit.
func endlessChain(v *view) []ctxmcp.Finding {
	if n := v.tally.actions + 1; n > v.opts.ChainLimit {
		return finds(saidTooLong, strconv.Itoa(n), strconv.Itoa(v.opts.ChainLimit))
	}
	return nil
}
