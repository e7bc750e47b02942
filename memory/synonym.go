package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/analysis"
	"github.com/ctx-mcp/ctx-mcp/entities"
)

// synonym is another name of what a question names, as terms: a memory that holds all of the other holds what was asked.
type synonym struct {
	asked, other []string
}

// The bounds of what a question is widened by: names in it, and other names of each.
const (
	widenedNames = 4
	otherNames   = 6
)

// searchNames searches for the terms of a question, and for the other names of what it names. What is found under another
// name holds the terms that were asked for.
func (s *Service) searchNames(ctx context.Context, q Query, question string, terms []string, most int) (Found, []synonym, error) {
	names, err := s.synonyms(ctx, q, question)
	if err != nil {
		return Found{}, nil, err
	}
	found, err := s.Store.Search(ctx, q, terms, most)
	if err != nil {
		return Found{}, nil, err
	}
	names = slices.DeleteFunc(names, func(n synonym) bool { return n.speaks(found.Authors) })
	if len(names) == 0 {
		return found, nil, nil
	}
	if found, err = s.Store.Search(ctx, q, widened(terms, names), most); err != nil {
		return Found{}, nil, err
	}
	translate(&found, names)
	return found, names, nil
}

// speaks reports whether the name is that of an author: what an author is called stands in greetings.
func (s synonym) speaks(authors []string) bool {
	return slices.ContainsFunc(authors, func(author string) bool {
		parts := analysis.Terms(author)
		return slices.ContainsFunc(s.asked, func(t string) bool { return slices.Contains(parts, t) })
	})
}

// synonyms returns the other names of what the question names, from the place that is searched. Names that were only
// retrieved widen no question, an ambiguous name is not widened, and neither is a search below a prefix: it has no place.
func (s *Service) synonyms(ctx context.Context, where Query, question string) ([]synonym, error) {
	if s.Entities == nil || len(where.Namespaces) == 0 {
		return nil, nil
	}
	mentions := entities.Extract(question)
	mentions = mentions[:min(len(mentions), widenedNames)]
	if len(mentions) == 0 {
		return nil, nil
	}
	q := entities.Query{View: entities.View{Tenant: where.Tenant, Namespaces: where.Namespaces, Roles: where.Roles, Clearance: where.Clearance}}
	q.Keys = entities.NameKeys(mentions)
	found, err := s.Entities.Lookup(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("look up entities: %w", err)
	}
	known := entities.NewKnown(found, nil)
	var all []synonym
	for _, m := range mentions {
		roots := known.Named(m.Form, m.Key)
		if len(roots) != 1 {
			continue
		}
		all = append(all, widen(m, namesOf(known, roots[0].ID, ctxmcp.AuthorityUser))...)
	}
	return all, nil
}

// widen returns the names that have other terms than the mention.
func widen(m entities.Mention, names []string) []synonym {
	asked := analysis.Query(m.Text)
	var all []synonym
	for _, name := range names {
		other := analysis.Query(name)
		same := slices.ContainsFunc(all, func(s synonym) bool { return slices.Equal(s.other, other) })
		if len(other) > 0 && !same && !slices.Equal(other, asked) && len(all) < otherNames {
			all = append(all, synonym{asked, other})
		}
	}
	return all
}

// widened returns the terms with those of the synonyms.
func widened(terms []string, synonyms []synonym) []string {
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

// translate lets what was found under another name count as what was asked. A name that nothing holds is as frequent as the
// rarest of the other name's terms.
func translate(found *Found, synonyms []synonym) {
	translateEach(found.Candidates, synonyms)
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

// translateEach adds what was asked to the terms of the candidates that hold another name of it.
func translateEach(candidates []Candidate, synonyms []synonym) {
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
