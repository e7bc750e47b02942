package ranking

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// Synonym is another name of a thing that a question names, as terms: a memory that holds all of the other name holds the
// name that was asked for.
type Synonym struct {
	asked, other []string
}

// otherNames bounds the other names of one mention that widen a question.
const otherNames = 6

// IsAuthor reports whether the name that was asked for is that of an author: the names of authors stand in greetings.
func (s Synonym) IsAuthor(authors []string) bool {
	return slices.ContainsFunc(authors, func(author string) bool {
		parts := language.Terms(author)
		return slices.ContainsFunc(s.asked, func(t string) bool { return slices.Contains(parts, t) })
	})
}

// Synonyms returns the names of a mentioned thing that have other terms than the mention.
func Synonyms(m entities.Mention, names []string) []Synonym {
	asked := language.Query(m.Text)
	var all []Synonym
	for _, name := range names {
		other := language.Query(name)
		same := slices.ContainsFunc(all, func(s Synonym) bool { return slices.Equal(s.other, other) })
		if len(other) > 0 && !same && !slices.Equal(other, asked) && len(all) < otherNames {
			all = append(all, Synonym{asked, other})
		}
	}
	return all
}

// Widen returns the terms with those of the synonyms.
func Widen(terms []string, synonyms []Synonym) []string {
	terms = slices.Clone(terms)
	for _, s := range synonyms {
		for _, t := range s.other {
			if !slices.Contains(terms, t) {
				terms = append(terms, t)
			}
		}
	}
	return terms
}

// Translate lets a candidate that was found under another name count as one that holds the name asked for. A name that nothing holds is as frequent as the
// rarest of the other name's terms.
func Translate(found *Found, synonyms []Synonym) {
	TranslateEach(found.Candidates, synonyms)
	for _, s := range synonyms {
		rarest := found.Frequency[s.other[0]]
		for _, t := range s.other {
			rarest = min(rarest, found.Frequency[t])
		}
		for _, t := range s.asked {
			if found.Frequency[t] == 0 {
				found.Frequency[t] = rarest
			}
		}
	}
}

// TranslateEach adds the terms asked for to those of the candidates that hold another name of it.
func TranslateEach(candidates []Candidate, synonyms []Synonym) {
	for _, s := range synonyms {
		for i, c := range candidates {
			if !slices.ContainsFunc(s.other, func(t string) bool { return !slices.Contains(c.Terms, t) }) {
				candidates[i].Terms = withTerms(c.Terms, s.asked)
			}
		}
	}
}

func withTerms(terms, more []string) []string {
	terms = slices.Clone(terms)
	for _, t := range more {
		if !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	}
	return terms
}
