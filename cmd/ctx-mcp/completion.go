package main

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/hook"
)

// mostCompleted is how many ids a shell is offered.
const mostCompleted = 50

// lister returns the things of a kind that are seen from a place, at most limit of them.
type lister func(ctx context.Context, a *app, at ctxmcp.Scope, limit int) ([]entry, error)

// completing offers a shell the ids of a kind as the first argument. Where they cannot be read, it offers none.
func completing(sys *system, c *config.Config, all lister) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		var ids []string
		if len(args) == 0 && c.Load(sys.getenv, given(cmd.Flags())) == nil {
			_ = withApp(cmd.Context(), sys, c, func(a *app) error { // completion has nobody to tell
				found, err := all(cmd.Context(), a, placeOf(c), mostCompleted)
				for _, e := range found {
					if strings.HasPrefix(e.ID, typed) {
						ids = append(ids, e.ID+"\t"+ctxmcp.Clip(containment.OneLine(e.About), 60))
					}
				}
				return err
			})
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
}

// memories lists the memories of the place by their short ids, the newest first.
func (r *reading) memories(ctx context.Context, a *app, _ ctxmcp.Scope, limit int) (all []entry, err error) {
	_, structure, err := r.services(a).Call(ctx, "recall", map[string]any{"order": "newest", "limit": limit, "max_tokens": wide})
	if err != nil {
		return nil, err
	}
	var found struct {
		Memories []struct {
			ID       string    `json:"object_id"`
			Content  string    `json:"content"`
			Recorded time.Time `json:"recorded_at"`
		} `json:"memories"`
	}
	err = json.Unmarshal(structure, &found)
	for _, m := range found.Memories {
		all = append(all, entry{ctxmcp.ShortID(m.ID), m.Recorded, m.Content})
	}
	return all, err
}

func tokensOf(ctx context.Context, a *app, _ ctxmcp.Scope, limit int) (all []entry, err error) {
	found, err := a.access.List(ctx)
	for _, t := range found[:min(limit, len(found))] {
		all = append(all, entry{ID: t.ID, About: t.Caller.User + " " + t.Name})
	}
	return all, err
}

// decisionsOf lists what waits for a decision.
func decisionsOf(ctx context.Context, a *app, _ ctxmcp.Scope, limit int) (all []entry, err error) {
	pending, err := a.actions.Pending(ctx, a.config.Person(), limit)
	if err != nil {
		return nil, err
	}
	for _, p := range pending {
		all = append(all, entry{ID: p.ID, About: p.Tool + "." + p.Operation})
	}
	items, err := a.memory.Reviews(ctx, a.config.Person(), limit)
	for _, i := range items {
		all = append(all, entry{ID: i.ID, About: i.Question})
	}
	return all, err
}

// completingHooks offers a shell the clients that have hooks.
func completingHooks(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return hook.Clients(), cobra.ShellCompDirectiveNoFileComp
}
