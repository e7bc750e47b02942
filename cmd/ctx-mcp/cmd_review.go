package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
)

func reviewCommand(sys *system, c *config.Config) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "review",
		Short: "List the questions and actions that wait for you, and decide them",
		Long: `List the questions that wait for you: contradictions that nothing tells apart, statements that can hardly all hold,
memories to confirm, and actions of agents that need approval.

Decide one:   ctx-mcp review resolve ID DECISION`,
		Args: subcommandOnly,
		RunE: func(cmd *cobra.Command, _ []string) error { return listReviews(cmd.Context(), sys, c, asJSON) },
	}
	jsonFlag(cmd, &asJSON)
	var reason string
	resolvedJSON, restoredJSON := false, false
	resolve := &cobra.Command{
		Use:   "resolve ID DECISION",
		Short: "Carry out a decision",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage("name the id and the decision: ctx-mcp review lists both")
			}
			return nil
		},
		ValidArgsFunction: completingDecisions(sys, c),
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.ReadOnly {
				return usage("read_only is set: a decision would change memory")
			}
			return withApp(cmd.Context(), sys, c, func(a *app) error {
				if actions.IsPending(args[0]) {
					done, err := a.actions.Resolve(cmd.Context(), c.Person(), args[0], actions.Choice(args[1]), reason, true)
					if err != nil {
						return err
					}
					return answer(sys, resolvedJSON, decided{done.ID, string(done.Choice), done.Effect, done.Receipt}, "%s: %s", done.Choice, done.Effect)
				}
				done, err := a.memory.Settle(cmd.Context(), c.Person(), args[0], args[1])
				if err != nil {
					return inTerms(err, "review")
				}
				return answer(sys, resolvedJSON, decided{ID: done.ID, Decision: done.Decision, Effect: done.Effect}, "%s: %s", done.Decision, done.Effect)
			})
		},
	}
	resolve.Flags().StringVar(&reason, "reason", "", "why, for the receipt of an action")
	jsonFlag(resolve, &resolvedJSON)
	restore := &cobra.Command{
		Use:   "restore ID",
		Short: "Take back that a memory was replaced or forgotten",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("name the memory: ctx-mcp memory history shows those that were replaced or forgotten")
			}
			return nil
		},
		ValidArgsFunction: completing(sys, c, endedMemories),
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.ReadOnly {
				return usage("read_only is set: this would change memory")
			}
			return withApp(cmd.Context(), sys, c, func(a *app) error {
				done, err := a.memory.Restore(cmd.Context(), c.Person(), args[0])
				if err != nil {
					return inTerms(err, "memory history")
				}
				return answer(sys, restoredJSON, decided{ID: done.ID, Decision: "restore", Effect: done.Effect}, "%s", done.Effect)
			})
		},
	}
	jsonFlag(restore, &restoredJSON)
	list := &cobra.Command{
		Use: "list", Short: "List them, as ctx-mcp review does", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return listReviews(cmd.Context(), sys, c, asJSON) },
	}
	jsonFlag(list, &asJSON)
	cmd.AddCommand(list, resolve, restore)
	return cmd
}

func listReviews(ctx context.Context, sys *system, c *config.Config, asJSON bool) error {
	return withApp(ctx, sys, c, func(a *app) error {
		items, err := a.memory.Reviews(ctx, c.Person(), 0)
		if err != nil {
			return err
		}
		pending, err := a.actions.Pending(ctx, c.Person(), 0)
		if err != nil {
			return err
		}
		if asJSON {
			all := []openQuestion{}
			for _, p := range pending {
				all = append(all, questionOfAction(p))
			}
			for _, i := range items {
				all = append(all, questionOfReview(i))
			}
			return writeJSON(sys.out, all)
		}
		for _, p := range pending {
			printPending(sys, p)
		}
		if len(items)+len(pending) == 0 {
			fmt.Fprintln(sys.out, "nothing waits for a decision")
		}
		short := shortReviews(items)
		for _, i := range items {
			printReview(sys, i, short)
		}
		return nil
	})
}

func printPending(sys *system, p actions.Pending) {
	fmt.Fprintf(sys.out, "%s  action\n  May the agent do %s.%s? %s (%s by %s)\n", p.ID, oneLine(p.Tool), oneLine(p.Operation), oneLine(p.Why), p.Verdict, p.Rule)
	fmt.Fprintf(sys.out, "  - arguments: %s\n  - asked for: %s\n", oneLine(string(p.Parameters)), oneLine(p.Request))
	for _, f := range p.Findings {
		fmt.Fprintf(sys.out, "  - %s: %s\n", f.Signal, oneLine(f.Why))
		for _, e := range f.Evidence {
			if e.Quote != "" {
				fmt.Fprintf(sys.out, "    %s of action %s: %s\n", oneLine(e.Argument), oneLine(e.Source), oneLine(e.Quote))
			}
		}
	}
	for _, id := range p.After {
		fmt.Fprintf(sys.out, "  - after the action %s, which waits too\n", oneLine(id))
	}
	fmt.Fprintf(sys.out, "  denied at %s, unless you decide one of: %s\n\n", p.Until.Format(time.RFC3339), ctxmcp.Words(actions.Choices()))
}

// shortReviews returns the short forms of the ids in reviews: resolve takes them.
func shortReviews(items []memory.ReviewItem) map[string]string {
	var ids []string
	for _, i := range items {
		ids = append(ids, i.ID)
		for _, c := range i.Candidates {
			ids = append(ids, c.ID)
		}
	}
	return ctxmcp.ShortIDs(ids)
}

func printReview(sys *system, i memory.ReviewItem, short map[string]string) {
	fmt.Fprintf(sys.out, "%s  %s\n  %s\n", short[i.ID], i.Kind, oneLine(i.Question))
	for _, c := range i.Candidates {
		fmt.Fprintf(sys.out, "  - %s  %s (%s, told %s)\n", short[c.ID], oneLine(c.Object.Content), oneLine(c.Object.SourceOrigin),
			brief.ToldAt(c.Object).Format("2006-01-02 15:04"))
	}
	var decisions []string
	for _, d := range i.Decisions {
		decisions = append(decisions, cmp.Or(short[d], d))
	}
	fmt.Fprintf(sys.out, "  decide one of: %s\n\n", strings.Join(decisions, ", "))
}

// oneLine returns the beginning of a text on one line, for a terminal.
func oneLine(text string) string {
	const most = 200
	return ctxmcp.Clip(containment.OneLine(text), most)
}

// withApp opens the product for one command, and closes it.
func withApp(ctx context.Context, sys *system, c *config.Config, do func(*app) error) error {
	a, err := openApp(ctx, sys, c)
	if err != nil {
		return err
	}
	if dir, err := os.Getwd(); err == nil {
		c.Here = a.projectOf(dir)
	}
	return errors.Join(do(a), a.close())
}
