package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
)

func gcCommand(sys *system, c *config) *cobra.Command {
	return &cobra.Command{
		Use:   "gc",
		Short: "Retire what has had its time, by each object's retirement rule",
		Long: `Retire what has had its time: what has faded below its threshold, what was of a session or a task that is over, and
what has expired, each by its retirement rule. A server does this by itself, a little at a time.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.ReadOnly {
				return usage("read_only is set: gc would change memory")
			}
			return withApp(cmd.Context(), sys, c, func(a *app) error { return collectGarbage(cmd.Context(), sys, a) })
		},
	}
}

// collectGarbage sweeps until nothing is due. What is done is done if it is stopped.
func collectGarbage(ctx context.Context, sys *system, a *app) error {
	const batch = 500
	total := map[ctxmcp.RetirementRule]int{}
	done := 0
	for more := true; more; {
		swept, err := a.memory.Sweep(ctx, batch)
		if err != nil {
			return err
		}
		for rule, n := range swept.ByRule {
			total[rule] += n
		}
		if done += swept.Total(); swept.More && swept.Total() > 0 {
			fmt.Fprintf(sys.err, "retired %d so far\n", done)
		}
		more = swept.More
	}
	for _, rule := range ctxmcp.RetirementRules() {
		fmt.Fprintf(sys.out, "%-26s %d\n", rule, total[rule])
	}
	return nil
}
