package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// mostTold is how many of the newest statements are candidates whatever the words of a question are.
const mostTold = 80

// toldTypes are the types of statements that people and agents make of how things are.
var toldTypes = []ctxmcp.ObjectType{ctxmcp.ProjectDecision, ctxmcp.IdentityFact, ctxmcp.InferredBelief}

// told returns the newest statements of people and agents that hold here and now and that nothing else has found. A turn of a conversation that is
// remembered is none of them.
func (s *recaller) told(ctx context.Context, q Query, b *Candidates) ([]ctxmcp.ContextObject, error) {
	held := map[ctxmcp.VersionKey]bool{}
	for _, m := range b.Memories {
		held[ctxmcp.KeyOf(m.Object)] = true
	}
	for _, o := range slices.Concat(b.AlwaysOn, b.OutOfScope) {
		held[ctxmcp.KeyOf(o)] = true
	}
	q.Types, q.Sources, q.Newest, q.Limit = toldTypes, []ctxmcp.SourceKind{ctxmcp.UserStatement, ctxmcp.Inference}, true, mostTold
	found, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find what was told last: %w", err)
	}
	return slices.DeleteFunc(found, func(o ctxmcp.ContextObject) bool { return held[ctxmcp.KeyOf(o)] || o.Author != "" }), nil
}
