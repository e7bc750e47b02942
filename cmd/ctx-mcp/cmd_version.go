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
			_, err := fmt.Fprintln(sys.out, fullVersion())
			return err
		},
	}
}

// fullVersion returns the version, the compiler and the platform, on one line.
func fullVersion() string {
	return fmt.Sprintf("ctx-mcp %s %s %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
