package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
)

func gcCommand(sys *system, c *config.Config) *cobra.Command {
	var dry, asJSON bool
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
				quiet := *sys
				if asJSON {
					quiet.out = io.Discard
				}
				report := sweepReport{DryRun: dry, Packets: []endedReport{}, Artifacts: []endedReport{}}
				memories := collectGarbage
				if dry {
					memories = reportDue
				}
				ctx := cmd.Context()
				err := errors.Join(memories(ctx, &quiet, a, &report), collectPackets(ctx, &quiet, a, &report), collectArtifacts(ctx, &quiet, a, &report))
				if asJSON {
					err = errors.Join(err, writeJSON(sys.out, report))
				}
				return err
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say what would go, and why")
	return mayTakeLong(cmd, partsDone)
}

// mostDue bounds the memories that are counted before a sweep.
const mostDue = 1_000_000

// reportDue counts the memories that a sweep would look at.
func reportDue(ctx context.Context, sys *system, a *app, report *sweepReport) error {
	due, err := a.store.Due(ctx, ctxmcp.Instant(sys.now()), mostDue)
	if err == nil {
		n := len(due)
		report.Due = &n
		fmt.Fprintf(sys.out, "%-26s %d\n", "memories to look at", len(due))
	}
	return err
}

// collectPackets sweeps the packets, or reports the effect of a sweep.
func collectPackets(ctx context.Context, sys *system, a *app, report *sweepReport) error {
	due, err := a.packets.Sweep(ctx, report.DryRun)
	for _, e := range due {
		report.Packets = append(report.Packets, endedReport{e.Record.Ref, e.Why})
		fmt.Fprintf(sys.out, "packet %s: %s\n", e.Record.Ref, e.Why)
	}
	fmt.Fprintf(sys.out, "%-26s %d\n", "packets", len(due))
	return err
}

// collectArtifacts sweeps the artifacts, or reports the effect of a sweep.
func collectArtifacts(ctx context.Context, sys *system, a *app, report *sweepReport) error {
	swept, err := a.artifacts.Sweep(ctx, a.blobs, report.DryRun)
	report.Orphans, report.Bytes = swept.Orphans, swept.Bytes
	for _, e := range swept.Retired {
		report.Artifacts = append(report.Artifacts, endedReport{e.ID, e.Why})
		fmt.Fprintf(sys.out, "artifact %s: %s\n", e.ID, e.Why)
	}
	fmt.Fprintf(sys.out, "%-26s %d\n%-26s %d (%d bytes)\n", "artifacts", len(swept.Retired), "bytes without artifact", swept.Orphans, swept.Bytes)
	return err
}

// collectGarbage sweeps until nothing is due. If it is stopped, the finished batches stay swept.
func collectGarbage(ctx context.Context, sys *system, a *app, report *sweepReport) error {
	const batch = 500
	total := map[ctxmcp.RetirementRule]int{}
	due, err := a.store.Due(ctx, ctxmcp.Instant(sys.now()), mostDue)
	if err != nil {
		return err
	}
	tell := progress(sys, "retired", "memories", len(due))
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
		done += swept.Total()
		tell(done)
		more = swept.More
	}
	report.Memories = map[string]int{}
	for _, rule := range ctxmcp.RetirementRules() {
		report.Memories[string(rule)] = total[rule]
		fmt.Fprintf(sys.out, "%-26s %d\n", rule, total[rule])
	}
	return nil
}
