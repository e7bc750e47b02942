package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp/sqlite"
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

// fullVersion returns the version, the compiler, the platform and SQLite's library, on one line.
func fullVersion() string {
	return fmt.Sprintf("ctx-mcp %s %s %s/%s, %s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH, sqlite.Library)
}
