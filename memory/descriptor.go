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
			if i > 1 && others.Has(words[i-2]) {
				found = append(found, other)
			}
		}
		if behind := i + len(strings.Fields(name)); i > 0 && others.Has(words[i-1]) && (behind >= len(words) || following.Has(words[behind])) {
			found = append(found, other)
		}
		if i+2 < len(words) && (words[i+1] == "my" || words[i+1] == "our" || words[i+1] == "from") && (words[i+1] == "from" || kinds.Has(words[i+2])) {
			found = append(found, words[i+2])
		}
	}
	return found
}

// kinds are words for what somebody is to the speaker.
var kinds = language.Changes.Row("kin")

// other stands among descriptors for a word that tells somebody from the first of a name: "my other friend Tom", "another Tom".
const other = "other"

// others are the words for it, and following those that follow a name of which something is said.
var others, following = language.Changes.Row("otherness"), language.Changes.Row("following")

// isOther reports whether two texts, the later one first, use a name of two persons: each describes its bearer, and not in the same words, or the
// later one alone says that it is another of the name.
func isOther(a, b, name string) bool {
	one, two := descriptors(a, name), descriptors(b, name)
	if slices.Contains(one, other) && !slices.Contains(two, other) {
		return true
	}
	one, two = slices.DeleteFunc(one, isWordOther), slices.DeleteFunc(two, isWordOther)
	return len(one) > 0 && len(two) > 0 && !slices.ContainsFunc(one, func(d string) bool { return slices.Contains(two, d) })
}

func isWordOther(descriptor string) bool { return descriptor == other }

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
