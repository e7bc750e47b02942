package memory

import (
	"maps"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// redacted returns the draft without the secrets in its texts, and the findings by label. If the pass fails, the clean draft
// is of no use.
func (d Draft) redacted(hide *redact.Pass) (clean Draft, found []redact.Finding) {
	clean = d
	for _, t := range clean.texts() {
		text, inText := hide.Text(*t.text)
		*t.text, found = text, append(found, inText...)
	}
	claim, inClaim := redactedClaim(clean.Claim, hide)
	clean.Claim = claim
	return clean, merge(append(found, inClaim...))
}

// redactedClaim hides a secret that only the whole claim shows: a value may be one because of its predicate. A claim whose
// parts cannot be told apart afterwards is left out.
func redactedClaim(c ctxmcp.Claim, hide *redact.Pass) (ctxmcp.Claim, []redact.Finding) {
	hidden, found := hide.Text(c.String())
	if len(found) == 0 {
		return c, nil
	}
	parts := strings.Split(hidden, " | ")
	value, rest := strings.CutPrefix(hidden, c.Subject+" | "+c.Predicate+" | ")
	switch {
	case rest:
		c.Value = value
		return c, found
	case len(parts) == 3:
		return ctxmcp.Claim{Subject: parts[0], Predicate: parts[1], Value: parts[2]}, found
	default:
		return ctxmcp.Claim{}, found
	}
}

// merge adds up the findings of one label, in the order of the labels.
func merge(found []redact.Finding) []redact.Finding {
	counts := map[string]int{}
	for _, f := range found {
		counts[f.Label] += f.Count
	}
	var all []redact.Finding
	for _, label := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, redact.Finding{Label: label, Count: counts[label]})
	}
	return all
}
