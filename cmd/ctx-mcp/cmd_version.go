package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

func versionCommand(sys *system) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(sys.out, "ctx-mcp %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
