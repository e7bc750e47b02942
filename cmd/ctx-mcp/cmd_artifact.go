package main

import (
	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp/config"
)

func artifactCommand(sys *system, c *config.Config) *cobra.Command {
	cmd := listingCommand(sys, c, listings[len(listings)-1])
	cmd.AddCommand(prints(aDocument, &cobra.Command{
		Use:   "raw ID",
		Short: "Print the original of an artifact, from before redaction",
		Long: `Print the original of an artifact, from before redaction. Originals are kept, encrypted, with artifacts.keep_raw: encrypted,
and read by callers with the role operator (identity.roles). Each reading leaves a line in the audit trail.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("name the artifact: ctx-mcp artifact raw ID")
			}
			return nil
		},
		ValidArgsFunction: completing(sys, c, artifactsOf),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withApp(cmd.Context(), sys, c, func(a *app) error {
				content, err := a.artifacts.Original(cmd.Context(), c.Caller(), args[0])
				if err != nil {
					return err
				}
				_, err = sys.out.Write(content)
				return err
			})
		},
	}))
	return cmd
}
