package memory

import (
	"context"
	"slices"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// searchSaid searches for terms that were read in a text, and for those by which an index that kept both spellings of a word has that text's words. A memory that
// is found by such a term counts as one that holds the term of today.
func (s *Core) searchSaid(ctx context.Context, q Query, text string, terms []string, most int) (ranking.Found, error) {
	older := slices.DeleteFunc(language.OlderTerms(text), func(t string) bool {
		return slices.Contains(terms, t) || !slices.Contains(terms, language.Spelled(t))
	})
	if len(older) == 0 {
		return s.Store.Search(ctx, q, terms, most)
	}
	found, err := s.Store.Search(ctx, q, slices.Concat(terms, older), most)
	if err != nil {
		return found, err
	}
	for _, t := range older {
		if n := found.Frequency[t]; n > 0 {
			found.Frequency[language.Spelled(t)] += n
		}
	}
	return found, nil
}
