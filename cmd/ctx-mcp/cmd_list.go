package main

import (
	"cmp"
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

// entry is one row of a list: the name that other commands take, and enough to know it by.
type entry struct {
	ID    string    `json:"id"`
	Time  time.Time `json:"time"`
	About string    `json:"about"`
}

// listing is a kind of thing that commands name by ids.
type listing struct {
	noun, short string
	all         lister
	// tool and argument show one of them; "": another command does.
	tool, argument string
}

// listings has a row for each kind but memories, whose command lists them itself.
var listings = []listing{
	{"task", "See what tasks handed on", tasksOf, "get_task_state", "task_id"},
	{"session", "See the sessions of actions", sessionsOf, "get_evaluation_context", "session_id"},
	{"compile", "See which contexts were compiled; ctx-mcp trace explains one", compilesOf, "", ""},
	{"artifact", "See artifacts, and read them", artifactsOf, "get_artifact", "artifact_id"},
}

// listingCommand returns the command of one kind.
func listingCommand(sys *system, c *config.Config, l listing) *cobra.Command {
	r := &reading{sys: sys, config: c}
	cmd := &cobra.Command{Use: l.noun, Short: l.short, Args: subcommandOnly, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	list := &cobra.Command{
		Use: "list", Short: "List your " + l.noun + "s, the latest first", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := r.checkLimit(); err != nil {
				return err
			}
			return withApp(cmd.Context(), sys, c, func(a *app) error {
				found, err := l.all(cmd.Context(), a, r.place(), r.limit)
				if err != nil {
					return err
				}
				return r.printEntries(found)
			})
		},
	}
	list.Flags().IntVar(&r.limit, "limit", 20, "how many to print")
	jsonFlag(list, &r.asJSON)
	cmd.AddCommand(list)
	if l.tool == "" {
		return cmd
	}
	show := &cobra.Command{
		Use: "show ID", Short: "Show one of them", Args: exactly(1, "name it: ctx-mcp "+l.noun+" show ID; ctx-mcp "+l.noun+" list has the ids"),
		ValidArgsFunction: completing(sys, c, l.all),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withApp(cmd.Context(), sys, c, func(a *app) error {
				return inTerms(r.tell(cmd.Context(), a, l.tool, map[string]any{l.argument: args[0]}), l.noun+" list")
			})
		},
	}
	jsonFlag(show, &r.asJSON)
	cmd.AddCommand(show)
	return cmd
}

// printEntries prints a row each, or JSON.
func (r *reading) printEntries(found []entry) error {
	if r.asJSON {
		return writeJSON(r.sys.out, append([]entry{}, found...))
	}
	w := tabwriter.NewWriter(r.sys.out, 0, 4, 2, ' ', 0)
	for _, e := range found {
		fmt.Fprintf(w, "%s\t%s\t%s\n", e.ID, e.Time.UTC().Format("2006-01-02 15:04"), ctxmcp.Clip(containment.OneLine(e.About), 100))
	}
	if len(found) == 0 {
		fmt.Fprintln(r.sys.err, "there is none here yet")
	}
	return w.Flush()
}

func tasksOf(ctx context.Context, a *app, at ctxmcp.Scope, limit int) (all []entry, err error) {
	found, _, err := a.tasks.List(ctx, a.config.Person(), at)
	for _, t := range found[:min(limit, len(found))] {
		all = append(all, entry{t.ID, t.Saved, t.Summary})
	}
	return all, err
}

func sessionsOf(ctx context.Context, a *app, _ ctxmcp.Scope, limit int) (all []entry, err error) {
	found, err := a.actions.Sessions(ctx, a.config.Person(), nil, limit)
	for _, s := range found {
		about := fmt.Sprintf("%d actions: %s", s.Actions, s.Request)
		if s.Waiting > 0 {
			about = fmt.Sprintf("%d wait for you, of %s", s.Waiting, about)
		}
		all = append(all, entry{s.Session, s.Last, about})
	}
	return all, err
}

func compilesOf(ctx context.Context, a *app, _ ctxmcp.Scope, limit int) (all []entry, err error) {
	found, err := a.packets.List(ctx, a.config.Person(), nil, limit)
	for _, p := range found {
		if p.Trace != "" {
			all = append(all, entry{p.Trace, p.Created, askedIn(ctx, a, p)})
		}
	}
	return all, err
}

// askedIn returns what a compile was asked for: the turn of the user, or the question to memory. Of one whose content went with a memory, or that had neither, it
// is the reference.
func askedIn(ctx context.Context, a *app, p packets.Record) string {
	kept, err := a.compiler.Kept(ctx, a.config.Person(), ctxmcp.Scope{}, p.Ref)
	if err != nil {
		return p.Ref
	}
	return cmp.Or(kept.Inputs.Request.UserMessage, kept.Inputs.Request.Query, p.Ref)
}

func artifactsOf(ctx context.Context, a *app, _ ctxmcp.Scope, limit int) (all []entry, err error) {
	found, err := a.artifacts.List(ctx, a.config.Person(), nil, limit)
	for _, f := range found {
		all = append(all, entry{f.ID, f.Created, fmt.Sprintf("%d bytes of %s %s", f.Size, f.MediaType, f.Summary)})
	}
	return all, err
}
