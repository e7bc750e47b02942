package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// references returns what the state names, then what was put for the task without being named.
func (s *Service) references(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, state State) ([]ctxmcp.Artifact, error) {
	named, err := s.Artifacts.Find(ctx, by, at, state.Artifacts...)
	if err != nil {
		return nil, err
	}
	return s.withAttached(ctx, by, at, state, named)
}

// remaining is references, but for those that are gone.
func (s *Service) remaining(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, state State) ([]ctxmcp.Artifact, error) {
	var named []ctxmcp.Artifact
	for _, id := range state.Artifacts {
		one, err := s.Artifacts.Find(ctx, by, at, id)
		if ctxmcp.CodeOf(err) == ctxmcp.CodeNotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		named = append(named, one...)
	}
	return s.withAttached(ctx, by, at, state, named)
}

func (s *Service) withAttached(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, state State, named []ctxmcp.Artifact) ([]ctxmcp.Artifact, error) {
	q, err := s.Artifacts.Visible(ctx, by, at)
	if err != nil {
		return nil, err
	}
	q.Task, q.Limit = state.ID, maxArtifacts
	attached, err := s.Artifacts.Select(ctx, q)
	for _, a := range attached {
		if !slices.Contains(state.Artifacts, a.ID) {
			named = append(named, a)
		}
	}
	return named, err
}

// Summaries returns the references as text for a prompt.
func (v View) Summaries() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Task %s produced %d artifact(s):", v.ID, len(v.References))
	if v.Summary != "" {
		fmt.Fprintf(&b, " %s", v.Summary)
	}
	for _, a := range v.References {
		fmt.Fprintf(&b, "\n  [%s] %s (%.1f KB, keys: %s) [ref: %s]", a.Type, a.Summary, float64(a.Size)/1024, strings.Join(a.SchemaKeys, ", "), a.ID)
	}
	return b.String()
}
