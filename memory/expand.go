package memory

import (
	"context"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/ranking"
)

// The bounds of the search for statements in other words than the question's, where not all are candidates.
const (
	mostNearTerms = 24
	mostNear      = 100 // candidates
)

// withNear adds statements that hold words near those of the question. A brief is of the topic that it is asked for in so many words, and turns
// of conversations are ranked by their own.
func (s *recaller) withNear(ctx context.Context, q Query, asked ranking.Question, found *ranking.Found) error {
	talk := len(found.Candidates) > 0 && !slices.ContainsFunc(found.Candidates, ranking.Candidate.IsStatement)
	if asked.Request.Brief || talk {
		return nil
	}
	terms := asked.NearTerms(mostNearTerms)
	if len(terms) == 0 {
		return nil
	}
	near, err := s.Store.Search(ctx, q, terms, mostNear)
	if err != nil {
		return err
	}
	found.Candidates = joined(found.Candidates, near.Candidates)
	return nil
}

// joined returns the candidates with those of more that are not among them.
func joined(candidates, more []ranking.Candidate) []ranking.Candidate {
	held := make(map[ctxmcp.VersionKey]bool, len(candidates))
	for _, c := range candidates {
		held[ctxmcp.KeyOf(*c.Object)] = true
	}
	for _, c := range more {
		if !held[ctxmcp.KeyOf(*c.Object)] {
			candidates = append(candidates, c)
		}
	}
	return candidates
}
