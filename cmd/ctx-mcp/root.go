package main

import (
	"github.com/spf13/cobra"
)

// version is set by the linker.
var version = "0.1.0-dev"

func newRoot(sys *system) *cobra.Command {
	c := newConfig()
	root := &cobra.Command{
		Use:   "ctx-mcp",
		Short: "Governed memory and context for AI agents, over MCP",
		Long: `ctx-mcp is an MCP server that manages what an agent's model gets to see.

Connect a desktop assistant or an IDE agent:   ctx-mcp config
Serve one local agent:                         ctx-mcp stdio
Serve a team over Streamable HTTP:             ctx-mcp http
Find out what is wrong:                        ctx-mcp doctor`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage("unknown command %q: see ctx-mcp --help", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return c.load(sys.getenv, cmd.Flags())
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage("%v", err) })
	c.addFlags(root.PersistentFlags(), "")
	root.AddCommand(
		stdioCommand(sys, c), httpCommand(sys, c), tokenCommand(sys, c), toolsCommand(sys, c), configCommand(sys, c),
		doctorCommand(sys, c), exportCommand(sys, c), importCommand(sys, c), versionCommand(sys),
	)
	return root
}
