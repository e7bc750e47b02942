package memory

import (
	"maps"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// redact hides the secrets of every text and returns what was found, by label. If the pass fails, the draft is of no use.
func (d *Draft) redact(hide *redact.Pass) []redact.Finding {
	var all []redact.Finding
	for _, t := range d.texts() {
		var found []redact.Finding
		*t.text, found = hide.Text(*t.text)
		all = append(all, found...)
	}
	return merge(append(all, d.redactClaim(hide)...))
}

// redactClaim hides what only the whole claim tells: a value may be a secret because of its predicate. A claim whose
// parts cannot be told apart afterwards is left out.
func (d *Draft) redactClaim(hide *redact.Pass) []redact.Finding {
	hidden, found := hide.Text(d.Claim.String())
	if len(found) == 0 {
		return nil
	}
	parts := strings.Split(hidden, " | ")
	value, rest := strings.CutPrefix(hidden, d.Claim.Subject+" | "+d.Claim.Predicate+" | ")
	switch {
	case rest:
		d.Claim.Value = value
	case len(parts) == 3:
		d.Claim = ctxmcp.Claim{Subject: parts[0], Predicate: parts[1], Value: parts[2]}
	default:
		d.Claim = ctxmcp.Claim{}
	}
	return found
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
