package memory

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// descriptors returns the words by which a text tells who of a name is meant: "my sister Anna", "Anna, my colleague", "Anna from
// Oslo".
func descriptors(text, name string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" \t\n,.;:!?()\"“”", r) })
	first := strings.ToLower(name)
	if i := strings.IndexByte(first, ' '); i > 0 {
		first = first[:i]
	}
	var found []string
	for i, w := range words {
		if strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s") != first {
			continue
		}
		if i > 0 && kinds.Has(words[i-1]) {
			found = append(found, words[i-1])
		}
		if i+2 < len(words) && (words[i+1] == "my" || words[i+1] == "our" || words[i+1] == "from") && (words[i+1] == "from" || kinds.Has(words[i+2])) {
			found = append(found, words[i+2])
		}
	}
	return found
}

// kinds are words for what somebody is to the speaker.
var kinds = language.Changes.Row("kin")

// isOther reports whether two texts use a name of two persons: each says who is meant, and not in the same words.
func isOther(a, b, name string) bool {
	one, two := descriptors(a, name), descriptors(b, name)
	return len(one) > 0 && len(two) > 0 && !slices.ContainsFunc(one, func(d string) bool { return slices.Contains(two, d) })
}

// tellApart takes those of another person of the same name out of the claims that conflict with the plan's, and names the plan's
// subject by what tells it apart, so that neither takes the other's place.
func (p *plan) tellApart(conflicting []ctxmcp.ContextObject) []ctxmcp.ContextObject {
	subject := p.object.Claim.Subject
	same := slices.DeleteFunc(slices.Clone(conflicting), func(r ctxmcp.ContextObject) bool { return isOther(p.object.Content, r.Content, subject) })
	if len(same) == len(conflicting) {
		return conflicting
	}
	who := descriptors(p.object.Content, subject)[0]
	if !strings.Contains(strings.ToLower(subject), who) {
		p.object.Claim.Subject = who + " " + subject
		p.object.NormalizedClaim = p.object.Claim.String()
		p.warnings = append(p.warnings, fmt.Sprintf("another %s is known: this one is claimed as %q", subject, p.object.Claim.Subject))
	}
	return same
}
