package main

import (
	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp/config"
)

func rekeyCommand(sys *system, c *config.Config) *cobra.Command {
	var next config.KeySource
	var renew, asJSON bool
	cmd := &cobra.Command{
		Use:   "rekey",
		Short: "Change the encryption key, or add a data key",
		Long: `Change the encryption key: what is sealed stays as it is, and the data keys that seal it are sealed under the new key.
With --renew what is written from now on is sealed under a new data key as well.

The configured key must be the old one. Afterwards configure the new one, and restart the servers.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (next.File != "") == (next.Command != "") && !renew || next.File != "" && next.Command != "" {
				return usage("name the new key with --new-key-file or --new-key-command, or use --renew")
			}
			if next.File == stdin {
				text, err := readInput(sys, stdin)
				if err != nil {
					return err
				}
				next = config.KeySource{Text: string(text)}
			}
			return withApp(cmd.Context(), sys, c, func(a *app) error {
				if err := a.rekey(cmd.Context(), next, renew); err != nil {
					return err
				}
				return answer(sys, asJSON, rekeyedReport{Renewed: renew, Key: next.IsSet()}, "done: configure the new key if it is another one, and restart the servers")
			})
		},
	}
	cmd.Flags().StringVar(&next.File, "new-key-file", "", "`file` with the new key, 32 bytes in base64, - for standard input")
	cmd.Flags().StringVar(&next.Command, "new-key-command", "", "`command` that prints the new key")
	cmd.Flags().BoolVar(&renew, "renew", false, "seal what is written from now on under a new data key")
	jsonFlag(cmd, &asJSON)
	return mayTakeLong(cmd, nothingChanged)
}
