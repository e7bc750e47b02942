package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

func bundleCommand(sys *system, c *config.Config) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "bundle ID",
		Short: "Write a replay bundle: a packet with its proof",
		Long: `Write a replay bundle: one tar with the packet, its objects and artifacts at their versions, its policy, its trace, its
receipts, and a manifest with the digest of each. ID is a context_ref or a trace_id. ctx-mcp replay proves it on any machine.`,
		Args:              exactly(1, "name the packet: ctx-mcp bundle ID"),
		ValidArgsFunction: completing(sys, c, compilesOf),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withApp(cmd.Context(), sys, c, func(a *app) error { return writeBundle(cmd.Context(), sys, a, args[0], out) })
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "`file` to write, - for standard output; default context-DIGEST.tar")
	return prints(aDocument, mayTakeLong(cmd, nothingWritten))
}

func writeBundle(ctx context.Context, sys *system, a *app, id, out string) error {
	by := a.config.Caller()
	sealed, err := a.packets.Named(ctx, by, ctxmcp.Scope{}, id)
	if err != nil {
		return err
	}
	raw, err := a.packets.Bundle(ctx, by, sealed.Ref)
	if err != nil {
		return err
	}
	if out == "-" {
		_, err = sys.out.Write(raw)
		return err
	}
	if out == "" {
		out = "context-" + strings.TrimPrefix(sealed.Ref, "sha256:")[:12] + ".tar"
	}
	err = writeWhole(out, func(w io.Writer) error {
		_, err := w.Write(raw)
		return err
	})
	if err == nil {
		fmt.Fprintf(sys.out, "%s\n%s (%d bytes)\n", sealed.Ref, out, len(raw))
	}
	return err
}

func replayCommand(sys *system) *cobra.Command {
	var ref string
	asJSON := false
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Prove a replay bundle on any machine",
		Long: `Prove a replay bundle: that no byte of it was changed, that the packet has its name, that every source, the policy, the trace
and the receipts are those that the packet names, and that its inputs compile to the same output. Nothing of the installation
that wrote it is needed, and nothing is kept. The exit code is 0 if all of it holds, 1 if something does not.`,
		Args: exactly(1, "name the bundle: ctx-mcp replay FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return replayBundle(cmd.Context(), sys, args[0], ref, asJSON)
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().StringVar(&ref, "ref", "", "the `context_ref` that the bundle must be of, as it was noted elsewhere")
	return mayTakeLong(cmd, nothingChanged)
}

// exactly checks the number of arguments.
func exactly(n int, message string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return usage("%s", message)
		}
		return nil
	}
}

// maxBundle is how large a bundle may be, in bytes.
const maxBundle = 1 << 30

// readBundle reads a file, - for standard input.
func readBundle(sys *system, file string) ([]byte, error) {
	from, err := openInput(sys, file)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	raw, err := io.ReadAll(io.LimitReader(from, maxBundle+1))
	if err == nil && len(raw) > maxBundle {
		err = fmt.Errorf("%s has more than %d bytes", file, maxBundle)
	}
	return raw, err
}

func replayBundle(ctx context.Context, sys *system, file, ref string, asJSON bool) error {
	raw, err := readBundle(sys, file)
	if err != nil {
		return err
	}
	report, err := packets.Replayer{Recompilers: recompilers()}.Replay(ctx, raw)
	if err != nil {
		return err
	}
	if asJSON {
		err = writeJSON(sys.out, reportOfReplay(report))
	} else {
		printReplay(sys, report)
	}
	if err != nil {
		return err
	}
	if !report.Valid() {
		return fmt.Errorf("%s does not hold", file)
	}
	if ref != "" && ref != report.Ref {
		return fmt.Errorf("%s is of %s", file, report.Ref)
	}
	if !asJSON {
		fmt.Fprintf(sys.out, "%s holds\n", report.Ref)
	}
	return nil
}

func printReplay(sys *system, report packets.Replayed) {
	for _, c := range report.Checks {
		word := "ok  "
		if !c.OK {
			word = "FAIL"
		}
		fmt.Fprintf(sys.out, "%s %-10s %s\n", word, c.Name, c.Detail)
	}
	for _, d := range report.Differences {
		fmt.Fprintf(sys.out, "     %s %s: %s -> %s\n", d.Kind, d.Path, d.Want, d.Got)
	}
}
