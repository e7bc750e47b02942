package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
)

func gcCommand(sys *system, c *config.Config) *cobra.Command {
	var dry bool
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "Retire old memories, artifacts and packets, each by its rule",
		Long: `Retire memories that have faded or expired, or whose session or task is over, each by its retirement rule; packets and
artifacts beyond their number or their age; and stored bytes that nothing refers to.
A server does this by itself, a little at a time.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.ReadOnly && !dry {
				return usage("read_only is set: gc would change memory")
			}
			return withApp(cmd.Context(), sys, c, func(a *app) error {
				memories := collectGarbage
				if dry {
					memories = reportDue
				}
				return errors.Join(memories(cmd.Context(), sys, a), collectPackets(cmd.Context(), sys, a, dry), collectArtifacts(cmd.Context(), sys, a, dry))
			})
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say what would go, and why")
	return cmd
}

// reportDue counts the memories that a sweep would look at.
func reportDue(ctx context.Context, sys *system, a *app) error {
	due, err := a.store.Due(ctx, ctxmcp.Instant(sys.now()), 1_000_000)
	if err == nil {
		fmt.Fprintf(sys.out, "%-26s %d\n", "memories to look at", len(due))
	}
	return err
}

// collectPackets sweeps the packets, or reports the effect of a sweep.
func collectPackets(ctx context.Context, sys *system, a *app, dry bool) error {
	due, err := a.packets.Sweep(ctx, dry)
	for _, e := range due {
		fmt.Fprintf(sys.out, "packet %s: %s\n", e.Record.Ref, e.Why)
	}
	fmt.Fprintf(sys.out, "%-26s %d\n", "packets", len(due))
	return err
}

// collectArtifacts sweeps the artifacts, or reports the effect of a sweep.
func collectArtifacts(ctx context.Context, sys *system, a *app, dry bool) error {
	swept, err := a.artifacts.Sweep(ctx, a.blobs, dry)
	for _, e := range swept.Retired {
		fmt.Fprintf(sys.out, "artifact %s: %s\n", e.Artifact.ID, e.Why)
	}
	fmt.Fprintf(sys.out, "%-26s %d\n%-26s %d (%d bytes)\n", "artifacts", len(swept.Retired), "bytes without artifact", swept.Orphans, swept.Bytes)
	return err
}

// collectGarbage sweeps until nothing is due. If it is stopped, the finished batches stay swept.
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
		a.noteUpkeep(swept)
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
