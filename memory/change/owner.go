package change

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// Owners of a statement.
const self = "self"

// ownerOf returns the person that a statement is about: the first person, somebody by a role ("my sister"), or a name that it begins with.
func ownerOf(tokens []token) string {
	for i, t := range tokens[:min(len(tokens), 4)] {
		switch t.lower {
		case "i", "we", "i'm":
			return self
		case "my", "our":
			for _, u := range tokens[i+1 : min(len(tokens), i+4)] {
				if kin.Has(u.lower) {
					return u.lower
				}
			}
			return self
		}
	}
	if len(tokens) > 1 && titles.Has(tokens[0].lower) && !language.Determiners.Has(tokens[0].lower) && tokens[1].value == name {
		return tokens[1].lower
	}
	if len(tokens) > 0 && isGiven(tokens[0]) {
		return tokens[0].lower
	}
	return ""
}

func isGiven(t token) bool { return t.value == name || givenNames.Has(t.lower) }

// kin are words for a person by their relation to the speaker, roles those for one by their work, and titles stand before names.
var kin, roles, titles = language.Changes.Row("kin"), language.Changes.Row("role"), language.Titles

// longestRole is the number of words within which a statement names its person by name and role.
const longestRole = 6

// calledBy returns the name of the person of a statement where a role stands beside it, in one of four ways: "our plumber Ben", "our plumber is Ben",
// "Ben the plumber", "Ben, our plumber". "" if there is no name.
func calledBy(tokens []token) string {
	tokens = tokens[:min(len(tokens), longestRole)]
	of := func(t token) bool { return kin.Has(t.lower) || roles.Has(t.lower) }
	for i, t := range tokens {
		if !of(t) || i == 0 {
			continue
		}
		next := tokens[i+1:]
		if len(next) > 1 && being.Has(next[0].lower) {
			next = next[1:]
		}
		if len(next) > 1 && titles.Has(next[0].lower) {
			next = next[1:]
		}
		behind := slices.ContainsFunc(tokens[:i], func(u token) bool { return u.lower == "my" || u.lower == "our" })
		switch {
		case behind && len(next) > 0 && next[0].value == name:
			return next[0].lower
		case i > 1 && isGiven(tokens[0]) && i-1 <= 2 && language.Determiners.Has(tokens[1].lower):
			return tokens[0].lower
		}
		return ""
	}
	return ""
}

// areOne reports whether both statements are about one person: by the owner, or by the name alone of one who has a role in the other. Two of one name with
// different roles are two.
func areOne(a, b *Reading) bool {
	alone := func(name string, r *Reading) bool {
		return name != "" && name == r.owner && r.byName == "" && !r.described()
	}
	return a.owner == b.owner || alone(a.byName, b) || alone(b.byName, a)
}

// described reports whether the name that the statement begins with is told from others of that name: "Anna from school".
func (r *Reading) described() bool {
	said := r.said()
	return len(said) > 1 && said[0].lower == r.owner && describing.Has(said[1].lower)
}

// describing are the words by which a description follows a name.
var describing = language.Changes.Row("describing")
