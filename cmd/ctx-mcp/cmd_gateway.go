package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/gateway"
)

func gatewayCommand(sys *system, c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "gateway",
		Short: "Serve other MCP servers' tools beside ctx-mcp's own, each call judged and recorded",
		Long: `Serve other MCP servers' tools beside ctx-mcp's own, each call judged and recorded.

The file of --servers has the form that clients have: {"mcpServers": {"name": {"command", "args", "env"} or {"url", "headers"}}}. A tool
of the server files is files__NAME here, or NAME where its entry has "prefix": false. Calls are judged before they go out, results are
redacted, trimmed and recorded. Tools that are new or have changed are held back until they are approved.`,
		Args: subcommandOnly,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	addFlags(cmd.PersistentFlags(), c, "gateway")
	cmd.AddCommand(gatewayStdioCommand(sys, c), gatewayHTTPCommand(sys, c), gatewayStatusCommand(sys, c), gatewayPinsCommand(sys, c), gatewayApproveCommand(sys, c),
		gatewaySignInCommand(sys, c), gatewaySignOutCommand(sys, c), gatewaySecretCommand(sys, c),
		prints(nothing, &cobra.Command{
			Use: "warden", Short: "End the processes of a gateway that has died", Hidden: true, Args: noArgs,
			RunE: func(*cobra.Command, []string) error { gateway.Warden(sys.in); return nil },
		}))
	return cmd
}

func gatewayStdioCommand(sys *system, c *config.Config) *cobra.Command {
	return annotated(prints(aService, &cobra.Command{
		Use: "stdio", Short: "Serve one local agent over standard input and output", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.LoadGateway(sys.getenv); err != nil {
				return err
			}
			return serveStdio(cmd.Context(), sys, c, true)
		},
	}), takesInput, "its messages")
}

func gatewayHTTPCommand(sys *system, c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use: "http", Short: "Serve many agents over Streamable HTTP", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.LoadGateway(sys.getenv); err != nil {
				return err
			}
			return serveHTTP(cmd.Context(), sys, c, true)
		},
	}
	addFlags(cmd.Flags(), c, "http")
	return prints(aService, cmd)
}

func gatewayPinsCommand(sys *system, c *config.Config) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "pins", Short: "Show the tools that are held back, with the difference to what was pinned", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			book, err := gateway.OpenBook(gatewayDir(c), sys.now)
			if err != nil {
				return err
			}
			all, err := book.HeldBack(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				reports := []heldBackReport{}
				for _, q := range all {
					reports = append(reports, heldBackReport{q.Name, string(q.Doubt), q.Kinds, q.Was, q.Is})
				}
				return writeJSON(sys.out, reports)
			}
			for _, q := range all {
				printHeldBack(sys, q)
			}
			if len(all) == 0 {
				fmt.Fprintln(sys.out, "no tool is held back")
			}
			return nil
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// printHeldBack shows a tool and why it is held back. Its definition is another's text: signs that move a cursor are shown as escapes.
func printHeldBack(sys *system, q gateway.Quarantined) {
	why := string(q.Doubt)
	if len(q.Kinds) > 0 {
		why += ": " + strings.Join(q.Kinds, ", ")
	}
	fmt.Fprintf(sys.out, "%s (%s)\n", q.Name, why)
	text := string(diff.Diff("pinned", []byte(q.Was), "now", []byte(q.Is)))
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "diff ") {
			fmt.Fprintf(sys.out, "  %s\n", plainLine(line))
		}
	}
}

func gatewayApproveCommand(sys *system, c *config.Config) *cobra.Command {
	var all, dryRun, asJSON bool
	cmd := &cobra.Command{
		Use: "approve [server__tool...]", Short: "Let tools that are held back be offered, as they are now",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && !all {
				return usage("name the tools, or use --all; ctx-mcp gateway pins shows those that are held back")
			}
			book, err := gateway.OpenBook(gatewayDir(c), sys.now)
			if err != nil {
				return err
			}
			held, err := book.HeldBack(cmd.Context())
			if err != nil {
				return err
			}
			chosen, err := chooseHeldBack(held, args, all)
			if err != nil {
				return err
			}
			reports := []approvedReport{}
			for _, q := range chosen {
				if !asJSON {
					printHeldBack(sys, q)
				}
				if !dryRun {
					if err := book.Approve(q); err != nil {
						return err
					}
				}
				if reports = append(reports, approvedReport{q.Name, !dryRun}); !asJSON && !dryRun {
					fmt.Fprintf(sys.out, "approved %s\n", q.Name)
				}
			}
			if asJSON {
				return writeJSON(sys.out, reports)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "approve all that are held back")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "show the differences, approve nothing")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func chooseHeldBack(held []gateway.Quarantined, names []string, all bool) ([]gateway.Quarantined, error) {
	if all {
		return held, nil
	}
	var chosen []gateway.Quarantined
	for _, name := range names {
		found := false
		for _, q := range held {
			if q.Name == name {
				chosen, found = append(chosen, q), true
			}
		}
		if !found {
			return nil, ctxmcp.Errorf(ctxmcp.CodeNotFound, "no tool %q is held back", name).WithHint("ctx-mcp gateway pins shows those that are")
		}
	}
	return chosen, nil
}

func gatewayDir(c *config.Config) string { return filepath.Join(c.DataDir, "gateway") }

// plainLine shows a line of another's text without signs that would act on a terminal.
func plainLine(line string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || 0x80 <= r && r < 0xa0 || 0x200b <= r && r <= 0x200f || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 {
			return '\ufffd'
		}
		return r
	}, strings.TrimRight(line, "\n"))
}
