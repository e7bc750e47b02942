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
		if !slices.Contains(state.Artifacts, a.ID) && !slices.Contains(state.Removed, a.ID) {
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
		b.WriteString(told(a))
	}
	task := ""
	for _, in := range v.Inherited {
		if in.Task != task {
			task = in.Task
			fmt.Fprintf(&b, "\nFrom task %s, which it continues:", task)
		}
		b.WriteString(told(in.Artifact))
	}
	return b.String()
}

// told returns the line of an artifact; what is empty is left out.
func told(a ctxmcp.Artifact) string {
	text := "\n  [" + a.Type + "]"
	if a.Summary != "" {
		text += " " + a.Summary
	}
	text += fmt.Sprintf(" (%.1f KB", float64(a.Size)/1024)
	if len(a.SchemaKeys) > 0 {
		text += ", keys: " + strings.Join(a.SchemaKeys, ", ")
	}
	return text + ") [ref: " + a.ID + "]"
}
