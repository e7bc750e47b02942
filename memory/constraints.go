package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
)

// withConstraints returns the candidates behind the constraints that a compile of such a task would bring, the newest first, where
// the ask names a type of task. They take at most half of the answer.
func (s *recaller) withConstraints(ctx context.Context, q Query, candidates []Memory, ask Ask) ([]Memory, error) {
	if ask.TaskType == "" || !oneOf(q.Types, ctxmcp.ActionableConstraint) {
		return candidates, nil
	}
	q.Types, q.Newest, q.Limit = []ctxmcp.ObjectType{ctxmcp.ActionableConstraint}, true, mostAlwaysOn
	found, err := s.Store.Find(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("find constraints: %w", err)
	}
	binding, err := s.binding(ctx, q, found, ask)
	if err != nil {
		return nil, err
	}
	var constraints []Memory
	tokens := 0
	for _, o := range binding {
		m := Memory{Object: o, Part: brief.Constraints}
		for _, c := range candidates {
			if c.Object.ObjectID == o.ObjectID {
				m.Relevance = c.Relevance
			}
		}
		if tokens += s.price(ask, o); tokens > ask.MaxTokens/2 || len(constraints) >= (ask.Limit+1)/2 {
			break
		}
		constraints = append(constraints, m)
	}
	rest := slices.DeleteFunc(candidates, func(m Memory) bool {
		return slices.ContainsFunc(constraints, func(c Memory) bool { return c.Object.ObjectID == m.Object.ObjectID })
	})
	return append(constraints, rest...), nil
}

// binding returns the constraints that hold for the task: they apply to it, have not faded, stand on an authority that may bind,
// and name nobody of whom it is open who they are.
func (s *recaller) binding(ctx context.Context, q Query, found []ctxmcp.ContextObject, ask Ask) ([]ctxmcp.ContextObject, error) {
	named := Candidates{AlwaysOn: found}
	if err := s.withEntities(ctx, q, nil, &named); err != nil {
		return nil, err
	}
	open := map[string]bool{}
	for _, e := range named.Entities {
		for _, node := range e.Nodes {
			open[node] = open[node] || e.Pending
		}
	}
	return slices.DeleteFunc(found, func(o ctxmcp.ContextObject) bool {
		unsure := slices.ContainsFunc(o.CanonicalEntityIDs, func(id string) bool { return open[id] })
		return unsure || !q.Match(o) || !appliesTo(o, ask.TaskType) || o.Authority > ctxmcp.AuthorityUser || o.Faded(s.now())
	}), nil
}
