package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// widenedNames bounds the names in a question that widen it by their other names.
const widenedNames = 4

// searchNames searches for the terms of a question, and for the other names of the things that it names. A memory found under
// another name counts as one that holds the terms asked for.
func (s *recaller) searchNames(ctx context.Context, q Query, asked ranking.Question, most int) (ranking.Found, []ranking.Synonym, error) {
	names, err := s.synonyms(ctx, q, asked.Mentions)
	if err != nil {
		return ranking.Found{}, nil, err
	}
	found, err := s.searchSaid(ctx, q, asked.Text, asked.Terms, most)
	if err != nil {
		return ranking.Found{}, nil, err
	}
	names = slices.DeleteFunc(names, func(n ranking.Synonym) bool { return n.IsAuthor(found.Authors) })
	if len(names) == 0 {
		return found, nil, nil
	}
	if found, err = s.searchSaid(ctx, q, asked.Text, ranking.Widen(asked.Terms, names), most); err != nil {
		return ranking.Found{}, nil, err
	}
	ranking.Translate(&found, names)
	return found, names, nil
}

// synonyms returns the other names of the things that a question mentions, from the place that is searched. Names that were only
// retrieved widen no question, an ambiguous name is not widened, and neither is a search below a prefix: it has no place.
func (s *recaller) synonyms(ctx context.Context, where Query, mentions []entities.Mention) ([]ranking.Synonym, error) {
	if s.Entities == nil || len(where.Namespaces) == 0 {
		return nil, nil
	}
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
	var all []ranking.Synonym
	for _, m := range mentions {
		roots := known.Named(m.Form, m.Key)
		if len(roots) != 1 {
			continue
		}
		all = append(all, ranking.Synonyms(m, namesOf(known, roots[0].ID, ctxmcp.AuthorityUser))...)
	}
	return all, nil
}
